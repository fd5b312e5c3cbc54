/** What a good configuration becomes: defaults, precedence, references and environment variables. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Config, loadConfig, locateData } from '../../../server/config/config.ts';
import type { Flags } from '../../../server/config/overrides.ts';
import type { Environment } from '../../../server/config/references.ts';
import { ConfigFile } from '../../../server/config/schema.ts';
import { DEFAULT_TIMEOUT_MS } from '../../../server/store/postgres/deadlines.ts';
import { type Json, readRows } from '../../fixtures/rows.ts';
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

test('enforces billing by default, with prices for every standard model and the groups default and vip', () => {
  const { billing, groups, models, plans, priceLists, limits, server } = loadConfig({}, {});
  const plain = { multiplier: '1', limits: {} };
  expect({ billing, groups, plans, priceLists }).toEqual({
    billing: 'enforce',
    groups: { default: plain, vip: plain },
    plans: {},
    priceLists: {},
  });
  for (const { id, kind, prices } of models)
    expect(prices, id).toMatchObject(kind === 'image' ? { images: { default: '0.25' } } : { output: expect.any(String) });
  expect(models.find(({ id }) => id === 'gpt-5.4')?.prices).toEqual({
    input: '2.5',
    cachedInput: '0.25',
    output: '15',
    longContext: { 272000: { input: '5', cachedInput: '0.5', output: '22.5' } },
    tools: { web_search_call: '0.01' },
  });
  expect({ limits, trustedProxies: server.trustedProxies }).toEqual({ limits: { perKey: {}, perAccount: {} }, trustedProxies: [] });
});

/** A configuration, and what becomes of it. */
interface Row {
  readonly title: string;
  readonly file: string;
  readonly env?: Environment;
  readonly expected: Json;
  /** Paths of properties that there are not. */
  readonly absent?: readonly string[];
}

test.each(readRows<Row>('accepted-configs'))('accepts $title', ({ file, env, expected, absent = [] }) => {
  const config = load([file], env);
  expect(config).toMatchObject(expected);
  for (const path of absent) expect(config).not.toHaveProperty(path);
});

test('C16: defaults database.timeoutMs to two seconds, as in the tools', () => {
  expect(loadConfig({}, {}).database).toEqual({ url: undefined, timeoutMs: DEFAULT_TIMEOUT_MS });
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
