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

test('replaces all upstreams with one simulator: timing from the file, seed and clock from the command', () => {
  const config = load(text, { name: 'simulator', seed: 'ci', clock: '2026-01-01T00:00:00Z' });
  expect(Object.keys(config.upstreams)).toEqual(['simulator']);
  expect(config.upstreams.simulator).toMatchObject({ kind: 'simulator', slowMs: 7, seed: 'ci', clock: '2026-01-01T00:00:00Z' });
  expect(config.models).toMatchObject([{ id: 'mine', upstream: 'simulator', upstreamModel: 'mine', maxOutputTokens: 100 }]);
  expect(config.models[0]?.protocols).toEqual(['chat', 'responses']);
});

test('keeps load shedding by loop delay off unless the file sets it', () => {
  expect(load(text, { name: 'replay' }).server).toMatchObject({ port: 9000, overload: { loopDelayMs: 0, memoryMiB: 300 } });
  expect(load('', { name: 'simulator' }).server.overload.loopDelayMs).toBe(0);
  expect(load('server: { overload: { loopDelayMs: 250 } }', { name: 'simulator' }).server.overload.loopDelayMs).toBe(250);
});

test('rejects mistakes outside the upstreams, but not within them', () => {
  expect(() => load('server: 1\n', { name: 'simulator' })).toThrow(/server/);
  expect(() => load('models: 1\n', { name: 'simulator' })).toThrow(/models/);
  expect(() => load('upstreams: { a: { kind: openai, baseUrl: nonsense } }\n', { name: 'simulator' })).not.toThrow();
});
