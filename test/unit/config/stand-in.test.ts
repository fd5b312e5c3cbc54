/** A configuration whose upstreams are replaced by one simulator or by a replay. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../server/config/config.ts';
import { temporaryFolder } from '../../harness/folder.ts';

function load(text: string, override: Parameters<typeof loadConfig>[0]['override']) {
  const file = join(temporaryFolder(), 'modelgate.yaml');
  writeFileSync(file, text);
  return loadConfig({ file, override }, { OPENAI_API_KEY: 'sk-x' });
}

const text = `
server: { port: 9000, overload: { memoryMiB: 300 } }
upstreams:
  vendor: { kind: openai, apiKey: "\${NOT_SET}" }
  slow: { kind: simulator, slowMs: 7, protocols: [chat] }
models:
  - { id: mine, kind: text, prices: free, maxOutputTokens: 100, candidates: [{ upstream: vendor, upstreamModel: theirs }] }
`;

test('one simulator replaces all upstreams, with the timing of the file and the seed and clock of the command', () => {
  const config = load(text, { name: 'simulator', seed: 'ci', clock: '2026-01-01T00:00:00Z' });
  expect(Object.keys(config.upstreams)).toEqual(['simulator']);
  expect(config.upstreams.simulator).toMatchObject({ kind: 'simulator', slowMs: 7, seed: 'ci', clock: '2026-01-01T00:00:00Z' });
  expect(config.models).toMatchObject([{ id: 'mine', upstream: 'simulator', upstreamModel: 'mine', maxOutputTokens: 100 }]);
  expect(config.models[0]?.protocols).toEqual(['chat', 'responses']);
});

test('shedding by loop delay is off unless the file sets it', () => {
  expect(load(text, { name: 'replay' }).server).toMatchObject({ port: 9000, overload: { loopDelayMs: 0, memoryMiB: 300 } });
  expect(load('', { name: 'simulator' }).server.overload.loopDelayMs).toBe(0);
  expect(load('server: { overload: { loopDelayMs: 250 } }', { name: 'simulator' }).server.overload.loopDelayMs).toBe(250);
});

test('mistakes outside the upstreams are rejected, those within them are not', () => {
  expect(() => load('server: 1\n', { name: 'simulator' })).toThrow(/server/);
  expect(() => load('models: 1\n', { name: 'simulator' })).toThrow(/models/);
  expect(() => load('upstreams: { a: { kind: openai, baseUrl: nonsense } }\n', { name: 'simulator' })).not.toThrow();
});
