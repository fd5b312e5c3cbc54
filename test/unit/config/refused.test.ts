/** G10: a bad configuration is refused whole, naming file, line, key and remedy. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Environment } from '../../../server/config/document.ts';
import type { Flags } from '../../../server/config/overrides.ts';
import { ConfigError, type Problem } from '../../../server/config/problems.ts';
import { loadConfig } from '../../../server/config.ts';
import { temporaryFolder } from '../storage/folder.ts';

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

const openai = ['upstreams:', '  openai: { kind: openai }'];

interface Case {
  readonly what: string;
  readonly lines: readonly string[];
  /** Line and column. */
  readonly at: string;
  readonly key: string;
  readonly message: RegExp;
  readonly remedy?: RegExp;
}

const cases: readonly Case[] = [
  {
    what: 'a slip in a key',
    lines: ['server:', '  prot: 80'],
    at: '2:3',
    key: 'server.prot',
    message: /not a known key/,
    remedy: /Did you mean port\?/,
  },
  {
    what: 'a key in snake case',
    lines: ['upstreams:', '  a:', '    kind: openai', '    base_url: x'],
    at: '4:5',
    key: 'upstreams.a.base_url',
    message: /not a known key/,
    remedy: /Did you mean baseUrl\?/,
  },
  {
    what: 'a key in the wrong section',
    lines: ['data: ./d', 'port: 80'],
    at: '2:1',
    key: 'port',
    message: /not a known key/,
    remedy: /Did you mean server\.port\?/,
  },
  {
    what: 'a key of nowhere',
    lines: ['log: { colour: red }'],
    at: '1:8',
    key: 'log.colour',
    message: /not a known key/,
    remedy: /Known here: level\./,
  },
  {
    what: 'text for a number',
    lines: ['server:', '  port: eighty'],
    at: '2:3',
    key: 'server.port',
    message: /must be a number, not text/,
    remedy: /For example port: 8080/,
  },
  { what: 'a fraction', lines: ['server: { port: 80.5 }'], at: '1:11', key: 'server.port', message: /must be a whole number/ },
  {
    what: 'a port that does not exist',
    lines: ['server: { port: 65536 }'],
    at: '1:11',
    key: 'server.port',
    message: /must be at most 65535/,
  },
  {
    what: 'a negative time',
    lines: ['server:', '  host: 0.0.0.0', '  drainMs: -1'],
    at: '3:3',
    key: 'server.drainMs',
    message: /must be at least 0/,
  },
  {
    what: 'a part that is longer than its whole',
    lines: ['server:', '  headersTimeoutMs: 2000', '  requestTimeoutMs: 1000'],
    at: '2:3',
    key: 'server.headersTimeoutMs',
    message: /not be longer than requestTimeoutMs/,
  },
  {
    what: 'a host with a scheme',
    lines: ['server:', '  host: http://localhost'],
    at: '2:3',
    key: 'server.host',
    message: /without a scheme/,
  },
  {
    what: 'a word for true',
    lines: ['development: yes'],
    at: '1:1',
    key: 'development',
    message: /must be true or false, not text/,
    remedy: /development: true/,
  },
  { what: 'a level that is none', lines: ['log:', '  level: warning'], at: '2:3', key: 'log.level', message: /did you mean warn\?/ },
  {
    what: 'an empty section',
    lines: ['data: ./d', 'log:'],
    at: '2:1',
    key: 'log',
    message: /must be a map of keys, not empty/,
    remedy: /take the key out/,
  },
  {
    what: 'a list for a map',
    lines: ['upstreams:', '  - openai'],
    at: '1:1',
    key: 'upstreams',
    message: /must be a map of names, not a list/,
  },
  { what: 'a list for the file', lines: ['- a', '- b'], at: '1:1', key: '', message: /must be a map of keys, not a list/ },
  {
    what: 'an upstream of a kind that is none',
    lines: ['upstreams:', '  a: { kind: opnai }'],
    at: '2:8',
    key: 'upstreams.a.kind',
    message: /one of openai, simulator \(did you mean openai\?\)/,
  },
  { what: 'an upstream of no kind', lines: ['upstreams:', '  a: {}'], at: '2:3', key: 'upstreams.a.kind', message: /is missing/ },
  {
    what: 'an upstream with a name in capitals',
    lines: ['upstreams:', '  OpenAI: { kind: openai }'],
    at: '2:3',
    key: 'upstreams.OpenAI',
    message: /small letters/,
  },
  {
    what: 'a base URL of another scheme',
    lines: ['upstreams:', '  a:', '    kind: openai', '    baseUrl: ftp://a.example'],
    at: '4:5',
    key: 'upstreams.a.baseUrl',
    message: /http:\/\/ or https:\/\//,
    remedy: /For example baseUrl: https:/,
  },
  {
    what: 'a base URL that is none',
    lines: ['upstreams:', '  a: { kind: openai, baseUrl: api.example }'],
    at: '2:22',
    key: 'upstreams.a.baseUrl',
    message: /is not an address/,
  },
  {
    what: 'a base URL with a query',
    lines: ['upstreams:', '  a: { kind: openai, baseUrl: "https://a.example/v1?x=1" }'],
    at: '2:22',
    key: 'upstreams.a.baseUrl',
    message: /without \? or #/,
  },
  {
    what: 'a header of the gateway',
    lines: ['upstreams:', '  a:', '    kind: openai', '    headers:', '      Host: a.example'],
    at: '5:7',
    key: 'upstreams.a.headers.Host',
    message: /writes itself/,
  },
  {
    what: 'a protocol that is none',
    lines: ['upstreams:', '  a: { kind: openai, protocols: [chat, response] }'],
    at: '2:40',
    key: 'upstreams.a.protocols[1]',
    message: /did you mean responses\?/,
  },
  {
    what: 'no protocol',
    lines: ['upstreams:', '  a: { kind: openai, protocols: [] }'],
    at: '2:22',
    key: 'upstreams.a.protocols',
    message: /must not be empty/,
  },
  {
    what: 'a protocol twice',
    lines: ['upstreams:', '  a: { kind: openai, protocols: [chat, chat] }'],
    at: '2:22',
    key: 'upstreams.a.protocols',
    message: /twice/,
  },
  {
    what: 'the pool of another kind',
    lines: ['upstreams:', '  a: { kind: simulator, connections: 5 }'],
    at: '2:25',
    key: 'upstreams.a.connections',
    message: /not a known key/,
  },
  {
    what: 'a time limit of nothing',
    lines: ['upstreams:', '  a:', '    kind: openai', '    imageTimeouts:', '      idleMs: 0'],
    at: '5:7',
    key: 'upstreams.a.imageTimeouts.idleMs',
    message: /must be at least 10/,
  },
  {
    what: 'a model id twice',
    lines: ['models:', '  - { id: a, kind: text }', '  - { id: a, kind: image }'],
    at: '3:7',
    key: 'models[1].id',
    message: /is the id of models\[0\] too/,
    remedy: /id of its own/,
  },
  {
    what: 'a model without a kind',
    lines: ['models:', '  - { id: a }'],
    at: '2:5',
    key: 'models[0].kind',
    message: /is missing/,
    remedy: /kind: text/,
  },
  {
    what: 'a model on an upstream that is not there',
    lines: [...openai, 'models:', '  - { id: a, kind: text, upstream: opena }'],
    at: '4:26',
    key: 'models[0].upstream',
    message: /not configured/,
    remedy: /Configured: openai\./,
  },
  {
    what: 'a model by a protocol that its upstream lacks',
    lines: ['upstreams:', '  a: { kind: openai, protocols: [chat] }', 'models:', '  - { id: a, kind: text, protocols: [responses] }'],
    at: '4:38',
    key: 'models[0].protocols[0]',
    message: /responses is not served by upstream a/,
    remedy: /can have: chat\./,
  },
  {
    what: 'a text model by images',
    lines: ['models:', '  - { id: a, kind: text, protocols: [images] }'],
    at: '2:38',
    key: 'models[0].protocols[0]',
    message: /does not fit kind text/,
    remedy: /can have: chat, responses\./,
  },
  {
    what: 'an image model on an upstream without images',
    lines: ['upstreams:', '  a: { kind: openai, protocols: [chat] }', 'models:', '  - { id: a, kind: image }'],
    at: '4:5',
    key: 'models[0]',
    message: /no protocol that its upstream a serves/,
    remedy: /Add images/,
  },
  {
    what: 'a model id with a blank',
    lines: ['models:', '  - { id: "a b", kind: text }'],
    at: '2:7',
    key: 'models[0].id',
    message: /must be a model id/,
  },
  { what: 'no model', lines: ['models: []'], at: '1:1', key: 'models', message: /must not be empty/ },
  { what: 'a key twice', lines: ['data: a', 'data: b'], at: '2:1', key: '', message: /unique/, remedy: /Keep one/ },
  { what: 'a tab', lines: ['server:', '\tport: 1'], at: '2:1', key: '', message: /Tabs are not allowed/, remedy: /blanks/ },
  { what: 'a quote that is never closed', lines: ['data: "x'], at: '2:1', key: '', message: /closing "quote/, remedy: /quotes/ },
  { what: 'an alias of nothing', lines: ['data: *x'], at: '1:7', key: '', message: /\*x has no anchor/ },
  { what: 'a tag of nowhere', lines: ['data: !env X'], at: '1:7', key: '', message: /tag/ },
  {
    what: 'a reference without quotes inside braces',
    lines: ['log: { level: $' + '{LEVEL} }'],
    at: '1:16',
    key: '',
    message: /Unexpected/,
    remedy: /"\$\{NAME\}"/,
  },
  {
    what: 'a reference to what is not set',
    lines: ['upstreams:', '  a:', '    kind: openai', '    apiKey: $' + '{NO_SUCH_KEY}'],
    at: '4:5',
    key: 'upstreams.a.apiKey',
    message: /NO_SUCH_KEY, which is not set/,
    remedy: /Set NO_SUCH_KEY/,
  },
  {
    what: 'a reference that is not one',
    lines: ['data: a$' + '{b-c}'],
    at: '1:1',
    key: 'data',
    message: /not \$\{NAME\}/,
    remedy: /two dollar signs/,
  },
  { what: 'the prototype of an object', lines: ['__proto__: { port: 1 }'], at: '1:1', key: '__proto__', message: /not a known key/ },
];

test.each(cases)('an operator who wrote $what is told where and how to mend it', ({ lines, at, key, message, remedy }) => {
  const problems = problemsIn(lines);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ where: `modelgate.yaml:${at}`, key });
  expect(problems[0]?.message).toMatch(message);
  if (remedy !== undefined) expect(problems[0]?.remedy).toMatch(remedy);
});

