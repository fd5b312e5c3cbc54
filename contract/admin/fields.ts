/** Small schemas of the admin API: money, times, names, limits, pages. Money is never a float. */
import { z } from 'zod';
import type { Contract } from '../index.ts';
import { kind } from '../shared/descriptions.ts';

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

const UTC = 'a time such as 2027-01-31T00:00:00Z';
export const Time = z.iso
  .datetime()
  .meta({ id: 'Timestamp', description: 'A time in ISO 8601, in UTC.', examples: ['2027-01-31T00:00:00.000Z'] });
export const TimeInput = z.iso
  .datetime({ offset: true, error: `must be ${UTC}` })
  .meta({ id: 'TimeInput', description: 'A time in ISO 8601, with `Z` or an offset.', examples: ['2027-01-31T00:00:00Z'] });

const NAME_RULE = 'must have 1 to 100 characters, no control characters, and no space at the start or end';
/** The Unicode class Cc, spelled out, because regular expressions in Python and Go don't always support `\p{Cc}`. */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';
const plainName = z.string().regex(new RegExp(`^[^\\s${CONTROL}](?:[^${CONTROL}]{0,98}[^\\s${CONTROL}])?$`, 'u'), NAME_RULE);
/** Display name of a key. */
export const Name = plainName.meta({ id: 'Name', description: 'A display name, 1 to 100 characters.', examples: ['build server'] });
/** Accounts are found by name or ID, so a name must not look like an ID. */
export const AccountName = plainName
  .regex(/^(?!acct_)/, 'must not start with acct_, which is reserved for IDs')
  .meta({ id: 'AccountName', description: 'The name of an account: 1 to 100 characters, unique among accounts.', examples: ['research'] });
export const GroupName = z.string().min(1).max(64).describe('The name of a configured group.');
/** PostgreSQL can't store the zero character in text, so it's rejected with SQLite, too. */
const keepable = (text: string): boolean => !text.includes('\0');
const ZERO_RULE = 'must not contain the zero character';
/** ID of a stored object. */
export const Id = z.string().min(1).max(200).refine(keepable, ZERO_RULE);
export const ModelName = z.string().min(1).max(200).refine(keepable, ZERO_RULE);
export const Note = z.string().max(500).refine(keepable, ZERO_RULE);

/** A search text for names and IDs. */
export const Search = z.string().min(1).max(100).refine(keepable, ZERO_RULE);

const MODES =
  "`enforce`: calls over the limit are rejected with 429. `observe`: they're counted and logged, but never rejected. `off`: the limit has no effect.";
export const Mode = z.enum(['off', 'observe', 'enforce']).describe(MODES);
const count = z.int().min(1).max(10_000_000_000).describe('The limit: requests or tokens per minute, or concurrent requests.');

const LimitSetting = z
  .strictObject({ limit: count, mode: Mode.optional().describe(`${MODES} Defaults to \`enforce\`.`) })
  .meta({ id: 'LimitSetting', description: 'A limit with its mode.' });
const limitInput = (what: string) =>
  z.union([count, LimitSetting]).nullish().describe(`${what} A plain number is enforced. Null or omitted: the configured limit applies.`);
const REQUESTS = 'Requests per minute.';
const TOKENS = 'Tokens per minute, input and output together.';
const CONCURRENCY = 'Concurrent requests.';
export const LimitsInput = z
  .strictObject({
    requests_per_minute: limitInput(REQUESTS),
    tokens_per_minute: limitInput(TOKENS),
    concurrency: limitInput(CONCURRENCY),
  })
  .meta({
    id: 'LimitsInput',
    description: 'Limits to set. They replace all limits that were set here before.',
    examples: [{ requests_per_minute: 60, concurrency: { limit: 4, mode: 'observe' } }],
  });
export type LimitsInput = z.infer<typeof LimitsInput>;

const Limit = z.object({ limit: count, mode: Mode }).meta({ id: 'Limit', description: 'A limit with its mode.' });
const setLimit = (what: string) => Limit.nullable().describe(`${what} Null if no limit is set here.`);
export const Limits = z
  .object({
    requests_per_minute: setLimit(REQUESTS),
    tokens_per_minute: setLimit(TOKENS),
    concurrency: setLimit(CONCURRENCY),
  })
  .meta({ id: 'Limits', description: 'The limits that are set here.' });
export type Limits = z.infer<typeof Limits>;

/** Operations that need no permission: the catalog needs no key, and every key can list its models and read its own account. */
export const ungranted = [
  ...(['getCatalog', 'listModels', 'getModel', 'getProtocol'] as const),
  ...(['getAccount', 'getKey', 'getUsageSummary', 'listStatement'] as const),
] as const satisfies readonly (keyof Contract)[];
export type GrantedOperation = Exclude<keyof Contract, (typeof ungranted)[number]>;

/** Entries per page if the caller sends no `limit`. */
export const PAGE_LENGTH = 100;
export const page = {
  limit: z.int().min(1).max(1000).optional().describe(`Maximum number of entries to return, from 1 to 1,000. Defaults to ${PAGE_LENGTH}.`),
  after: Id.optional().describe('A cursor: the `last_id` of the previous page. Omit for the first page.'),
};
export const PageQuery = z.strictObject(page);

export const listOf = <T extends z.ZodType>(id: string, description: string, entry: T) =>
  z
    .object({
      object: kind('list'),
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

/** A table as text. */
export const Csv = z
  .string()
  .describe(
    "CSV as in RFC 4180, with a header row. Text that starts with `=`, `+`, `-`, or `@` is prefixed with an apostrophe, so that spreadsheets don't run it as a formula.",
  )
  .meta({ id: 'Csv' });
