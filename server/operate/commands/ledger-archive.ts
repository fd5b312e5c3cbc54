/** The archive of a closed ledger: writes past calls to compressed tables, and verifies them (`ledger check-archive`). */

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { formatDollars } from '../../money/dollars.ts';
import {
  type ChargeCursor,
  type ClosingBalance,
  type ClosingSlice,
  countHolds,
  type EndedCharge,
  formatUsage,
  type LedgerClosing,
  readAttempts,
  readBalances,
  readFreeCharges,
  readSlice,
  toCursor,
} from '../../money/ledger-closing.ts';
import { readCheckpoint } from '../../money/reconcile.ts';
import type { AdminOptions } from './admin-command.ts';
import { CommandError } from './command-error.ts';
import { assertLedgerConsistent, type LedgerConnection } from './ledger-connection.ts';
import { formatRows, printResult } from './print-result.ts';

export async function runCheckArchive(path: string, options: AdminOptions): Promise<void> {
  const folder = resolve(options.shell.folder, path);
  const manifest = await checkLedgerArchive(folder);
  printResult(options, { folder, ...manifest }, `The archive is complete and its totals are correct.\n${formatManifest(manifest, folder)}`);
}

/** Manifest of an archive. Amounts are in micro-dollars. */
export interface Manifest {
  readonly format: 1;
  readonly before: string;
  /** ID of the last entry that was considered. */
  readonly up_to_entry: string;
  readonly calls: number;
  readonly charged: string;
  readonly overrun: string;
  readonly files: Readonly<Record<FileName, FileSummary>>;
}

/** `sha256` is the hash of the compressed file, in hexadecimal. */
interface FileSummary {
  readonly rows: number;
  readonly sha256: string;
}

const MANIFEST_FILE = 'manifest.json';

type FileName = keyof typeof headings;

const headings = {
  'charges.csv.gz': [
    ...['request_id', 'account_id', 'key_id', 'model', 'operation', 'price_version', 'multiplier', 'state', 'source', 'source_period'],
    ...[
      'cap_owner',
      'cap_period',
      'held',
      'charged',
      'overrun',
      'usage',
      'estimated',
      'outcome',
      'created_at',
      'settled_at',
      'attempts',
      'further_caps',
    ],
  ],
  'entries.csv.gz': ['id', 'transfer', 'kind', 'book', 'amount', 'note', 'created_at'],
  'accounts.csv.gz': ['account_id', 'calls', 'charged', 'overrun', 'balance'],
} as const;

/**
 * Entries per slice. Each slice rewrites the totals that it adds to, so large slices are faster. With a running
 * gateway, calls wait for a slice.
 */
export const ENTRIES_PER_SLICE = 20_000;

export const toLedgerClosing = ({ before, up_to_entry: last }: Manifest): LedgerClosing => ({
  before: Date.parse(before),
  upTo: BigInt(last),
  entriesAtOnce: ENTRIES_PER_SLICE,
});

export function formatManifest({ before, calls, charged, overrun }: Manifest, folder: string): string {
  const toDollars = (micros: string): string => formatDollars(BigInt(micros));
  return formatRows([
    ['Archive', folder],
    ['Before', before],
    ['Calls', String(calls)],
    ['Charged', toDollars(charged)],
    ['Overrun', toDollars(overrun)],
  ]);
}

/** Reuses the archive if an interrupted closing already wrote it. */
export async function writeOrReuseLedgerArchive(connection: LedgerConnection, before: number, folder: string): Promise<Manifest> {
  if (!existsSync(join(folder, MANIFEST_FILE))) {
    const foreignFile = existsSync(folder) && readdirSync(folder).find((name) => !(name in headings || name.startsWith(MANIFEST_FILE)));
    if (foreignFile) throw new CommandError(`${folder} contains other files, such as ${foreignFile}. Specify a new folder with --archive.`);
    await writeLedgerArchive(connection, before, folder);
  }
  const manifest = await checkLedgerArchive(folder);
  if (Date.parse(manifest.before) === before) return manifest;
  throw new CommandError(`${folder} already contains the calls before ${manifest.before}. Specify a new folder with --archive.`);
}

