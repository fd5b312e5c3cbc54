/** The output of log lines: in order, in few writes, and with bounded memory. */
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSink } from '../../../server/telemetry/line-sink.ts';
import { temporaryFolder } from '../../harness/folder.ts';

test('writes lines in order, including those that come during a write', async () => {
  const file = join(temporaryFolder(), 'log');
  const sink = openSink({ to: openSync(file, 'a'), flushMs: 5, gathered: 1_000, most: 1_000_000 });
  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index} ü\n`);
  for (const [index, line] of lines.entries()) {
    sink.write(line);
    if (index % 500 === 0) await new Promise(setImmediate);
  }
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(lines.join(''));
});

test('drops lines beyond the bound of waiting characters', async () => {
  const file = join(temporaryFolder(), 'log');
  const sink = openSink({ to: openSync(file, 'a'), flushMs: 20, gathered: 1_000, most: 30 });
  for (const line of ['first 0123456789\n', 'too long for what is left\n', 'last\n']) sink.write(line);
  await expect.poll(() => readFileSync(file, 'utf8')).toBe('first 0123456789\nlast\n');
});
