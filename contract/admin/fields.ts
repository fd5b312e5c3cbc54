/** Shared schemas of the admin API: money, times, names, limits, and pages. Money is never a float. */
import { z } from 'zod';
import type { Contract } from '../index.ts';
import { createTypeField } from '../shared/descriptions.ts';

export { SignedDollars } from '../shared/dollars.ts';

/** Amounts in requests. */
export const Amount = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be a US dollar amount such as '12.50', with at most six decimal places")
  .meta({ id: 'Amount', description: 'US dollars as a string, with up to six decimal places.', examples: ['12.50'] });

export const SignedAmount = z
  .string()
  .regex(/^-?\d{1,9}(?:\.\d{1,6})?$/, "must be a US dollar amount such as '12.50' or '-3', with at most six decimal places")
  .meta({
    id: 'SignedAmount',
    description: 'US dollars as a string, with up to six decimal places. A negative amount reduces the balance.',
    examples: ['12.50', '-3'],
  });

const TIME_RULE = 'a time such as 2027-01-31T00:00:00Z';
export const Time = z.iso
  .datetime()
  .meta({ id: 'Timestamp', description: 'A time in ISO 8601, in UTC.', examples: ['2027-01-31T00:00:00.000Z'] });
export const TimeInput = z.iso
  .datetime({ offset: true, error: `must be ${TIME_RULE}` })
  .meta({ id: 'TimeInput', description: 'A time in ISO 8601, with `Z` or an offset.', examples: ['2027-01-31T00:00:00Z'] });

const NAME_RULE = 'must have 1 to 100 characters, no control characters, and no space at the start or end';
/** The Unicode class Cc, spelled out, because regular expressions in Python and Go don't always support `\p{Cc}`. */
const CONTROL_CHARACTERS = '\\x00-\\x1f\\x7f-\\x9f';
const plainName = z
  .string()
  .regex(new RegExp(`^[^\\s${CONTROL_CHARACTERS}](?:[^${CONTROL_CHARACTERS}]{0,98}[^\\s${CONTROL_CHARACTERS}])?$`, 'u'), NAME_RULE);
export const Name = plainName.meta({ id: 'Name', description: 'A display name, 1 to 100 characters.', examples: ['build server'] });
/** Accounts are found by name or ID, so a name must not look like an ID. */
export const AccountName = plainName
  .regex(/^(?!acct_)/, 'must not start with acct_, which is reserved for IDs')
  .meta({ id: 'AccountName', description: 'The name of an account: 1 to 100 characters, unique among accounts.', examples: ['research'] });
export const GroupName = z.string().min(1).max(64).describe('The name of a configured group.');
/** PostgreSQL can't store the zero character in text, so it's rejected with SQLite, too. */
const isStorableText = (text: string): boolean => !text.includes('\0');
const ZERO_RULE = 'must not contain the zero character';
export const Id = z.string().min(1).max(200).refine(isStorableText, ZERO_RULE);
export const ModelName = z.string().min(1).max(200).refine(isStorableText, ZERO_RULE);
export const Note = z.string().max(500).refine(isStorableText, ZERO_RULE);

export const Search = z.string().min(1).max(100).refine(isStorableText, ZERO_RULE);

const MODES_DESCRIPTION =
  "`enforce`: calls over the limit are rejected with 429. `observe`: they're counted and logged, but never rejected. `off`: the limit has no effect.";
export const Mode = z.enum(['off', 'observe', 'enforce']).describe(MODES_DESCRIPTION);
const count = z.int().min(1).max(10_000_000_000).describe('The limit: requests or tokens per minute, or concurrent requests.');

const LimitSetting = z
  .strictObject({ limit: count, mode: Mode.optional().describe(`${MODES_DESCRIPTION} Defaults to \`enforce\`.`) })
  .meta({ id: 'LimitSetting', description: 'A limit with its mode.' });
const createLimitInput = (what: string) =>
  z.union([count, LimitSetting]).nullish().describe(`${what} A plain number is enforced. Null or omitted: the configured limit applies.`);
const REQUESTS_DESCRIPTION = 'Requests per minute.';
const TOKENS_DESCRIPTION = 'Tokens per minute, input and output together.';
const CONCURRENCY_DESCRIPTION = 'Concurrent requests.';
export const LimitsInput = z
  .strictObject({
    requests_per_minute: createLimitInput(REQUESTS_DESCRIPTION),
    tokens_per_minute: createLimitInput(TOKENS_DESCRIPTION),
    concurrency: createLimitInput(CONCURRENCY_DESCRIPTION),
  })
  .meta({
    id: 'LimitsInput',
    description: 'Limits to set. They replace all limits that were set here before.',
    examples: [{ requests_per_minute: 60, concurrency: { limit: 4, mode: 'observe' } }],
  });
export type LimitsInput = z.infer<typeof LimitsInput>;

const Limit = z.object({ limit: count, mode: Mode }).meta({ id: 'Limit', description: 'A limit with its mode.' });
const createSetLimit = (what: string) => Limit.nullable().describe(`${what} Null if no limit is set here.`);
export const Limits = z
  .object({
    requests_per_minute: createSetLimit(REQUESTS_DESCRIPTION),
    tokens_per_minute: createSetLimit(TOKENS_DESCRIPTION),
    concurrency: createSetLimit(CONCURRENCY_DESCRIPTION),
  })
  .meta({ id: 'Limits', description: 'The limits that are set here.' });
export type Limits = z.infer<typeof Limits>;

/** Operations without a permission. The catalog needs no key, and every key can list its models and read its own account. */
export const ungrantedOperations = [
  ...(['getCatalog', 'listModels', 'getModel', 'getProtocol'] as const),
  ...(['getAccount', 'getKey', 'getUsageSummary', 'listStatement'] as const),
] as const satisfies readonly (keyof Contract)[];
export type GrantedOperation = Exclude<keyof Contract, (typeof ungrantedOperations)[number]>;

/** Default of `limit`: entries per page. */
export const PAGE_LENGTH = 100;
export const pageFields = {
  limit: z.int().min(1).max(1000).optional().describe(`Maximum number of entries to return, from 1 to 1,000. Defaults to ${PAGE_LENGTH}.`),
  after: Id.optional().describe('A cursor: the `last_id` of the previous page. Omit for the first page.'),
};
export const PageQuery = z.strictObject(pageFields);
export const sortOrder = z
  .enum(['asc', 'desc'])
  .optional()
  .describe(
    'The sort order: ascending or descending. A cursor works only with the `sort` and `order` it was returned for. Defaults to `desc`.',
  );

export const createListSchema = <T extends z.ZodType>(id: string, description: string, entry: T) =>
  z
    .object({
      object: createTypeField('list'),
      data: z.array(entry).describe('The entries of this page.'),
      has_more: z.boolean().describe('Whether there are more entries after this page.'),
      last_id: z
        .string()
        .nullable()
        .describe(
          'The position of the last entry of this page, usually its ID. Send it as `after` to get the next page. Null if the page is empty.',
        ),
    })
    .meta({ id, description });

export const Csv = z
  .string()
  .describe(
    "CSV as in RFC 4180, with a header row. Text that starts with `=`, `+`, `-`, or `@` is prefixed with an apostrophe, so that spreadsheets don't run it as a formula.",
  )
  .meta({ id: 'Csv' });
