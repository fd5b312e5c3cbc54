/** The statement of an account, for operators and for the holder of a key: pages of entries, and all of them as CSV. */

import type { z } from 'zod';
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { EntriesCsvQuery, EntriesQuery, StatementEntry, StatementEntryList } from '../../contract/admin/money.ts';
import { readStatement, type StatementLine, type StatementQuery } from '../activity/account-entries.ts';
import type { Ask } from '../activity/store.ts';
import { formatDollars } from '../ledger/money.ts';
import { csvLine, entryHeadings, entryLine } from './csv.ts';
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
  const first = (await readStatement(ask, { ...range, limit: LINES_AT_ONCE })) ?? [];
  return linesOf(ask, range, first);
}

const LINES_AT_ONCE = 1_000;

async function* linesOf(ask: Ask, range: Omit<StatementQuery, 'limit'>, first: readonly StatementLine[]): AsyncGenerator<string> {
  yield csvLine(entryHeadings);
  for (let lines = first; lines.length > 0; ) {
    yield lines.map((line) => entryLine(writeEntry(line))).join('');
    if (lines.length < LINES_AT_ONCE) return;
    lines = (await readStatement(ask, { ...range, limit: LINES_AT_ONCE, after: lines.at(-1)?.id })) ?? [];
  }
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
