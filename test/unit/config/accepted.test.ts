/** What a good configuration becomes: defaults, precedence, references and environment variables. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Config, loadConfig, locateData } from '../../../server/config/config.ts';
import type { Environment } from '../../../server/config/config-document.ts';
import type { Flags } from '../../../server/config/overrides.ts';
import { ConfigFile } from '../../../server/config/schema.ts';
import { DEFAULT_TIMEOUT_MS } from '../../../server/store/postgres/deadlines.ts';
import { temporaryFolder } from '../../harness/folder.ts';

function write(...lines: readonly string[]): string {
  const file = join(temporaryFolder(), 'modelgate.yaml');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function load(lines: readonly string[], env: Environment = {}, flags: Flags = {}): Config {
  return loadConfig({ ...flags, file: write(...lines) }, env);
}

const reference = (name: string): string => `\${${name}}`;
const standardIds = ['gpt-5.5', 'codex-auto-review', 'gpt-5.2', 'gpt-5.3-codex', 'gpt-5.4', 'gpt-5.4-mini', 'gpt-image-2'];

test('serves the seven standard models on the simulator, on loopback, without a configuration', () => {
  const config = loadConfig({}, {});
  expect(config).toMatchObject({
    file: null,
    data: resolve('data'),
    durability: 'relaxed',
    validateResponses: false,
    log: { level: 'info' },
  });
  expect(config.server).toMatchObject({ host: '127.0.0.1', port: 8080, bodyLimitBytes: 20_971_520, drainMs: 30_000, heartbeatMs: 15_000 });
  expect(Object.values(config.upstreams)).toEqual([
    { name: 'simulator', kind: 'simulator', protocols: ['chat', 'responses', 'images'], eventDelayMs: 15, slowMs: 3_000, stallMs: 60_000 },
  ]);
  expect(config.models.map(({ id }) => id)).toEqual(standardIds);
  expect(config.models.at(0)).toMatchObject({
    kind: 'text',
    upstream: 'simulator',
    ownedBy: 'simulator',
    protocols: ['chat', 'responses'],
  });
  expect(config.models.at(-1)).toMatchObject({ kind: 'image', protocols: ['images'], upstreamModel: 'gpt-image-2' });
});

test("C16: defaults database.timeoutMs to two seconds, as in the tools, also for the environment's address", () => {
  expect(loadConfig({}, {}).database).toEqual({ url: undefined, timeoutMs: DEFAULT_TIMEOUT_MS });
  const env = { DATABASE_URL: 'postgres://me:secret@db.example/modelgate' };
  expect(load(['database:', '  timeoutMs: 10000'], env).database).toEqual({ url: env.DATABASE_URL, timeoutMs: 10_000 });
});

test('adds the upstream openai for OPENAI_API_KEY', () => {
  const config = loadConfig({}, { OPENAI_API_KEY: 'sk-1' });
  expect(config.upstreams).toMatchObject({
    openai: { name: 'openai', kind: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-1' },
  });
  expect(Object.keys(config.upstreams)).toEqual(['openai']);
  expect(config.models.every(({ upstream, ownedBy }) => upstream === 'openai' && ownedBy === 'openai')).toBe(true);
});

test('reads OPENAI_BASE_URL as its base URL, with or without a slash at its end', () => {
  const env = { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: 'http://models.example:9000/v1/' };
  expect(loadConfig({}, env).upstreams.openai).toMatchObject({ baseUrl: 'http://models.example:9000/v1' });
});

test('keeps the simulator for a base URL without a key, and for empty variables', () => {
  for (const env of [
    { OPENAI_BASE_URL: 'http://a.example/v1' },
    { OPENAI_API_KEY: '', PORT: '', HOST: '', MODELGATE_CONFIG: '', MODELGATE_DATA: '' },
  ]) {
    expect(Object.keys(loadConfig({}, env).upstreams)).toEqual(['simulator']);
  }
});

test('gives images time limits of at least ten minutes', () => {
  const { openai } = loadConfig({}, { OPENAI_API_KEY: 'sk-1' }).upstreams;
  if (openai?.kind !== 'openai') throw new Error('not an openai upstream');
  for (const limit of Object.values(openai.imageTimeouts)) expect(limit).toBeGreaterThanOrEqual(600_000);
  expect(openai.timeouts.connectMs).toBe(10_000);
});

test('replaces the upstream of the environment with the upstreams in the file', () => {
  const config = load(['upstreams:', '  local: { kind: openai, baseUrl: "http://a.example/v1" }'], { OPENAI_API_KEY: 'sk-1' });
  expect(Object.keys(config.upstreams)).toEqual(['local']);
  expect(config.upstreams.local).not.toHaveProperty('apiKey');
});

test('prefers flags to the environment, the environment to the file, and the file to the defaults', () => {
  const lines = ['server: { host: 10.0.0.1, port: 1001 }', 'log: { level: warn }', 'data: from-file'];
  const env = { HOST: '10.0.0.2', PORT: '1002', MODELGATE_DATA: '/from-env', MODELGATE_LOG_LEVEL: 'debug' };
  const shown = ({ server, log, data }: Config): unknown[] => [server.host, server.port, log.level, data.split('/').at(-1)];
  expect(shown(load([]))).toEqual(['127.0.0.1', 8080, 'info', 'data']);
  expect(shown(load(lines))).toEqual(['10.0.0.1', 1001, 'warn', 'from-file']);
  expect(shown(load(lines, env))).toEqual(['10.0.0.2', 1002, 'debug', 'from-env']);
  expect(shown(load(lines, env, { host: '10.0.0.3', port: 0, data: 'from-flag' }))).toEqual(['10.0.0.3', 0, 'debug', 'from-flag']);
});

test('prefers --config to MODELGATE_CONFIG', () => {
  const [one, two] = [write('server: { port: 1001 }'), write('server: { port: 1002 }')];
  expect(loadConfig({}, { MODELGATE_CONFIG: two })).toMatchObject({ file: two, server: { port: 1002 } });
  expect(loadConfig({ file: one }, { MODELGATE_CONFIG: two })).toMatchObject({ file: one, server: { port: 1001 } });
});

test('resolves a folder in the file from the file, and a folder in a flag from the working directory', () => {
  const file = write('data: ./state');
  expect(loadConfig({ file }, {}).data).toBe(join(file, '../state'));
  expect(loadConfig({ file, data: 'state' }, {}).data).toBe(resolve('state'));
});

test('resolves references to the environment in every text, whole or in part', () => {
  const lines = [
    'upstreams:',
    '  a:',
    '    kind: openai',
    `    baseUrl: https://${reference('PLACE')}.example/${reference('PLACE')}`,
    `    apiKey: ${reference('KEY')}`,
    `    headers: { x-team: "${reference('TEAM')}", x-price: "$5", x-plain: "$${reference('TEAM')}" }`,
  ];
  const { a } = load(lines, { PLACE: 'west', KEY: `sk-${reference('TEAM')}`, TEAM: 'red' }).upstreams;
  expect(a).toMatchObject({
    baseUrl: 'https://west.example/west',
    // References in a value are not resolved again.
    apiKey: `sk-${reference('TEAM')}`,
    headers: { 'x-team': 'red', 'x-price': '$5', 'x-plain': reference('TEAM') },
  });
});

test('fills what a model omits from the first upstream, or from the one it names', () => {
  const config = load([
    'upstreams:',
    '  west: { kind: openai, protocols: [responses] }',
    '  demo: { kind: simulator }',
    'models:',
    '  - { id: big, kind: text, prices: free }',
    '  - { id: small, kind: text, upstream: demo, protocols: [chat], upstreamModel: tiny, ownedBy: us, created: 5, prices: free }',
  ]);
  const common = { kind: 'text', groups: ['default', 'vip'], prices: 'free', limits: {} };
  const fields = { allow: [], deny: [] };
  const big = { upstream: 'west', upstreamModel: 'big', protocols: ['responses'], fields: { ...fields, isOpen: true } };
  const small = { upstream: 'demo', upstreamModel: 'tiny', protocols: ['chat'], fields };
  const alone = { priority: 1, weight: 1 };
  expect(config.models).toEqual([
    { id: 'big', ownedBy: 'west', created: 1_790_000_000, ...big, candidates: [{ ...big, ...alone, compacts: true }], ...common },
    { id: 'small', ownedBy: 'us', created: 5, ...small, candidates: [{ ...small, ...alone }], ...common },
  ]);
});

test('omits standard models without a protocol on the first upstream', () => {
  const config = load(['upstreams:', '  a: { kind: openai, protocols: [chat] }']);
  expect(config.models.map(({ id }) => id)).toEqual(standardIds.slice(0, -1));
  expect(config.models.every(({ protocols }) => protocols.join() === 'chat')).toBe(true);
});

test('supports YAML anchors', () => {
  const config = load(['upstreams:', '  a: { kind: openai, timeouts: &slow { idleMs: 777 } }', '  b: { kind: openai, timeouts: *slow }']);
  expect(config.upstreams.b).toMatchObject({ timeouts: { idleMs: 777, connectMs: 10_000 } });
});

test('freezes every part of a configuration', () => {
  const config = loadConfig({}, { OPENAI_API_KEY: 'sk-1' });
  const parts: unknown[] = [config];
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue;
    expect(Object.isFrozen(part)).toBe(true);
    parts.push(...Object.values(part));
  }
  expect(parts.length).toBeGreaterThan(60);
});

test('finds the data folder though an upstream refers to an unset variable', () => {
  const file = write('data: ./state', 'upstreams:', `  a: { kind: openai, apiKey: "${reference('NO_SUCH_KEY')}" }`);
  expect(locateData({ file }, {})).toBe(join(file, '../state'));
  expect(locateData({ file }, { MODELGATE_DATA: '/srv' })).toBe('/srv');
  expect(() => locateData({ file: write('data: 5') }, {})).toThrow(/data must be text/);
  expect(() => locateData({ file: write('data: a', 'data: b') }, {})).toThrow(/unique/);
});

const Node = z.looseObject({ description: z.string().optional(), properties: z.record(z.string(), z.unknown()).optional() });

function keysWithoutDescription(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = Object.entries(Node.safeParse(schema).data?.properties ?? {});
  const bare = properties.filter(([, child]) => !Node.parse(child).description).map(([name]) => `${path}.${name}`);
  return [...bare, ...Object.entries(schema).flatMap(([name, child]) => keysWithoutDescription(child, `${path}.${name}`))];
}

test('describes every key of the configuration', () => {
  const schema = z.toJSONSchema(ConfigFile, { io: 'input' });
  expect(keysWithoutDescription(schema, 'file')).toEqual([]);
  expect(Object.keys(schema.properties ?? {})).toEqual([
    ...[
      'server',
      'data',
      'database',
      'redis',
      'durability',
      'validateResponses',
      'log',
      'billing',
      'groups',
      'plans',
      'priceLists',
      'limits',
      'admin',
      'pages',
      'alerts',
      'metrics',
      'traces',
    ],
    ...['upstreams', 'routing', 'reload', 'history', 'activity', 'unknownCallers', 'codex', 'trpc', 'models'],
  ]);
});
