/** The commands for keys and configuration: their output, where it goes, and their exit codes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasKeyFormat } from '../../../../server/access/key-format.ts';
import { modelgate } from '../../../harness/command-line.ts';
import { temporaryFolder } from '../../../harness/folder.ts';

test('prints only the key on stdout with key create, and its data on stderr', async () => {
  const folder = temporaryFolder();
  const { code, stdout, stderr } = await modelgate(['key', 'create', '--name', 'build server', '--expires', '30d'], { folder });
  expect(code).toBe(0);
  expect(hasKeyFormat(stdout.trim())).toBe(true);
  expect(stderr).toMatch(/^key_\w+ "build server" of new account default, expires \d{4}-.*won't be shown again\.\n/);
  expect(stderr).toMatch(/\nmodelgate: The account default is new and has no balance yet: modelgate account top-up default 10\n$/);
});

test('lists and revokes keys, and shows no key in a list', async () => {
  const folder = temporaryFolder();
  const first = await modelgate(['key', 'create', '--name', 'alice', '--account', 'research'], { folder });
  const second = await modelgate(['key', 'create', '--name', 'bob', '--expires', '2099-01-31'], { folder });
  const id = /^key_\w+/.exec(first.stderr)?.[0] ?? '';
  expect(await modelgate(['key', 'revoke', id], { folder })).toEqual({ code: 0, stdout: `${id} was revoked.\n`, stderr: '' });
  expect((await modelgate(['key', 'revoke', id], { folder })).stdout).toBe(`${id} was already revoked.\n`);

  const [table, json] = [await modelgate(['key', 'list'], { folder }), await modelgate(['key', 'list', '--json'], { folder })];
  const [alice, bob] = [first, second].map(({ stdout }) => stdout.trim());
  expect(table.stdout.split('\n')).toEqual([
    expect.stringMatching(/^ID +NAME +ACCOUNT +KEY +STATE +CREATED +EXPIRES$/),
    expect.stringMatching(new RegExp(`^${id} +alice +research +…${alice?.slice(-4)} +revoked +\\d{4}-\\d\\d-\\d\\d +never$`)),
    expect.stringMatching(new RegExp(`^key_\\w+ +bob +default +…${bob?.slice(-4)} +active .* 2099-01-31T00:00$`)),
    '',
  ]);
  expect(JSON.parse(json.stdout).data).toMatchObject([
    {
      id,
      name: 'alice',
      account: { name: 'research' },
      last_four: alice?.slice(-4),
      state: 'revoked',
      expires_at: null,
      revoked_at: expect.any(String),
    },
    { name: 'bob', account: { name: 'default' }, state: 'active', expires_at: '2099-01-31T00:00:00.000Z', revoked_at: null },
  ]);
  for (const key of [alice, bob]) expect(table.stdout + table.stderr + json.stdout + json.stderr).not.toContain(key?.slice(0, 20));
});

test('finds the data folder by a flag, a variable, or the configuration file', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'elsewhere');
  writeFileSync(
    join(folder, 'modelgate.yaml'),
    'data: elsewhere\nupstreams:\n  a: { kind: openai, apiKey: "$' + '{NOT_IN_THIS_SHELL}" }\n',
  );
  await modelgate(['key', 'create', '--name', 'one'], { folder });
  const words = ['key', 'list', '--json'];
  const away = temporaryFolder();
  const lists = [
    await modelgate([...words, '--data', data], { folder: away }),
    await modelgate(words, { folder: away, env: { MODELGATE_DATA: data } }),
    await modelgate([...words, '--config', join(folder, 'modelgate.yaml')], { folder: away }),
    await modelgate(words, { folder: away, env: { MODELGATE_CONFIG: join(folder, 'modelgate.yaml') } }),
  ];
  for (const { stdout } of lists) expect(JSON.parse(stdout).data).toMatchObject([{ name: 'one' }]);
});

test.each([
  [1, 'counted in the process'],
  [3, 'counted in the supervisor of the 3 workers'],
])('shows with config check where the limits of %i workers are counted without Redis', async (workers, words) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), JSON.stringify({ server: { workers } }));
  const { stdout } = await modelgate(['config', 'check'], { folder });
  expect(stdout).toMatch(new RegExp(`^Limits: +${words}$`, 'm'));
});

test.each([
  [{ port: 9002 }, '127.0.0.1, port 9002'],
  [{ host: '127.0.0.2' }, '127.0.0.2, port 9464'],
  [{ port: 9002, enabled: false }, 'off'],
  [{ accounts: true }, 'off'],
  [{}, 'off'],
])('serves metrics where their address is set, unless they are off: %j', async (metrics, words) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelgate.yaml'), JSON.stringify({ metrics }));
  const { stdout } = await modelgate(['config', 'check'], { folder });
  expect(stdout).toMatch(new RegExp(`^Metrics: +${words}$`, 'm'));
});

test('prints listeners, upstreams, candidates, groups, limits, plans, and prices with config check, no secrets', async () => {
  const folder = temporaryFolder();
  const file = {
    server: { port: 0 },
    admin: { port: 9001 },
    metrics: { enabled: true, port: 9002 },
    database: { url: 'postgres://u:hush@db.example:5432/x' },
    redis: { url: 'redis://:hush@redis.example:6379' },
    groups: { vip: { multiplier: '0.8', limits: { requestsPerMinute: 6 } } },
    plans: { pro: { included: '20', period: 'month', onExhaustion: 'balance', priceList: 'w' } },
    priceLists: { w: { a: { input: '1', output: '2', tools: { web_search_call: '0.01' } } } },
    limits: { perKey: { requestsPerMinute: 60 }, perAccount: { tokensPerMinute: { limit: 5, mode: 'observe' } } },
    upstreams: { demo: { kind: 'simulator' }, two: { kind: 'openai', apiKey: 'hush', headers: { 'x-secret': 'hush' } } },
    models: [
      {
        id: 'a',
        kind: 'text',
        prices: { input: '0.25', cachedInput: '0.025', output: '2' },
        limits: { concurrency: 3 },
        candidates: [
          { upstream: 'two', upstreamModel: 'x' },
          { upstream: 'demo', priority: 2 },
        ],
      },
      { id: 'b', kind: 'image', upstream: 'demo', prices: 'free', groups: ['vip'] },
    ],
  };
  writeFileSync(join(folder, 'modelgate.yaml'), JSON.stringify(file));
  const { code, stdout, stderr } = await modelgate(['config', 'check'], { folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const line of [
    /^Listens on: +127\.0\.0\.1, port any free$/,
    /^Admin API: +127\.0\.0\.1, port 9001$/,
    /^Metrics: +127\.0\.0\.1, port 9002$/,
    /^Accounts: +on PostgreSQL at db\.example:5432$/,
    /^Limits: +counted in Redis at redis\.example:6379$/,
    /^Each key: +60 requests per minute$/,
    /^Each account: +5 tokens per minute \(observed only\)$/,
    /^two +openai +https:\/\/api\.openai\.com\/v1 +set +chat, responses, images$/,
    /^demo +simulator +built in, without a real model +none /,
    /^a +text +two: x \(priority 1, weight 1\) +chat, responses$/,
    /^ +demo: a \(priority 2, weight 1\) +chat, responses$/,
    /^a +default, vip +input 0\.25, cached_input 0\.025, output 2 +3 at once$/,
    /^b +vip +free +none$/,
    /^vip +0\.8 +6 requests per minute$/,
    /^pro +20 +month +balance +w$/,
    /^w +a +input 1, output 2, web_search_call 0\.01$/,
  ]) {
    expect(stdout.split('\n')).toContainEqual(expect.stringMatching(line));
  }
  expect(stdout).not.toContain('hush');
});

const nouns = {
  account: ['create', 'list', 'show', 'edit', 'top-up'],
  key: ['create', 'list', 'show', 'edit', 'rotate', 'revoke'],
  group: ['list'],
  usage: ['list', 'show'],
  price: ['list', 'set'],
  subscription: ['add', 'list', 'cancel'],
  ledger: ['reconcile', 'audit'],
  db: ['migrate', 'copy', 'backup', 'restore'],
  'admin-key': ['create', 'list', 'revoke'],
  session: ['list', 'revoke'],
};
const commands = [
  [],
  ['serve'],
  ...Object.entries(nouns).flatMap(([noun, verbs]) => [[noun], ...verbs.map((verb) => [noun, verb])]),
  ['explain'],
  ['config'],
  ['config', 'check'],
  ['version'],
];
test.each(commands.map((words) => ({ words })))('prints usage and exit codes for modelgate $words --help', async ({ words }) => {
  const { code, stdout, stderr } = await modelgate([...words, '--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^Usage: modelgate ?${words.join(' ')}`));
  expect(stdout).toContain('Exit codes:');
  if (words.length !== 1 || ['serve', 'version', 'explain'].includes(words[0] ?? '')) expect(stdout).toContain('Examples:');
});

test('prints the version with version', async () => {
  expect((await modelgate(['version'])).stdout).toMatch(/^modelgate \d+\.\d+\.\d+ \(Node \d+\.\d+\.\d+\)\n$/);
});