async function writeLedgerArchive(connection: LedgerConnection, before: number, folder: string): Promise<void> {
  while ((await connection.ledger.checkEntries()) > 0);
  await assertLedgerConsistent(connection);
  if ((await connection.read(() => countHolds({ before }))) > 0)
    throw new CommandError('Some calls before that time still hold part of a balance. Use an earlier day with --before.');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const closing: LedgerClosing = { before, upTo: await connection.read(readCheckpoint), entriesAtOnce: ENTRIES_PER_SLICE };
  const totals = new Totals();
  const writeArchiveFile = (name: FileName, rows: AsyncIterable<Rows>): Promise<FileSummary> => writeTable(folder, name, rows);
  const files = {
    'charges.csv.gz': await writeArchiveFile('charges.csv.gz', readChargeRows(connection, closing, totals)),
    'entries.csv.gz': await writeArchiveFile('entries.csv.gz', readEntryRows(connection, closing)),
    'accounts.csv.gz': await writeArchiveFile('accounts.csv.gz', toAccountRows(await connection.read(() => readBalances(closing)), totals)),
  };
  const { calls, charged, overrun } = totals.all;
  const amounts = { calls, charged: String(charged), overrun: String(overrun) };
  const manifest: Manifest = { format: 1, before: new Date(before).toISOString(), up_to_entry: String(closing.upTo), ...amounts, files };
  const draftPath = join(folder, `${MANIFEST_FILE}.part`);
  writeFileSync(draftPath, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true, mode: 0o600 });
  renameSync(draftPath, join(folder, MANIFEST_FILE));
}

interface Total {
  calls: number;
  charged: bigint;
  overrun: bigint;
}

class Totals {
  readonly all: Total = { calls: 0, charged: 0n, overrun: 0n };
  readonly #byAccount = new Map<string, Total>();

  getTotal(accountId: string): Total {
    const total = this.#byAccount.get(accountId) ?? { calls: 0, charged: 0n, overrun: 0n };
    this.#byAccount.set(accountId, total);
    return total;
  }

  add(accountId: string, charged: bigint, overrun: bigint): void {
    for (const total of [this.getTotal(accountId), this.all]) {
      total.calls++;
      total.charged += charged;
      total.overrun += overrun;
    }
  }
}

export async function* readSlices(connection: LedgerConnection, closing: LedgerClosing): AsyncGenerator<ClosingSlice> {
  for (let after: bigint | null = 0n; after !== null; ) {
    const from = after;
    const slice: ClosingSlice = await connection.read(() => readSlice(connection.db, closing, from));
    yield slice;
    after = slice.next;
  }
}

/** Cursor before the first page. */
export const FIRST_CURSOR: ChargeCursor = { at: -1, requestId: '' };

async function* readChargeRows(connection: LedgerConnection, closing: LedgerClosing, totals: Totals): AsyncGenerator<Rows> {
  for await (const { calls } of readSlices(connection, closing)) {
    const charges = calls.map(({ charge }) => charge);
    yield await toChargeRows(connection, charges, totals);
  }
  for (const { accountId } of await connection.read(() => readBalances(closing)))
    for (let cursor: ChargeCursor | null = FIRST_CURSOR; cursor !== null; ) {
      const currentCursor: ChargeCursor = cursor;
      const freeCharges: readonly EndedCharge[] = await connection.read(() =>
        readFreeCharges(connection.db, closing, accountId, currentCursor),
      );
      yield await toChargeRows(connection, freeCharges, totals);
      cursor = toCursor(freeCharges);
    }
}

async function toChargeRows({ db, read }: LedgerConnection, charges: readonly EndedCharge[], totals: Totals): Promise<Rows> {
  const ids = charges.map(({ requestId }) => requestId);
  const attempts = await read(() => readAttempts(db, ids));
  for (const { accountId, charged, overrun } of charges) totals.add(accountId, charged, overrun);
  return charges.map((one) => [
    ...[one.requestId, one.accountId, one.keyId, one.model, one.operation, one.priceVersion, one.multiplier, one.state, one.source],
    ...[one.sourcePeriod, one.capOwner, one.capPeriod, one.held, one.charged, one.overrun, formatUsage(one), one.isEstimated, one.outcome],
    ...[
      one.createdAt,
      one.settledAt,
      attempts.get(one.requestId) ?? null,
      one.furtherCaps.map(({ owner, start }) => `${owner}@${start}`).join(' ') || null,
    ],
  ]);
}

async function* readEntryRows(connection: LedgerConnection, closing: LedgerClosing): AsyncGenerator<Rows> {
  for await (const { calls } of readSlices(connection, closing))
    yield calls
      .flatMap(({ lines }) => lines)
      .map(({ id, transfer, kind, book, amount, note, at }) => [id, transfer, kind, book, amount, note, at]);
}

