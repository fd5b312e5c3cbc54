/** The operators' commands for accounts, keys, money, prices and the audit log, on a data folder and on a running gateway. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasKeyFormat } from '../../../../server/access/key-format.ts';
import { governed, startAdmin, type TestAdmin } from '../../../harness/admin.ts';
import { modelgate } from '../../../harness/command-line.ts';
import { openFolder } from './governing-stage.ts';

test('creates, tops up, edits, and suspends accounts without a server', async () => {
  const { run, text, json } = openFolder();
  expect(await text('account', 'create', 'acme', '--group', 'vip', '--opening-balance', '25')).toMatch(
    /^Account: +acct_\w+\nName: +acme\nGroup: +vip\n/,
  );
  expect(await text('account', 'top-up', 'acme', '5', '--transfer-id', 'invoice-1')).toBe(
    'invoice-1 was posted. Balance: 30.000000, available: 30.000000.\n',
  );
  expect(await text('account', 'top-up', 'acme', '5', '--transfer-id', 'invoice-1')).toContain(
    'was already posted; nothing changed. Balance: 30.000000',
  );
  const mistaken = await run('account', 'top-up', 'acme', '50', '--transfer-id', 'invoice-1');
  expect(mistaken).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('as a top-up of $5.000000 on acct_') });
  expect(await text('account', 'top-up', 'acme', '--kind', 'correction', '--', '-0.5')).toContain('Balance: 29.500000');
  await text('account', 'edit', 'acme', '--requests-per-minute', '600', '--concurrency', 'observe:20');
  await text('account', 'edit', 'acme', '--tokens-per-minute', 'off', '--suspend', '--name', 'acme gmbh');
  expect(await json('account', 'show', 'acme gmbh')).toMatchObject({
    name: 'acme gmbh',
    group: 'vip',
    suspended: true,
    balance: { balance: '29.500000' },
    limits: {
      requests_per_minute: { limit: 600, mode: 'enforce' },
      tokens_per_minute: { mode: 'off' },
      concurrency: { limit: 20, mode: 'observe' },
    },
  });
  expect(await text('account', 'list')).toMatch(
    /^ID +NAME +GROUP +STATE +BALANCE +HELD +CREATED\nacct_\w+ +acme gmbh +vip +suspended +29\.500000 +0\.000000 +\d{4}-\d\d-\d\d\n$/,
  );
});

test("F50: names a group that isn't configured in account list and explain", async () => {
  const { folder, run, text, json } = openFolder({ groups: { gold: {} } });
  await text('account', 'create', 'ada', '--group', 'gold');
  await text('key', 'create', '--name', 'ci', '--account', 'ada');
  const key = (await json('key', 'list')).data[0].id;
  expect((await run('account', 'list')).stderr).toBe('');
  writeFileSync(join(folder, 'modelgate.yaml'), '');
  const list = await run('account', 'list', '--json');
  expect(list.stderr).toBe("modelgate: Group 'gold' of 1 account isn't in the configuration: it can't call any model.\n");
  expect(JSON.parse(list.stdout).data).toMatchObject([{ name: 'ada', group: 'gold' }]);
  expect(await json('explain', key, 'gpt-5.4')).toMatchObject({
    allowed: false,
    rule: 'group',
    code: 'permission_denied',
    reason: "The group 'gold' of the account ada isn't configured, so the account can't call any model.",
  });
  writeFileSync(join(folder, 'modelgate.yaml'), 'groups: 7');
  expect(await run('account', 'list', '--json')).toMatchObject({ code: 0, stderr: '' });
});

test('creates, edits, rotates, and revokes a key with permissions', async () => {
  const { run, text, json } = openFolder();
  const made = await run(
    ...'key create --name ci --account acme --models play,p* --cap 20/month,2/day --ip-ranges 192.0.2.0/24 --may-store no --manage-keys yes'.split(
      ' ',
    ),
  );
  expect(hasKeyFormat(made.stdout.trim())).toBe(true);
  const id = /^key_\w+/.exec(made.stderr)?.[0] ?? '';
  await text('key', 'edit', id, '--operations', 'createResponse', '--requests-per-minute', '60', '--ip-ranges', 'anywhere');
  expect(await json('key', 'show', id)).toMatchObject({
    name: 'ci',
    ip_ranges: null,
    spending_caps: [
      { amount: '2.000000', period: 'day' },
      { amount: '20.000000', period: 'month' },
    ],
    account: { name: 'acme' },
    permissions: { operations: ['createResponse'], models: ['play', 'p*'], may_store: false, manage_keys: true },
    limits: { requests_per_minute: { limit: 60, mode: 'enforce' } },
  });
  await text('account', 'edit', 'acme', '--max-self-service-keys', '3');
  await text('account', 'edit', 'acme', '--delegate', 'yes');
  await text('account', 'edit', 'acme', '--alert-below', '2.50');
  expect(await json('account', 'show', 'acme')).toMatchObject({ self_service: { max_keys: 3, delegate: true }, alert_below: '2.500000' });
  expect(await text('account', 'edit', 'acme', '--alert-below', 'default')).toMatch(/Alert below:\s+as configured/);
  expect(await text('account', 'show', 'acme')).toMatch(/Self-service keys:\s+3 at most, which can create others/);
  expect(await text('key', 'show', id)).toMatch(/Manages keys:\s+yes/);
  await text('key', 'edit', id, '--cap', 'none', '--models', 'all', '--requests-per-minute', 'default', '--expires', 'never');
  expect(await json('key', 'show', id)).toMatchObject({
    spending_caps: [],
    expires_at: null,
    limits: { requests_per_minute: null },
    permissions: { operations: ['createResponse'], models: null, may_store: false },
  });
  const rotated = await run('key', 'rotate', id, '--overlap', '7d');
  expect(hasKeyFormat(rotated.stdout.trim())).toBe(true);
  expect(rotated.stderr).toMatch(new RegExp(`^key_\\w+ replaces ${id}, which expires \\d{4}-`));
  expect((await run('key', 'rotate', id)).stderr).toMatch(/^modelgate: This key was replaced by key_\w+\. Rotate that key instead\.\n$/);
  expect(await text('key', 'revoke', id)).toBe(`${id} was revoked.\n`);
  expect((await json('key', 'list', '--account', 'acme')).data.map(({ state }: { state: string }) => state)).toEqual(['revoked', 'active']);
});

test('prints the results of group list, price set, subscription add, and ledger, and adds them to the audit log', async () => {
  const { text, json } = openFolder();
  await text('account', 'create', 'acme');
  expect(await text('group', 'list')).toMatch(/\nvip +0\.500000 +as configured +as configured +as configured +play, pearl, draw, gift\n/);
  expect(await text('price', 'set', 'play', '--input', '3', '--output', '9', '--tool', 'web_search_call=0.01')).toBe(
    'Version 2 of standard/play: input 3, cached_input 0.2, output 9, web_search_call 0.01\nBefore: input 2, cached_input 0.2, output 8\n',
  );
  await text('price', 'set', 'draw', '--image', '1024x1024/high=0.2', '--image', 'default=0.3');
  expect(await text('price', 'list')).toMatch(
    /\nstandard +play +2 +admin +\S+ +input 3, cached_input 0\.2, output 9, web_search_call 0\.01\n/,
  );
  expect(await text('subscription', 'add', 'acme', 'pro')).toMatch(/\nsub_\w+ +pro +active +20\.000000 +month +stop +\S+ +never\n$/);
  const [{ id }] = (await json('subscription', 'list', 'acme')).data;
  expect(await text('subscription', 'cancel', id)).toBe(`${id} is cancelled.\n`);
  expect(await text('ledger', 'reconcile')).toMatch(/^The ledger is consistent\.\nAccounts: \d\n/);
  expect(await text('usage', 'charges', 'acme')).toBe('No paid calls.\n');
  expect(
    (await text('ledger', 'audit'))
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(/ {2,}/).slice(2, 4)),
  ).toEqual([
    ['cli', 'subscription.cancel'],
    ['cli', 'subscription.create'],
    ['cli', 'price.set'],
    ['cli', 'price.set'],
    ['cli', 'account.create'],
  ]);
});

test('prints with explain whether a call is allowed, and the rule that decides', async () => {
  const { run, text } = openFolder();
  const made = await run('key', 'create', '--account', 'acme', '--models', 'p*');
  const id = /^key_\w+/.exec(made.stderr)?.[0] ?? '';
  expect(await text('explain', id, 'draw')).toMatch(
    /^Allowed: +no: The key's permissions don't include this model\.\nRule: +models\nError code: +permission_denied\n/,
  );
  expect(await text('explain', made.stdout.trim(), 'play')).toMatch(/^Allowed: +no: The account's balance is used up\.\nRule: +balance\n/);
  await text('account', 'top-up', 'acme', '1');
  const allowed = await text('explain', id, 'play', '--operation', 'createResponse');
  expect(allowed).toMatch(/^Allowed: +yes\nKey: /);
  expect(allowed).toMatch(/\nPrice: +input 2, cached_input 0\.2, output 8 \(standard, not active yet\)\n/);
  expect(allowed).toMatch(/\nkey +requests +60 +enforce +-\n/);
  expect(await text('explain', '--help')).toMatch(/kept for\s+30 days/);
});

test('C14: warns of patterns that match no model of the group, and creates the key', async () => {
  const { run } = openFolder();
  const made = await run('key', 'create', '--account', 'acme', '--models', 'play,gpt-9*,pearl');
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mg-/) });
  expect(made.stderr).toContain(
    "modelgate: --models: 'gpt-9*', 'pearl' fit no model that accounts of the group default can call: play, draw, gift.\n",
  );
  const id = /^key_\w+/.exec(made.stderr)?.[0] ?? '';
  expect((await run('key', 'edit', id, '--models', 'p*')).stderr).toBe('');
  expect((await run('key', 'edit', id, '--models', 'grok*')).stderr).toMatch(/^modelgate: --models: 'grok\*' fits no model that accounts /);
});

test('C14: warns that a cap has no effect while billing is off, and creates the key', async () => {
  const { run } = openFolder({ billing: 'off' });
  const made = await run('key', 'create', '--account', 'acme', '--cap', '5/day');
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('--cap: has no effect while billing is off') });
});

test('C14: reports when key create creates an account, and suggests one with a similar name', async () => {
  const { run } = openFolder();
  await run('account', 'create', 'research');
  const { code, stderr } = await run('key', 'create', '--account', 'reserch');
  expect(code).toBe(0);
  expect(stderr).toMatch(/^key_\w+ "unnamed" of new account reserch, /);
  expect(stderr).toContain('modelgate: The account reserch is new and has no balance yet: modelgate account top-up reserch 10\n');
  expect(stderr).toMatch(/modelgate: --account: did you mean research\? Then revoke this key: modelgate key revoke key_\w+\n$/);
  expect((await run('key', 'create', '--account', 'research')).stderr).not.toContain('modelgate: ');
});

test('revokes and lists with an unreadable configuration, and says why a command needs it', async () => {
  const settings = { ...governed, upstreams: { vendor: { kind: 'openai', apiKey: '$' + '{NOT_SET_HERE}' } } };
  const { run } = openFolder(settings);
  const made = await run('key', 'create');
  const id = /^key_\w+/.exec(made.stderr)?.[0] ?? '';
  expect(await run('key', 'revoke', id)).toMatchObject({ code: 0, stdout: `${id} was revoked.\n` });
  expect(await run('account', 'list')).toMatchObject({ code: 0 });
  const { code, stderr } = await run('account', 'edit', 'default', '--group', 'vip');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^modelgate: the configuration has a problem.*\n.*NOT_SET_HERE, which isn't set/);
});

describe('against a running gateway', () => {
  let admin: TestAdmin;
  beforeAll(async () => {
    admin = await startAdmin(governed);
  });
  afterAll(() => admin.close());
  const remote = (words: string[], key: string | undefined = admin.key, url = admin.origin) =>
    modelgate([...words, '--url', url], { env: key === '' ? {} : { MODELGATE_ADMIN_KEY: key } });

  test('accepts the same commands with --url and an operator key, which the audit log names', async () => {
    expect(await remote(['account', 'create', 'acme', '--json'])).toMatchObject({ code: 0, stderr: '' });
    const made = await remote(['key', 'create', '--account', 'acme', '--name', 'remote', '--requests-per-minute', '3']);
    const id = /^key_\w+/.exec(made.stderr)?.[0] ?? '';
    await remote(['account', 'top-up', 'acme', '1'], undefined, `${admin.origin}/admin/v1/`);
    const explained = await remote(['explain', id, 'play']);
    expect(explained.stdout).toMatch(/^Allowed: +yes\n/);
    expect(explained.stdout).toMatch(/\nkey +requests +3 +enforce +3\n/);
    const audit = JSON.parse((await remote(['ledger', 'audit', '--limit', '1', '--json'])).stdout);
    expect(audit).toMatchObject({ data: [{ actor: admin.keyId, action: 'balance.adjust' }], has_more: true });
    expect(await remote(['account', 'show', 'none'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `modelgate: Account 'none' not found. See: modelgate account list --url ${admin.origin}\n`,
    });
  });

  test('prints the calls of an account with usage charges, and the receipt of one with usage receipt', async () => {
    const { id: accountId } = (await admin.call('POST', '/accounts', { name: 'buyer', opening_balance: '1' })).body;
    const { version } = (await admin.call('POST', '/prices', { model: 'play', prices: { input: '2', output: '8' } })).body;
    const order = { requestId: 'req_paid', accountId, keyId: 'key_1', caps: [], model: 'play', operation: 'createResponse' };
    await admin.ledger.reserve({ ...order, priceVersion: version, multiplier: 500_000, amount: 900n, node: 'node_1', at: Date.now() });
    const metered = { input: 101, cachedInput: 0, cacheWrite: 0, output: 50, reasoning: 0, images: {} };
    await admin.ledger.post({
      requestId: 'req_paid',
      cost: 301n,
      metered,
      isEstimated: true,
      outcome: 'client_disconnected',
      at: Date.now(),
    });
    expect((await remote(['usage', 'charges', 'buyer'])).stdout).toMatch(
      /\nreq_paid +\S+ +play +posted +101 +50 \(estimated\) +0\.000301 +balance\n$/,
    );
    const receipt = (await remote(['usage', 'receipt', 'req_paid'])).stdout;
    expect(receipt).toMatch(/\nState: +posted, client_disconnected\n/);
    expect(receipt).toMatch(
      /\ninput +101 +2\.000000 per million tokens +0\.000202000000\noutput +50 +8\.000000 per million tokens +0\.000400000000\n/,
    );
    expect(receipt).toMatch(
      /\nSubtotal: +0\.000602000000\n× multiplier: +0\.500000\n\+ rounding: +0\.0{18}\nCost: +0\.000301\nCharged: +0\.000301, tokens estimated\n$/,
    );
  });

  test('lists the entries of all pages', async () => {
    const limits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };
    const audit = { actor: 'test', action: 'account.create', target: 'many', details: {}, at: 0 };
    for (let n = 0; n < 1001; n++) {
      const account = { id: `acct_${n}`, name: `account ${n}`, group: 'default', limits, createdAt: n, suspendedAt: null };
      await admin.access.store.addAccount(account, audit);
    }
    const { stdout } = await remote(['account', 'list', '--json']);
    const names = JSON.parse(stdout).data.map(({ name }: { name: string }) => name);
    expect(names).toEqual((await admin.access.store.listAccounts()).map(({ name }) => name));
  });

  test.each([
    { name: 'without a key', key: '', url: undefined, says: /Set MODELGATE_ADMIN_KEY to an admin key.*admin-key create/ },
    { name: 'with a wrong key', key: 'mga-wrong', url: undefined, says: /The API key is missing, mistyped, expired, or revoked/ },
    {
      name: 'at an address where nothing listens',
      key: 'mga-x',
      url: 'http://127.0.0.1:1',
      says: /Can't reach http:\/\/127\.0\.0\.1:1: .*such as http:\/\/127\.0\.0\.1:8081/,
    },
    { name: 'with a --url that is not an address', key: 'mga-x', url: 'gateway', says: /--url must be a URL such as/ },
  ])('prints one reason for a call $name', async ({ key, url, says }) => {
    const { code, stdout, stderr } = await remote(['account', 'list'], key, url);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/\n +at /);
  });
});
