/** The statement of an account, for operators and for the holder of a key: pages of entries, and all of them as CSV. */

import type { z } from 'zod';
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { EntriesCsvQuery, EntriesQuery, StatementEntry, StatementEntryList } from '../../contract/admin/money.ts';
import { readStatement, type StatementLine, type StatementQuery } from '../activity/account-entries.ts';
import type { Ask } from '../activity/store.ts';
import { formatDollars } from '../ledger/money.ts';
import { entryHeadings, entryLine, pagesCsv, ROWS_AT_ONCE } from './csv.ts';
import { invalid, writePage, writeTime } from './values.ts';

export async function listEntries(
  ask: Ask,
  accountId: string,
  query: z.infer<typeof EntriesQuery>,
): Promise<z.infer<typeof StatementEntryList>> {
  const { limit = PAGE_LENGTH, after, ...filters } = query;
  const asked = { ...readRange(accountId, filters), limit: limit + 1, after: after === undefined ? undefined : Number(after) };
  const lines = await readStatement(ask, asked);
  if (!lines) throw invalid('after', "'after' must be the id of an entry of this account.");
  return writePage(lines.map(writeEntry), limit, ({ id }) => id);
}

/** The first page is read before the headers are sent, so that a failure keeps its status. */
export async function entriesCsv(ask: Ask, accountId: string, query: z.infer<typeof EntriesCsvQuery>): Promise<AsyncIterable<string>> {
  const range = readRange(accountId, query);
  const read = async (after?: number) => (await readStatement(ask, { ...range, limit: ROWS_AT_ONCE, after })) ?? [];
  const line = (entry: StatementLine) => entryLine(writeEntry(entry));
  return pagesCsv({ headings: entryHeadings, first: await read(), length: ROWS_AT_ONCE, next: ({ id }) => read(id), line });
}

function readRange(accountId: string, { from, to, kind }: z.infer<typeof EntriesCsvQuery>): Omit<StatementQuery, 'limit'> {
  const [begin, end] = [from, to].map((time) => (time === undefined ? undefined : Date.parse(time)));
  return { accountId, from: begin, to: end, kind };
}

function writeEntry({ id, at, kind, amount, balanceAfter, note, transfer }: StatementLine): StatementEntry {
  const isRequest = kind === 'charge' || kind === 'subscription';
  return {
    id: String(id),
    object: 'entry',
    at: writeTime(at),
    kind,
    amount: formatDollars(amount),
    balance_after: formatDollars(balanceAfter),
    note,
    transfer_id: isRequest ? null : transfer,
    request_id: isRequest ? transfer : null,
  };
}
