/**
 * Other versions of the gateway, made from this one: whole trees of their own whose steps of the schema are one fewer, or one more.
 * Each is another program, hence it runs as a process; the commands of this version run within the test.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownSchema } from '../../../server/storage/sqlite/database.ts';

export interface Release {
  /** The version of its tables. */
  readonly schema: number;
  /** The file that starts its command line. */
  readonly launch: string;
  remove(): void;
}

const root = join(import.meta.dirname, '../../..');
const lists = { sqlite: 'server/storage/sqlite/database.ts', postgres: 'server/storage/postgres/schema.ts' } as const;
type Engine = keyof typeof lists;

/** A release without the last migration. */
export const releaseBefore = (): Release => makeRelease(knownSchema - 1, () => '');

/** A release with one more migration; programs from the schema `worksWith` on can still use its tables. */
export const releaseAfter = (worksWith: number): Release =>
  makeRelease(knownSchema + 1, (engine, last) => {
    const sql = JSON.stringify(additions(engine));
    return `${last}  { version: ${knownSchema + 1}, name: 'of tomorrow', sql: ${sql}, worksWith: ${worksWith} },\n`;
  });

type Edit = (engine: Engine, last: string) => string;

function makeRelease(schema: number, edit: Edit): Release {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-release-'));
  for (const name of ['server', 'contract']) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['docs', 'node_modules', 'package.json']) symlinkSync(join(root, name), join(folder, name));
  for (const engine of ['sqlite', 'postgres'] as const) editList(join(folder, lists[engine]), (last) => edit(engine, last));
  return {
    schema,
    launch: join(folder, 'server/commands/launch.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function editList(file: string, edit: (last: string) => string): void {
  const source = readFileSync(file, 'utf8');
  const last = new RegExp(`^  \\{ version: ${knownSchema}, .*\\},\\n(?=\\];)`, 'm');
  if (!last.test(source)) throw new Error(`${file} has no line for step ${knownSchema} at the end of its list`);
  // A function, since `$` is special in a replacement string.
  writeFileSync(file, source.replace(last, edit));
}

/** A migration after which older programs still work: one more column in each of these tables, and a new table. */
function additions(engine: Engine): string {
  const widened = [
    ...['accounts', 'keys', 'admin_keys', 'responses', 'response_items', 'balances', 'allowances', 'price_versions', 'charges'],
    ...['entries', 'nodes', 'audit', 'idempotency', 'attempts', 'pepper_fingerprint', 'migrations', 'refusals'],
    ...(engine === 'postgres' ? ['barred_requests'] : []),
  ];
  const columns = widened.map((table) => `ALTER TABLE ${table} ADD COLUMN of_tomorrow TEXT NOT NULL DEFAULT 'not yet';`);
  // Programs write whole rows of this table, with null in unknown columns.
  columns.push('ALTER TABLE subscriptions ADD COLUMN of_tomorrow TEXT;');
  const table = `CREATE TABLE of_tomorrow (id ${engine === 'sqlite' ? 'INTEGER' : 'BIGINT'} PRIMARY KEY);`;
  return [...columns, table, 'CREATE INDEX of_tomorrow_by_model ON charges (model);'].join(' ');
}