test('an operator gets all problems at once, in the order of the file', () => {
  const lines = ['server:', '  prot: 1', 'log: { level: loud }', 'x1: 1', 'x2: 2', 'x3: 3', 'x4: 4', 'x5: 5', 'x6: 6', 'development: 1'];
  const problems = problemsIn(lines);
  expect(problems.map(({ key }) => key)).toEqual(['server.prot', 'log.level', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'development']);
});

test('a file with one mistake among good lines changes nothing: no part of it is used', () => {
  const file = join(temporaryFolder(), 'c.yaml');
  writeFileSync(file, 'server: { port: 1234 }\nlog: { level: nope }\n');
  expect(() => loadConfig({ file }, {})).toThrow(ConfigError);
});

test('G13: no secret stands in a message, whatever is wrong with it', () => {
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
])('an operator whose environment is wrong is told the variable: $env', ({ env, where, message }) => {
  const problems = problemsOf({}, env);
  expect(problems.map((problem) => problem.where)).toEqual([where]);
  expect(problems[0]?.message).toMatch(message);
});

test('an operator whose environment points the gateway at itself is told before it calls itself for ever', () => {
  const env = { OPENAI_API_KEY: 'mg-1', OPENAI_BASE_URL: 'http://localhost:8080/v1' };
  expect(problemsOf({}, env)[0]).toMatchObject({
    where: 'environment variable OPENAI_BASE_URL',
    message: 'is the address of this gateway itself',
  });
  expect(loadConfig({ port: 8081 }, env).upstreams.openai).toMatchObject({ baseUrl: 'http://localhost:8080/v1' });
  const [problem] = problemsIn(['server: { port: 9000 }', 'upstreams:', '  a: { kind: openai, baseUrl: "http://127.0.0.1:9000/v1" }']);
  expect(problem).toMatchObject({ where: 'modelgate.yaml:3:22', key: 'upstreams.a.baseUrl' });
});

test('an operator who names a file that cannot be read is told its name', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'folder.yaml'));
  expect(problemsOf({ file: join(folder, 'none.yaml') })).toMatchObject([
    { where: join(folder, 'none.yaml'), message: 'There is no such file' },
  ]);
  expect(problemsOf({ file: join(folder, 'folder.yaml') })).toMatchObject([{ message: 'This is a folder' }]);
});
