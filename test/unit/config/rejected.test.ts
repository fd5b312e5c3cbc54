/** G10: a bad configuration is rejected as a whole, with file, line, key and remedy. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../server/config/config.ts';
import { ConfigError, type Problem } from '../../../server/config/config-error.ts';
import type { Flags } from '../../../server/config/overrides.ts';
import type { Environment } from '../../../server/config/references.ts';
import { readRows } from '../../fixtures/rows.ts';
import { temporaryFolder } from '../../harness/folder.ts';

function problemsOf(flags: Flags, env: Environment = {}): readonly Problem[] {
  try {
    loadConfig(flags, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

function problemsIn(lines: readonly string[], env: Environment = {}): readonly Problem[] {
  const file = join(temporaryFolder(), 'modelgate.yaml');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return problemsOf({ file }, env).map((problem) => ({ ...problem, where: problem.where.replace(file, 'modelgate.yaml') }));
}

/** A configuration with one mistake, and its problem. */
interface Row {
  readonly title: string;
  readonly file: string;
  /** Line and column. */
  readonly at: string;
  readonly key: string;
  /** A part of the text, and of the remedy. */
  readonly message: string;
  readonly remedy?: string;
}

test.each(readRows<Row>('config-mistakes'))(
  'G10: rejects $title with its place, its key, and a remedy',
  ({ file, at, key, message, remedy = '' }) => {
    const problems = problemsIn([file]);
    expect(problems).toEqual([
      { where: `modelgate.yaml:${at}`, key, message: expect.stringContaining(message), remedy: expect.stringContaining(remedy) },
    ]);
  },
);

test('G10: reports all problems at the same time, in the order of the file', () => {
  const lines = [
    'server:',
    '  prot: 1',
    'log: { level: loud }',
    'x1: 1',
    'x2: 2',
    'x3: 3',
    'x4: 4',
    'x5: 5',
    'x6: 6',
    'validateResponses: 1',
  ];
  const problems = problemsIn(lines);
  expect(problems.map(({ key }) => key)).toEqual(['server.prot', 'log.level', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'validateResponses']);
});

test('G13: repeats no secret in a message', () => {
  const secret = 'sk-very-secret-value';
  const lines = [
    'upstreams:',
    '  a:',
    '    kind: openai',
    `    baseUrl: https://user:${secret}@a.example/v1`,
    `    apiKey: "${secret} "`,
    `    headers: { authorization: ${secret}, x: "${secret}\\n" }`,
  ];
  const problems = problemsIn(lines);
  expect(problems.map(({ key }) => key)).toEqual([
    'upstreams.a.baseUrl',
    'upstreams.a.apiKey',
    'upstreams.a.headers.authorization',
    'upstreams.a.headers.x',
  ]);
  expect(new ConfigError(problems).message).not.toContain(secret);
});

test.each([
  { env: { PORT: 'http' }, where: 'environment variable PORT', message: /must be a number/ },
  { env: { PORT: '-1' }, where: 'environment variable PORT', message: /must be a number/ },
  { env: { PORT: '99999' }, where: 'environment variable PORT', message: /at most 65535/ },
  { env: { HOST: 'a b' }, where: 'environment variable HOST', message: /must be an address/ },
  { env: { MODELGATE_LOG_LEVEL: 'loud' }, where: 'environment variable MODELGATE_LOG_LEVEL', message: /one of fatal/ },
  { env: { OPENAI_API_KEY: 'sk-1\r' }, where: 'environment variable OPENAI_API_KEY', message: /line break/ },
  { env: { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: 'localhost:1' }, where: 'environment variable OPENAI_BASE_URL', message: /http/ },
])('names a wrong environment variable: $env', ({ env, where, message }) => {
  const problems = problemsOf({}, env);
  expect(problems.map((problem) => problem.where)).toEqual([where]);
  expect(problems[0]?.message).toMatch(message);
});

test('rejects an upstream at the address of the gateway itself', () => {
  const env = { OPENAI_API_KEY: 'mg-1', OPENAI_BASE_URL: 'http://localhost:8080/v1' };
  expect(problemsOf({}, env)[0]).toMatchObject({
    where: 'environment variable OPENAI_BASE_URL',
    message: 'is the address of this gateway',
  });
  expect(loadConfig({ port: 8081 }, env).upstreams.openai).toMatchObject({ baseUrl: 'http://localhost:8080/v1' });
});

test("names a file that it can't read", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'folder.yaml'));
  expect(problemsOf({ file: join(folder, 'none.yaml') })).toMatchObject([{ where: join(folder, 'none.yaml'), message: 'File not found' }]);
  expect(problemsOf({ file: join(folder, 'folder.yaml') })).toMatchObject([{ message: 'The path is a folder' }]);
});
