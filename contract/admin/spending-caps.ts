/** Spending caps of keys and accounts. */
import { z } from 'zod';
import { Dollars } from '../shared/dollars.ts';
import { capFields, keyCapFields } from '../shared/spending-cap.ts';
import { Amount, Time } from './fields.ts';

export const SpendingCap = z.object(capFields).meta({ id: 'SpendingCap', description: 'The maximum that can be charged in a period.' });
export type SpendingCap = z.infer<typeof SpendingCap>;

export const UsedCap = z
  .object({ ...capFields, used: Dollars.describe('The amount charged in the current period.') })
  .meta({ id: 'UsedCap', description: 'A spending cap, with the amount charged in its current period.' });
export type UsedCap = z.infer<typeof UsedCap>;

export const ExplainedCap = z
  .object({
    ...keyCapFields,
    resets_at: Time.nullable().describe('When the cap resets. Null if it never resets.'),
  })
  .meta({ id: 'ExplainedCap', description: 'A spending cap that calls with the key count toward, with the amount left in this period.' });

const SpendingCapInput = z
  .strictObject({ amount: Amount.describe('The maximum amount that can be charged in a period.'), period: capFields.period })
  .meta({
    id: 'SpendingCapInput',
    description:
      'A spending cap. It counts everything that was charged since the period started, also before the cap was set. Keys that replace a key share its caps.',
    examples: [{ amount: '20', period: 'month' }],
  });

export const SpendingCapsInput = z
  .array(SpendingCapInput)
  .max(4)
  .refine((caps) => new Set(caps.map(({ period }) => period)).size === caps.length, 'must have at most one cap per period');
export type SpendingCapsInput = z.infer<typeof SpendingCapsInput>;
