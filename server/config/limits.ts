/** Limits, groups and plans as an operator writes them. */
import { z } from 'zod';
import { Dollars, Multiplier, Prices } from './prices.ts';
import { ModelId } from './values.ts';

const modes = ['off', 'observe', 'enforce'] as const;
const Mode = z
  .enum(modes)
  .default('enforce')
  .meta({ description: '`observe` counts and logs, but refuses nothing; `off` does not count either.', examples: ['observe'] });
const limit = (most: number, description: string) => {
  const count = z.int().min(1).max(most);
  return z
    .union([count, z.strictObject({ limit: count.meta({ description, examples: [60] }), mode: Mode })])
    .optional()
    .meta({ description, examples: [60, { limit: 60, mode: 'observe' }] });
};

/** A plain number is enforced; `observe` counts and logs, but refuses nothing. */
export const Limits = z.strictObject({
  requestsPerMinute: limit(10_000_000, 'The most requests per minute.'),
  tokensPerMinute: limit(10_000_000_000, 'The most tokens per minute, input and output together.'),
  concurrency: limit(1_000_000, 'The most requests at once.'),
});
export type Limits = z.infer<typeof Limits>;

export const GroupName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_-]*$/, 'must have lower-case letters, digits, hyphens and underscores, and start with a letter');

const Group = z.strictObject({
  multiplier: Multiplier.default('1').meta({
    description: 'The factor by which prices are multiplied for accounts of this group.',
    examples: ['0.8'],
  }),
  limits: Limits.prefault({}).meta({ description: 'Limits of all accounts of the group together.' }),
});

/** Two groups always exist, whatever the file says. */
export const withStandardGroups = (groups: z.infer<typeof Groups>): z.infer<typeof Groups> => ({
  default: Group.parse({}),
  vip: Group.parse({}),
  ...groups,
});

export const Groups = z
  .record(GroupName, Group)
  .refine((groups) => Object.keys(groups).length <= 1_000, 'has more than 1000 groups')
  .default({})
  .meta({ description: 'Groups of accounts: which models they may call, at what price. `default` and `vip` always exist.' });

const Plan = z.strictObject({
  included: Dollars.meta({ description: 'Dollars included in each period.', examples: ['20'] }),
  period: z.enum(['day', 'week', 'month']).default('month').meta({ description: 'When the amount resets (UTC; weeks begin on Monday).' }),
  onExhaustion: z
    .enum(['stop', 'balance'])
    .default('stop')
    .meta({ description: 'When the amount is used up: `stop` refuses until the next period, `balance` charges the balance.' }),
  priceList: GroupName.default('standard').meta({ description: 'The price list that its requests are charged by.' }),
});
export const Plans = z
  .record(GroupName, Plan)
  .refine((plans) => Object.keys(plans).length <= 1_000, 'has more than 1000 plans')
  .default({})
  .meta({ description: 'Plans that accounts can subscribe to.', examples: [{ pro: { included: '20', onExhaustion: 'balance' } }] });

export const PriceLists = z
  .record(GroupName, z.record(ModelId, Prices))
  .default({})
  .meta({
    description:
      'Prices that differ from those of the models, by name of the list and model. The prices of the models are the list `standard`.',
    examples: [{ wholesale: { 'gpt-5.4': { input: '1', output: '8' } } }],
  });

export const DefaultLimits = z
  .strictObject({
    perKey: Limits.prefault({}).meta({ description: 'Limits of each key without its own.' }),
    perAccount: Limits.prefault({}).meta({ description: 'Limits of each account without its own.' }),
  })
  .prefault({})
  .meta({ description: 'Default limits; those of a key or an account take precedence.' });
