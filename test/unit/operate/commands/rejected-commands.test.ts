/** Commands with a mistake: one reason, in the words of the command line, and nothing is changed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRows } from '../../../fixtures/rows.ts';
import { modelgate } from '../../../harness/command-line.ts';
import { openFolder } from './governing-stage.ts';

/** A command, its exit code, and a part of what it prints. */
interface Row {
  readonly title: string;
  readonly words: readonly string[];
  readonly code: 1 | 2;
  readonly says: string;
}

test('C2, C4, C5, C14: rejects each command with a mistake, says why, and changes nothing', async () => {
  const { folder, run, text, json } = openFolder();
  mkdirSync(join(folder, 'full'));
  writeFileSync(join(folder, 'full/modelgate.sqlite'), '');
  writeFileSync(join(folder, 'bad.yaml'), 'server: { prot: 1 }\nlog: { level: x }\n');
  await run('key', 'create', '--account', 'acme');
  const [{ id }] = (await json('key', 'list')).data;
  const before = await text('ledger', 'audit');
  const rows = readRows<Row>('rejected-commands');
  const outcomes: object[] = [];
  for (const { title, words, says } of rows) {
    const { code, stdout, stderr } = await run(...words.map((word) => (word === 'key_of_acme' ? id : word)));
    const isPlain = stdout === '' && !/\n +at |permissions\.|ip_ranges|opening_balance|transfer_id|'prices/.test(stderr);
    outcomes.push({ title, words, code, says: isPlain && stderr.includes(says) ? says : `${stdout}${stderr}` });
  }
  expect(outcomes).toEqual(rows);
  expect(await text('ledger', 'audit')).toBe(before);
});

test('says how npm passes options on, after npm start --port 9090', async () => {
  const { code, stderr } = await modelgate(['serve', '9090'], { env: { npm_lifecycle_event: 'start' } });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('npm start -- --port 9090') });
  expect((await modelgate(['serve', '9090'])).stderr).not.toContain('npm');
});
