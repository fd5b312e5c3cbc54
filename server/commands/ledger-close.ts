/** `modelgate ledger close` and `ledger check-archive` write past calls to compressed tables, verify them, and keep their totals. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { formatDollars } from '../ledger/charge.ts';
import {
  type BookedCharge,
  type ClosingBalance,
  countHeld,
  dropFree,
  type EndedCharge,
  foldCalls,
  type Part,
  type Place,
  placeOf,
  readAttempts,
  readBalances,
  readFree,
  readSlice,
  type Slice,
  writeUsage,
} from '../ledger/close.ts';
import { openPostgresLedger } from '../ledger/postgres.ts';
import { readMark } from '../ledger/reconcile.ts';
import { openLedgerSteps, openSqliteLedger } from '../ledger/sqlite.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { type AuditEntry, writeAudit } from '../storage/audit.ts';
import { type Dialect, driveOn, type Plan, POSTGRES, runnerOn, SQLITE } from '../storage/plan.ts';
import { openPostgres } from '../storage/postgres/pool.ts';
import { migratePostgres } from '../storage/postgres/schema.ts';
import { hasDatabase, inTransaction, openDatabase, runHere } from '../storage/sqlite/database.ts';
import { type AdminOptions, describe, print } from './administration.ts';
import { type Address, findDatabase, labelOf, runningGatewaysAt, SILENT_MS } from './db-address.ts';
import { isSound } from './db-backup.ts';
import { CommandError } from './serving.ts';

export interface CloseOptions extends AdminOptions {
  /** ISO 8601. */
  readonly before: string;
  readonly archive: string;
}

const DAY_MS = 86_400_000;
/** By then the periods of caps and subscriptions are over, and the request log has deleted its rows. */
const LEAST_DAYS = 35;

export async function runClose(options: CloseOptions): Promise<void> {
  const address = findDatabase(options);
  const before = Date.parse(options.before);
  const latest = Date.now() - LEAST_DAYS * DAY_MS;
  if (before > latest) {
    const day = new Date(latest).toISOString().slice(0, 10);
    throw new CommandError(`The calls of the last ${LEAST_DAYS} days can't be closed. Use --before ${day} or an earlier day.`);
  }
  if (address.kind === 'sqlite' && !hasDatabase(address.folder))
    throw new CommandError(`No database found in ${address.folder}. Specify the gateway's data folder with --data.`);
  const folder = resolve(options.shell.folder, options.archive);
  const isInUse = (await runningGatewaysAt(address, SILENT_MS)).length > 0;
  const books = await openBooks(address);
  try {
    const manifest = await archive(books, before, folder);
    await removeArchived(books, { ...partOf(manifest), entriesAtOnce: isInUse ? ENTRIES_BESIDE_CALLS : ENTRIES_AT_ONCE }, isInUse);
    await expectSound(books, { isFull: true });
    await books.change(() => writeAudit(auditOf(manifest)));
    const compact = address.kind === 'sqlite' ? 'To shrink the database file, stop the gateway and run: modelgate db compact\n' : '';
    print(options, { folder, ...manifest }, `Ledger closed: ${labelOf(address)}.\n${tell(manifest, folder)}${compact}`);
  } finally {
    await books.close();
  }
}

export async function runCheckArchive(words: string, options: AdminOptions): Promise<void> {
  const folder = resolve(options.shell.folder, words);
  const manifest = await checkArchive(folder);
  print(options, { folder, ...manifest }, `The archive is complete and its totals are correct.\n${tell(manifest, folder)}`);
}

interface Books {
  readonly db: Dialect;
  readonly ledger: LedgerStore;
  /** Each in one transaction, which may be tried again. */
  read<R>(plan: () => Plan<R>): Promise<R>;
  change<R>(plan: () => Plan<R>): Promise<R>;
  close(): Promise<void>;
}

const MAX_STEP_MS = 600_000;