async function* toAccountRows(balances: readonly ClosingBalance[], totals: Totals): AsyncGenerator<Rows> {
  yield balances.map(({ accountId, balance }) => {
    const { calls, charged, overrun } = totals.getTotal(accountId);
    return [accountId, calls, charged, overrun, balance];
  });
}

type Cell = string | number | bigint | boolean | null;

type Rows = readonly (readonly Cell[])[];

/** Writes a cell according to RFC 4180. Null is empty, and an empty string is a pair of quotes. */
function writeCell(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const writeLine = (cells: readonly Cell[]): string => `${cells.map(writeCell).join(',')}\n`;

async function writeTable(folder: string, name: FileName, rows: AsyncIterable<Rows>): Promise<FileSummary> {
  let count = 0;
  const hash = createHash('sha256');
  async function* lines(): AsyncGenerator<string> {
    yield writeLine(headings[name]);
    for await (const batch of rows) {
      count += batch.length;
      yield batch.map(writeLine).join('');
    }
  }
  await pipeline(
    Readable.from(lines()),
    createGzip(),
    createHashStream(hash),
    createWriteStream(join(folder, name), { mode: 0o600, flush: true }),
  );
  return { rows: count, sha256: hash.digest('hex') };
}

const createHashStream = (hash: ReturnType<typeof createHash>): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });

/** Throws unless each file is unchanged, and the tables agree with each other and with the manifest. */
async function checkLedgerArchive(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE);
  if (!existsSync(path)) throw new CommandError(`No archive found in ${folder}: ${MANIFEST_FILE} is missing.`);
  // `as`: this command wrote the file. The checks below reject anything else.
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const createDamagedArchiveError = (what: string): CommandError => new CommandError(`The archive in ${folder} is damaged: ${what}.`);
  const totals = new Totals();
  await readTable(folder, 'charges.csv.gz', manifest, createDamagedArchiveError, (row) =>
    totals.add(row('account_id'), BigInt(row('charged')), BigInt(row('overrun'))),
  );
  const { all } = totals;
  if (all.calls !== manifest.calls || String(all.charged) !== manifest.charged || String(all.overrun) !== manifest.overrun)
    throw createDamagedArchiveError("the charges don't add up to the totals in the manifest");
  let [entryTotal, revenue] = [0n, 0n];
  await readTable(folder, 'entries.csv.gz', manifest, createDamagedArchiveError, (row) => {
    entryTotal += BigInt(row('amount'));
    if (row('book') === 'revenue') revenue += BigInt(row('amount'));
  });
  if (entryTotal !== 0n || revenue !== all.charged + all.overrun)
    throw createDamagedArchiveError("the entries don't add up to the charges");
  await readTable(folder, 'accounts.csv.gz', manifest, createDamagedArchiveError, (row) => {
    const { calls, charged, overrun } = totals.getTotal(row('account_id'));
    if (row('calls') !== String(calls) || row('charged') !== String(charged) || row('overrun') !== String(overrun))
      throw createDamagedArchiveError(`the charges of ${row('account_id')} don't add up to its totals`);
  });
  return manifest;
}

type ReadCell = (column: string) => string;

async function readTable(
  folder: string,
  name: FileName,
  { files }: Manifest,
  createError: (what: string) => CommandError,
  onRow: (row: ReadCell) => void,
): Promise<void> {
  const hash = createHash('sha256');
  const { rows, sha256 } = files?.[name] ?? {};
  let count = -1;
  const columns: readonly string[] = headings[name];
  const readRows = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const cells of readLines(source)) if (++count > 0) onRow((column) => cells[columns.indexOf(column)] ?? '');
  };
  try {
    await pipeline(createReadStream(join(folder, name)), createHashStream(hash), createGunzip(), readRows);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw createError(`${name} can't be read`);
  }
  if (hash.digest('hex') !== sha256 || count !== rows) throw createError(`${name} doesn't match its checksum`);
}

/** Parses the lines of tables that `writeTable` wrote. */
async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let remainder = '';
  for await (const chunk of source) {
    const parts = (remainder + decoder.decode(chunk, { stream: true })).split('\n');
    remainder = parts.pop() ?? '';
    let line = '';
    for (const part of parts) {
      line += part;
      // A line feed inside quotes belongs to the cell.
      if (line.split('"').length % 2 === 1) {
        yield readCells(line);
        line = '';
      } else line += '\n';
    }
    remainder = line + remainder;
  }
}

const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;

const readCells = (line: string): readonly string[] =>
  line.includes('"') ? [...line.matchAll(CELL)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '') : line.split(',');
