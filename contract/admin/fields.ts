/** Small schemas of the operators' API: money, times, names, limits, pages. Money is never a float. */
import { z } from 'zod';
import type { Contract } from '../index.ts';
import { kind } from '../shared/descriptions.ts';

export { SignedDollars } from '../shared/dollars.ts';

/** Amounts in requests. */
export const Amount = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be dollars as a text, such as '12.50', with at most six digits behind the point")
  .meta({ id: 'Amount', description: 'US dollars as a string, with up to six decimal places.', examples: ['12.50'] });

export const SignedAmount = z
  .string()
  .regex(/^-?\d{1,9}(?:\.\d{1,6})?$/, "must be dollars as a text, such as '12.50' or '-3', with at most six digits behind the point")
  .meta({
    id: 'SignedAmount',
    description: 'US dollars as a string, with up to six decimal places; a negative amount takes away.',
    examples: ['12.50', '-3'],
  });

const UTC = 'a time such as 2027-01-31T00:00:00Z';
export const Time = z.iso
  .datetime()
  .meta({ id: 'Timestamp', description: 'A time in ISO 8601, in UTC.', examples: ['2027-01-31T00:00:00.000Z'] });
export const TimeInput = z.iso
  .datetime({ offset: true, error: `must be ${UTC}` })
  .meta({ id: 'TimeInput', description: 'A time in ISO 8601, with `Z` or an offset.', examples: ['2027-01-31T00:00:00Z'] });

const NAME_RULE = 'must have 1 to 100 characters, no control characters, and no blank at either end';
/** The Unicode class Cc, spelt out, because regular expressions in Python and Go may not support `\p{Cc}`. */
const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';
const plainName = z.string().regex(new RegExp(`^[^\\s${CONTROL}](?:[^${CONTROL}]{0,98}[^\\s${CONTROL}])?$`, 'u'), NAME_RULE);
/** Name of a key, for people. */
export const Name = plainName.meta({ id: 'Name', description: 'A name for people, up to 100 characters.', examples: ['build server'] });
/** Accounts are found by name or id, so a name must not look like an id. */
export const AccountName = plainName
  .regex(/^(?!acct_)/, 'must not begin with acct_: ids do')
  .meta({ id: 'AccountName', description: 'Name of an account: 1 to 100 characters, unique among accounts.', examples: ['research'] });
export const GroupName = z.string().min(1).max(64).describe('A group of the configuration.');
/** PostgreSQL cannot store the zero character in text, so SQLite is not asked to either. */
const keepable = (text: string): boolean => !text.includes('\0');
const ZERO_RULE = 'must not hold the zero character';
/** Id of a stored object. */
export const Id = z.string().min(1).max(200).refine(keepable, ZERO_RULE);
export const ModelName = z.string().min(1).max(200).refine(keepable, ZERO_RULE);
export const Note = z.string().max(500).refine(keepable, ZERO_RULE);

/** What is looked for in names and ids. */
export const Search = z.string().min(1).max(100).refine(keepable, ZERO_RULE);

const MODES = '`enforce` refuses with 429. `observe` counts and logs, but refuses nothing. `off` does nothing.';
export const Mode = z.enum(['off', 'observe', 'enforce']).describe(MODES);
const count = z.int().min(1).max(10_000_000_000).describe('The limit: requests or tokens per minute, or requests at once.');

const LimitSetting = z
  .strictObject({ limit: count, mode: Mode.optional().describe(`${MODES} Absent: \`enforce\`.`) })
  .meta({ id: 'LimitSetting', description: 'A limit with its mode.' });
const limitInput = (what: string) =>
  z.union([count, LimitSetting]).nullish().describe(`${what} A plain number is enforced. Null or absent: as the configuration says.`);
const REQUESTS = 'Requests in a minute.';
const TOKENS = 'Tokens in a minute, input and output together.';
const CONCURRENCY = 'Requests at once.';
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

const Limit = z.object({ limit: count, mode: Mode }).meta({ id: 'Limit', description: 'One limit and its mode.' });
const setLimit = (what: string) => Limit.nullable().describe(`${what} Null: nothing is set here.`);
export const Limits = z
  .object({
    requests_per_minute: setLimit(REQUESTS),
    tokens_per_minute: setLimit(TOKENS),
    concurrency: setLimit(CONCURRENCY),
  })
  .meta({ id: 'Limits', description: 'Limits that are set here; null when none is.' });
export type Limits = z.infer<typeof Limits>;

/** Operations that need no permission: the catalog needs no key, every key may list its models, and read the bill of its account. */
export const ungranted = [
  ...(['getCatalog', 'listModels', 'getModel'] as const),
  ...(['getAccount', 'getKey', 'getUsageSummary', 'listStatement'] as const),
] as const satisfies readonly (keyof Contract)[];
export type GrantedOperation = Exclude<keyof Contract, (typeof ungranted)[number]>;

/** Entries on a page when the caller gives no `limit`. */
export const PAGE_LENGTH = 100;
export const page = {
  limit: z.int().min(1).max(1000).optional().describe(`The most entries to return. Absent: ${PAGE_LENGTH}.`),
  after: Id.optional().describe('The `last_id` of the page before. Omit for the first page.'),
};
export const PageQuery = z.strictObject(page);

export const listOf = <T extends z.ZodType>(id: string, description: string, entry: T) =>
  z
    .object({
      object: kind('list'),
      data: z.array(entry).describe('The entries of this page.'),
      has_more: z.boolean().describe('Whether more entries follow this page.'),
      last_id: z
        .string()
        .nullable()
        .describe('Id of the last entry of this page, for `after` of the next call. Null when the page is empty.'),
    })
    .meta({ id, description });

/** A table as text. */
export const Csv = z
  .string()
  .describe(
    'CSV as in RFC 4180, with a line of headings. A text that begins with `=`, `+`, `-` or `@` gets an apostrophe, so that no spreadsheet runs it.',
  )
  .meta({ id: 'Csv' });