async function openBooks(address: Address): Promise<Books> {
  if (address.kind === 'sqlite') {
    const { connection, close } = openDatabase({ folder: address.folder, durability: 'strict' });
    const run = runnerOn(connection);
    return {
      db: SQLITE,
      ledger: openSqliteLedger({ connection, steps: runHere(connection, openLedgerSteps) }),
      read: async (plan) => run(plan()),
      change: async (plan) => inTransaction(connection, () => run(plan())),
      close: async () => close(),
    };
  }
  const postgres = openPostgres({ url: address.url });
  try {
    await migratePostgres(postgres);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  return {
    db: POSTGRES,
    ledger: openPostgresLedger(postgres),
    read: (plan) => postgres.transaction('read', (queries) => driveOn(plan(), queries), MAX_STEP_MS),
    change: (plan) => postgres.transaction('write', (queries) => driveOn(plan(), queries), MAX_STEP_MS),
    close: () => postgres.close(),
  };
}

async function expectSound({ ledger }: Books, extent: { readonly isFull?: boolean } = {}): Promise<void> {
  if (!isSound(await ledger.reconcile(extent)))
    throw new CommandError("The ledger has differences, so it can't be closed. To list them, run: modelgate ledger reconcile --full");
}

/** Manifest of an archive. Amounts are in micro-dollars. */
interface Manifest {
  readonly format: 1;
  readonly before: string;
  /** The last entry that was looked at. */
  readonly up_to_entry: string;
  readonly calls: number;
  readonly charged: string;
  readonly overrun: string;
  readonly files: Readonly<Record<FileName, FileNote>>;
}

/** `sha256`: of the compressed file, in hexadecimal. */
interface FileNote {
  readonly rows: number;
  readonly sha256: string;
}

const MANIFEST = 'manifest.json';
type FileName = keyof typeof headings;

const headings = {
  'charges.csv.gz': [
    ...['request_id', 'account_id', 'key_id', 'model', 'operation', 'price_version', 'multiplier', 'state', 'source', 'source_period'],
    ...['cap_owner', 'cap_period', 'held', 'charged', 'overrun', 'usage', 'estimated', 'outcome', 'created_at', 'settled_at', 'attempts'],
  ],
  'entries.csv.gz': ['id', 'transfer', 'kind', 'book', 'amount', 'note', 'created_at'],
  'accounts.csv.gz': ['account_id', 'calls', 'charged', 'overrun', 'balance'],
} as const;

/** A slice rewrites the totals that it adds to, so large ones are faster; beside a gateway, calls wait for a slice. */
const ENTRIES_AT_ONCE = 20_000;
const ENTRIES_BESIDE_CALLS = 1_000;

const partOf = ({ before, up_to_entry: last }: Manifest): Part => ({
  before: Date.parse(before),
  upTo: BigInt(last),
  entriesAtOnce: ENTRIES_AT_ONCE,
});

const auditOf = ({ before, calls, charged, overrun, files }: Manifest): AuditEntry => ({
  actor: 'cli',
  action: 'ledger.close',
  target: before,
  details: { calls, charged, overrun, sha256: files['charges.csv.gz'].sha256 },
  at: Date.now(),
});

function tell({ before, calls, charged, overrun }: Manifest, folder: string): string {
  const dollars = (micros: string): string => formatDollars(BigInt(micros));
  return describe([
    ['Archive', folder],
    ['Before', before],
    ['Calls', String(calls)],
    ['Charged', dollars(charged)],
    ['Overrun', dollars(overrun)],
  ]);
}

/** An interrupted closing goes on with the archive that it wrote. */
async function archive(books: Books, before: number, folder: string): Promise<Manifest> {
  if (!existsSync(join(folder, MANIFEST))) {
    const foreign = existsSync(folder) && readdirSync(folder).find((name) => !(name in headings || name.startsWith(MANIFEST)));
    if (foreign) throw new CommandError(`${folder} contains other files, such as ${foreign}. Specify a new folder with --archive.`);
    await writeArchive(books, before, folder);
  }
  const manifest = await checkArchive(folder);
  if (Date.parse(manifest.before) === before) return manifest;
  throw new CommandError(`${folder} already contains the calls before ${manifest.before}. Specify a new folder with --archive.`);
}

async function writeArchive(books: Books, before: number, folder: string): Promise<void> {
  while ((await books.ledger.checkEntries()) > 0);
  await expectSound(books);
  if ((await books.read(() => countHeld({ before }))) > 0)
    throw new CommandError('Some calls before that time still hold part of a balance. Use an earlier day with --before.');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const part: Part = { before, upTo: await books.read(readMark), entriesAtOnce: ENTRIES_AT_ONCE };
  const totals = new Totals();
  const write = (name: FileName, rows: AsyncIterable<Rows>): Promise<FileNote> => writeTable(folder, name, rows);
  const files = {
    'charges.csv.gz': await write('charges.csv.gz', chargeRows(books, part, totals)),
    'entries.csv.gz': await write('entries.csv.gz', entryRows(books, part)),
    'accounts.csv.gz': await write('accounts.csv.gz', accountRows(await books.read(() => readBalances(part)), totals)),
  };
  const { calls, charged, overrun } = totals.all;
  const amounts = { calls, charged: String(charged), overrun: String(overrun) };
  const manifest: Manifest = { format: 1, before: new Date(before).toISOString(), up_to_entry: String(part.upTo), ...amounts, files };
  const draft = join(folder, `${MANIFEST}.part`);
  writeFileSync(draft, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true, mode: 0o600 });
  renameSync(draft, join(folder, MANIFEST));
}

