/** Fields of spending caps, for callers and operators. */
import { z } from 'zod';
import { Dollars } from './dollars.ts';

export const capFields = {
  amount: Dollars.describe('The maximum amount that can be charged in a period.'),
  period: z.enum(['day', 'week', 'month', 'never']).describe('When the cap resets, in UTC. Weeks start on Monday.'),
};

/** A cap from the view of a key. */
export const keyCapFields = {
  scope: z
    .enum(['key', 'creator', 'account'])
    .describe('Where the cap is set: `key`, on the key itself; `creator`, on a key that it was created with; `account`, on its account.'),
  ...capFields,
  left: Dollars.describe('The part of the cap that is neither spent nor reserved.'),
};
