/** Several processes on one fresh data folder at the same moment. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { migrations, openDatabase } from '../../../server/store/sqlite/database.ts';
import { temporaryFolder } from '../../harness/folder.ts';

const Outcome = z.object({ pepper: z.string(), key: z.string().nullable() });

async function startReady(folder: string): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'start.ts'), folder]);
  await once(child.stdout, 'readable');
  return child;
}

async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<z.infer<typeof Outcome>> {
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(complaint).toBe('');
  return Outcome.parse(JSON.parse(output.replace('ready\n', '')));
}

test('operators who start many processes at once on a fresh folder get one pepper, one first key and one set of tables', async () => {
  for (let round = 0; round < 3; round++) {
    const folder = join(temporaryFolder(), 'data');
    const children = await Promise.all(Array.from({ length: 4 }, () => startReady(folder)));
    for (const child of children) child.stdin.end('go');
    const outcomes = await Promise.all(children.map(outcomeOf));

    expect(new Set(outcomes.map(({ pepper }) => pepper)).size).toBe(1);
    expect(outcomes.filter(({ key }) => key !== null)).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => !name.startsWith('modelgate.sqlite'))).toEqual(['pepper']);
    const database = openDatabase({ folder, durability: 'relaxed' });
    const count = (table: string): unknown => database.connection.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count;
    expect([count('keys'), count('accounts'), count('migrations')]).toEqual([1, 1, migrations.length]);
    database.close();
  }
});