interface Total {
  calls: number;
  charged: bigint;
  overrun: bigint;
}

class Totals {
  readonly all: Total = { calls: 0, charged: 0n, overrun: 0n };
  readonly #of = new Map<string, Total>();

  of(accountId: string): Total {
    const known = this.#of.get(accountId) ?? { calls: 0, charged: 0n, overrun: 0n };
    this.#of.set(accountId, known);
    return known;
  }

  add(accountId: string, charged: bigint, overrun: bigint): void {
    for (const total of [this.of(accountId), this.all]) {
      total.calls++;
      total.charged += charged;
      total.overrun += overrun;
    }
  }
}

async function* slices(books: Books, part: Part): AsyncGenerator<Slice> {
  for (let after: bigint | null = 0n; after !== null; ) {
    const from = after;
    const slice: Slice = await books.read(() => readSlice(part, from));
    yield slice;
    after = slice.next;
  }
}

/** The beginning of all pages. */
const START: Place = { at: -1, requestId: '' };

async function* chargeRows(books: Books, part: Part, totals: Totals): AsyncGenerator<Rows> {
  for await (const { calls } of slices(books, part)) {
    const charges = calls.map(({ charge }) => charge);
    yield await rowsOf(books, charges, totals);
  }
  for (const { accountId } of await books.read(() => readBalances(part)))
    for (let place: Place | null = START; place !== null; ) {
      const after: Place = place;
      const free: readonly EndedCharge[] = await books.read(() => readFree(part, accountId, after));
      yield await rowsOf(books, free, totals);
      place = placeOf(free);
    }
}

async function rowsOf({ db, read }: Books, charges: readonly EndedCharge[], totals: Totals): Promise<Rows> {
  const ids = charges.map(({ requestId }) => requestId);
  const attempts = await read(() => readAttempts(db, ids));
  for (const { accountId, charged, overrun } of charges) totals.add(accountId, charged, overrun);
  return charges.map((one) => [
    ...[one.requestId, one.accountId, one.keyId, one.model, one.operation, one.priceVersion, one.multiplier, one.state, one.source],
    ...[one.sourcePeriod, one.capOwner, one.capPeriod, one.held, one.charged, one.overrun, writeUsage(one), one.isEstimated, one.outcome],
    ...[one.createdAt, one.settledAt, attempts.get(one.requestId) ?? null],
  ]);
}

async function* entryRows(books: Books, part: Part): AsyncGenerator<Rows> {
  for await (const { calls } of slices(books, part))
    yield calls
      .flatMap(({ lines }) => lines)
      .map(({ id, transfer, kind, book, amount, note, at }) => [id, transfer, kind, book, amount, note, at]);
}

async function* accountRows(balances: readonly ClosingBalance[], totals: Totals): AsyncGenerator<Rows> {
  yield balances.map(({ accountId, balance }) => {
    const { calls, charged, overrun } = totals.of(accountId);
    return [accountId, calls, charged, overrun, balance];
  });
}

/** A pause is so many times as long as the step before it, so that calls have the database most of the time. */
const PAUSE_FACTOR = 3;

async function removeArchived(books: Books, part: Part, isInUse: boolean): Promise<void> {
  const step = async <R>(plan: () => Plan<R>): Promise<R> => {
    const startedAt = performance.now();
    const result = await books.change(plan);
    if (isInUse) await pause(PAUSE_FACTOR * (performance.now() - startedAt));
    return result;
  };
  const known = new Map<string, BookedCharge>();
  for await (const { calls, sums } of slices(books, part)) {
    for (const [id, sum] of sums) known.set(id, sum);
    const written = calls.length > 0 ? await step(() => foldCalls(books.db, calls, known)) : [];
    for (const sum of written) known.set(sum.charge.requestId, sum);
  }
  for (const { accountId } of await books.read(() => readBalances(part)))
    for (let place: Place | null = START; place !== null; ) {
      const after: Place = place;
      place = await step(() => dropFree(books.db, part, accountId, after));
    }
}

