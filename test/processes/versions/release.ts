/**
 * Other versions of the gateway, made from this one: whole trees of their own with one more migration.
 * Each is another program, hence it runs as a process; the commands of this version run within the test.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { supportedSchemaVersion } from '../../../server/store/sqlite/database.ts';

export interface Release {
  /** The version of its tables. */
  readonly schema: number;
  /** The file that starts its command line. */
  readonly launch: string;
  remove(): void;
}

const root = join(import.meta.dirname, '../../..');
const lists = { sqlite: 'server/store/sqlite/database.ts', postgres: 'server/store/postgres/schema.ts' } as const;
type Engine = keyof typeof lists;

/** A release with one more migration; programs from the schema `worksWith` on can still use its tables. */
export function releaseAfter(worksWith: number): Release {
  const folder = mkdtempSync(join(tmpdir(), 'modelgate-release-'));
  for (const name of ['server', 'contract', 'client/connect', 'client/verify'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['docs', 'node_modules', 'package.json']) symlinkSync(join(root, name), join(folder, name));
  const schema = supportedSchemaVersion + 1;
  for (const engine of ['sqlite', 'postgres'] as const) {
    const next = `{ version: ${schema}, name: 'of tomorrow', sql: ${JSON.stringify(additions(engine))}, worksWith: ${worksWith} }`;
    addMigration(join(folder, lists[engine]), next);
  }
  return {
    schema,
    launch: join(folder, 'server/operate/launch.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function addMigration(file: string, next: string): void {
  const source = readFileSync(file, 'utf8');
  const list = /(?<=^export const migrations: [^=]+= \[[^;]+?)\s*,?\s*\];$/ms;
  if (!list.test(source)) throw new Error(`${file} has no list of migrations`);
  // A function, since `$` is special in a replacement string.
  writeFileSync(
    file,
    source.replace(list, () => `, ${next}];`),
  );
}

/** A migration after which older programs still work: one more column in each of these tables, and a new table. */
function additions(engine: Engine): string {
  const widened = [
    ...['accounts', 'keys', 'admin_keys', 'responses', 'response_items', 'balances', 'allowances', 'price_versions', 'charges'],
    ...['entries', 'nodes', 'audit', 'idempotency', 'attempts', 'pepper_fingerprint', 'migrations'],
    ...(engine === 'postgres' ? ['barred_requests'] : []),
  ];
  const columns = widened.map((table) => `ALTER TABLE ${table} ADD COLUMN of_tomorrow TEXT NOT NULL DEFAULT 'not yet';`);
  // Programs write whole rows of this table, with null in unknown columns.
  columns.push('ALTER TABLE subscriptions ADD COLUMN of_tomorrow TEXT;');
  const table = `CREATE TABLE of_tomorrow (id ${engine === 'sqlite' ? 'INTEGER' : 'BIGINT'} PRIMARY KEY);`;
  return [...columns, table, 'CREATE INDEX of_tomorrow_by_model ON charges (model);'].join(' ');
}
