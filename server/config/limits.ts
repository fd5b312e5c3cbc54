/** Limits, groups and plans as an operator writes them. */
import { z } from 'zod';
import { Dollars, Multiplier, Prices } from './prices.ts';
import { ModelId } from './values.ts';

const modes = ['off', 'observe', 'enforce'] as const;
const Mode = z
  .enum(modes)
  .default('enforce')
  .meta({ description: '`observe` counts and logs, and refuses nobody; `off` does not even count.', examples: ['observe'] });
const limit = (most: number, description: string) => {
  const count = z.int().min(1).max(most);
  return z
    .union([count, z.strictObject({ limit: count.meta({ description, examples: [60] }), mode: Mode })])
    .optional()
    .meta({ description, examples: [60, { limit: 60, mode: 'observe' }] });
};

/** A plain number is enforced; `observe` counts and logs, and refuses nobody. */
export const Limits = z.strictObject({
  requestsPerMinute: limit(10_000_000, 'Most requests a minute.'),
  tokensPerMinute: limit(10_000_000_000, 'Most tokens a minute, input and output together.'),
  concurrency: limit(1_000_000, 'Most requests at once.'),
});
export type Limits = z.infer<typeof Limits>;

export const GroupName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_-]*$/, 'must be a name of small letters, digits, hyphens and underscores that starts with a letter');

const Group = z.strictObject({
  multiplier: Multiplier.default('1').meta({
    description: 'What prices are multiplied with for accounts of this group.',
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
  .meta({ description: 'Groups of accounts: which models they see, at what price. `default` and `vip` are always there.' });

const Plan = z.strictObject({
  included: Dollars.meta({ description: 'Dollars that may be used in each period.', examples: ['20'] }),
  period: z.enum(['day', 'week', 'month']).default('month').meta({ description: 'How often it starts anew (UTC; weeks on Monday).' }),
  onExhaustion: z
    .enum(['stop', 'balance'])
    .default('stop')
    .meta({ description: 'When it is used up: `stop` refuses until the next period, `balance` goes on at the cost of the balance.' }),
  priceList: GroupName.default('standard').meta({ description: 'The price list that its requests are charged by.' }),
});
export const Plans = z
  .record(GroupName, Plan)
  .refine((plans) => Object.keys(plans).length <= 1_000, 'has more than 1000 plans')
  .default({})
  .meta({ description: 'Subscriptions that can be sold.', examples: [{ pro: { included: '20', onExhaustion: 'balance' } }] });

export const PriceLists = z
  .record(GroupName, z.record(ModelId, Prices))
  .default({})
  .meta({
    description: 'Prices that differ from those at the models, by name of the list and model. The list `standard` is that of the models.',
    examples: [{ wholesale: { 'gpt-5.4': { input: '1', output: '8' } } }],
  });

export const DefaultLimits = z
  .strictObject({
    perKey: Limits.prefault({}).meta({ description: 'Of each key that has none of its own.' }),
    perAccount: Limits.prefault({}).meta({ description: 'Of each account that has none of its own.' }),
  })
  .prefault({})
  .meta({ description: 'Limits where nothing closer says anything else.' });