type Cell = string | number | bigint | boolean | null;
type Rows = readonly (readonly Cell[])[];

/** RFC 4180; nothing at all for null, and quotes for a text without characters. */
function writeCell(cell: Cell): string {
  if (cell === null) return '';
  const written = String(cell);
  return written === '' || /[",\r\n]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
}
const writeLine = (cells: readonly Cell[]): string => `${cells.map(writeCell).join(',')}\n`;

async function writeTable(folder: string, name: FileName, rows: AsyncIterable<Rows>): Promise<FileNote> {
  let count = 0;
  const hash = createHash('sha256');
  async function* lines(): AsyncGenerator<string> {
    yield writeLine(headings[name]);
    for await (const some of rows) {
      count += some.length;
      yield some.map(writeLine).join('');
    }
  }
  await pipeline(Readable.from(lines()), createGzip(), hashing(hash), createWriteStream(join(folder, name), { mode: 0o600, flush: true }));
  return { rows: count, sha256: hash.digest('hex') };
}

const hashing = (hash: ReturnType<typeof createHash>): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });

/** Throws unless each file is as it was written, and the tables agree with each other and with the manifest. */
async function checkArchive(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  if (!existsSync(path)) throw new CommandError(`No archive found in ${folder}: ${MANIFEST} is missing.`);
  // `as`: written by this command; whatever else it may be differs below.
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const wrong = (what: string): CommandError => new CommandError(`The archive in ${folder} is damaged: ${what}.`);
  const totals = new Totals();
  await readTable(folder, 'charges.csv.gz', manifest, wrong, (row) =>
    totals.add(row('account_id'), BigInt(row('charged')), BigInt(row('overrun'))),
  );
  const { all } = totals;
  if (all.calls !== manifest.calls || String(all.charged) !== manifest.charged || String(all.overrun) !== manifest.overrun)
    throw wrong("the charges don't add up to the totals in the manifest");
  let [sum, revenue] = [0n, 0n];
  await readTable(folder, 'entries.csv.gz', manifest, wrong, (row) => {
    sum += BigInt(row('amount'));
    if (row('book') === 'revenue') revenue += BigInt(row('amount'));
  });
  if (sum !== 0n || revenue !== all.charged + all.overrun) throw wrong("the entries don't add up to the charges");
  await readTable(folder, 'accounts.csv.gz', manifest, wrong, (row) => {
    const { calls, charged, overrun } = totals.of(row('account_id'));
    if (row('calls') !== String(calls) || row('charged') !== String(charged) || row('overrun') !== String(overrun))
      throw wrong(`the charges of ${row('account_id')} don't add up to its totals`);
  });
  return manifest;
}

type ReadCell = (column: string) => string;

async function readTable(
  folder: string,
  name: FileName,
  { files }: Manifest,
  wrong: (what: string) => CommandError,
  take: (row: ReadCell) => void,
): Promise<void> {
  const hash = createHash('sha256');
  const { rows, sha256 } = files?.[name] ?? {};
  let count = -1;
  const columns: readonly string[] = headings[name];
  const unpacked = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const cells of readLines(source)) if (++count > 0) take((column) => cells[columns.indexOf(column)] ?? '');
  };
  try {
    await pipeline(createReadStream(join(folder, name)), hashing(hash), createGunzip(), unpacked);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw wrong(`${name} can't be read`);
  }
  if (hash.digest('hex') !== sha256 || count !== rows) throw wrong(`${name} doesn't match its checksum`);
}

/** Parses the lines of tables that `writeTable` wrote. */
async function* readLines(source: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder();
  let open = '';
  for await (const chunk of source) {
    const parts = (open + decoder.decode(chunk, { stream: true })).split('\n');
    open = parts.pop() ?? '';
    let line = '';
    for (const part of parts) {
      line += part;
      // A line feed between quotes belongs to a cell.
      if (line.split('"').length % 2 === 1) {
        yield readCells(line);
        line = '';
      } else line += '\n';
    }
    open = line + open;
  }
}

const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;
const readCells = (line: string): readonly string[] =>
  line.includes('"') ? [...line.matchAll(CELL)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '') : line.split(',');
