/** What an operator reads of the configuration over the admin API, and a reload of exactly the file that was checked. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { ConfigCheck, ConfigSettings } from '../../contract/admin/configuration.ts';
import { getConfigSchema } from '../../server/config/is-secret.ts';
import { refusalOf, startAdmin, type TestAdmin } from '../harness/admin.ts';

const word = 'hunter2verysecret';
const vendor = (settings: object) => ({ baseUrl: 'https://vendor.example/v1', ...settings });
const settings = {
  upstreams: {
    vendor: vendor({ kind: 'openai', apiKey: `\${VENDOR_KEY}`, headers: { 'x-org': `${word}-header` } }),
    many: vendor({ kind: 'openai-compatible', apiKeys: [`${word}-1`, `\${VENDOR_KEY}`] }),
    claude: vendor({ kind: 'anthropic', apiKey: `${word}-a`, headers: { 'x-org': `${word}-b` } }),
    gem: vendor({ kind: 'gemini', apiKeys: [`${word}-g`], headers: { 'x-org': `${word}-h` } }),
  },
  limits: { perKey: { requestsPerMinute: 60 } },
  models: [
    { id: 'play.1', kind: 'text', prices: { input: '2', output: '8' } },
    { id: 'wide', kind: 'text', candidates: [{ upstream: 'many', weight: 3 }, { upstream: 'vendor' }], prices: 'free' },
  ],
};

let admin: TestAdmin;
let written: Record<string, unknown>;
beforeEach(async () => {
  admin = await startAdmin(settings, { isReloading: true, env: { VENDOR_KEY: `${word}-env` } });
  written = parse(readFileSync(admin.file, 'utf8'));
});
afterEach(() => admin.close());

const show = async (query = '') => ConfigSettings.parse((await admin.call('GET', `/config${query}`)).body);
const check = async () => ConfigCheck.parse((await admin.call('POST', '/config/check')).body);
const write = (changes: object) => writeFileSync(admin.file, stringify({ ...written, ...changes }));

test('shows each active value with its source: line, variable or default', async () => {
  const { entries, file } = await show();
  expect(file).toBe(admin.file);
  const found = (key: string) => entries.find((entry) => entry.key === key);
  expect(found('server.heartbeatMs')).toEqual({
    key: 'server.heartbeatMs',
    value: '15000',
    secret: false,
    source: { kind: 'default', file: null, line: null, name: null },
  });
  const lines = stringify(written).split('\n');
  const price = found('models.play.1.prices.input');
  expect(price).toMatchObject({ value: '2', source: { kind: 'file', name: null } });
  expect(lines[(price?.source.line ?? 0) - 1]).toMatch(/input: "2"/);
  const key = found('upstreams.vendor.apiKey');
  expect(key).toMatchObject({ value: null, secret: true, source: { kind: 'environment', name: 'VENDOR_KEY' } });
  expect(lines[(key?.source.line ?? 0) - 1]).toContain('apiKey');
  expect(found('models.wide.candidates')?.value).toContain('"weight":3');
  expect(found('models.wide.upstream')).toBeUndefined();
  expect(found('models.play.1.upstream')).toMatchObject({ value: 'vendor', source: { kind: 'default' } });
});

test('lists keys in the order of the file, and defaults last', async () => {
  const places = (await show()).entries.map(({ source }) => source.line ?? Number.POSITIVE_INFINITY);
  expect(places).toEqual(places.toSorted((one, other) => (one < other ? -1 : Number(one > other))));
  expect(places[0]).toBe(1);
});

test('finds a part by its key or its source', async () => {
  expect((await show('?under=limits')).entries.map(({ key }) => key)).toEqual(['limits.perKey.requestsPerMinute']);
  expect((await show('?under=limit')).entries).toEqual([]);
  const { entries } = await show('?source=environment');
  expect(entries.map(({ key }) => key).filter((key) => key.startsWith('upstreams'))).toEqual([
    'upstreams.vendor.apiKey',
    'upstreams.many.apiKeys',
  ]);
});

/** Places in the schema that are marked, by the names of their keys. */
function marked(schema: unknown, path: readonly string[] = []): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { writeOnly } = schema as { writeOnly?: boolean };
  const inner = Object.entries(schema).flatMap(([name, part]) => marked(part, [...path, name]));
  return writeOnly === true
    ? [path.filter((name) => !/^(?:properties|items|additionalProperties|oneOf|anyOf|\d+)$/.test(name)).join('.')]
    : inner;
}

test('C13: shows no secret of any field of the schema, neither in the list nor in a check', async () => {
  expect([...new Set(marked(getConfigSchema()))].sort()).toEqual([
    'admin.oidc.clientSecret',
    'alerts.mail.password',
    'alerts.webhooks.secret',
    'alerts.webhooks.url',
    'database.url',
    'redis.url',
    'upstreams.apiKey',
    'upstreams.apiKeys',
    'upstreams.auth.accessKeyId',
    'upstreams.auth.clientSecret',
    'upstreams.auth.credentials',
    'upstreams.auth.secretAccessKey',
    'upstreams.auth.sessionToken',
    'upstreams.headers',
  ]);
  const stores = { database: { url: `postgres://a:${word}@db.example/x` }, redis: { url: `redis://:${word}@redis.example` } };
  const upstreams = structuredClone(settings.upstreams);
  Object.assign(upstreams.vendor, { apiKey: `${word}-new`, headers: { 'x-org': `${word}-new` } });
  const hook = { name: 'ops', url: `https://ops.example/?token=${word}`, secret: `whsec_${Buffer.alloc(24, word).toString('base64')}` };
  const mail = { name: 'post', host: 'smtp.example', user: 'a', password: `${word} of ours`, from: 'a@b.example', to: ['c@d.example'] };
  const oidc = {
    issuer: 'https://login.example',
    clientId: 'gateway',
    clientSecret: word,
    roles: { claim: 'groups', map: { ops: 'admin' } },
  };
  const entra = { type: 'entra', tenantId: 'contoso', clientId: 'gateway', clientSecret: `${word}-new` };
  Object.assign(upstreams, { cloud: { kind: 'openai', azure: { resource: 'contoso' }, auth: entra } });
  write({ ...stores, upstreams, alerts: { webhooks: [hook], mail: [mail] }, admin: { publicUrl: 'https://admin.example', oidc } });
  const told = [await admin.call('GET', '/config'), await admin.call('POST', '/config/check'), await admin.call('GET', '/audit')];
  for (const { status, body } of told) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toMatch(/unter2|very|secret-|whsec_/);
  }
  const { changed, added, needs_restart } = ConfigCheck.parse(told[1]?.body);
  const secrets = [...changed, ...added].filter(({ secret }) => secret).map(({ key }) => key);
  expect(secrets).toEqual(expect.arrayContaining(['upstreams.vendor.apiKey', 'upstreams.vendor.headers.x-org']));
  expect(needs_restart).toEqual(expect.arrayContaining(['database.url']));
});

test('lists the changes of a reload with their values in a check, and applies none', async () => {
  const models = [...settings.models.slice(1), { id: 'fresh', kind: 'text', prices: 'free' }];
  write({ models, limits: { perKey: { requestsPerMinute: 90, concurrency: 3 } }, log: { level: 'debug' }, billing: 'off' });
  const checked = await check();
  expect(checked).toMatchObject({
    added: [
      { key: 'limits.perKey.concurrency', before: null, after: '3' },
      { key: 'models.fresh', before: null, after: null },
    ],
    removed: [{ key: 'models.play.1' }],
    needs_restart: ['billing'],
    problems: [],
  });
  expect(checked.changed).toEqual([
    { key: 'log.level', before: 'info', after: 'debug', secret: false },
    { key: 'billing', before: 'enforce', after: 'off', secret: false },
    { key: 'limits.perKey.requestsPerMinute', before: '60', after: '90', secret: false },
  ]);
  expect((await show('?under=billing')).entries).toMatchObject([{ value: 'enforce' }]);
  const { data } = (await admin.call('GET', '/audit')).body;
  expect(data[0]).toMatchObject({ action: 'config.check', details: { digest: checked.digest, problems: 0 } });
});

test('reports a broken file with file, line, key and remedy', async () => {
  appendFileSync(admin.file, 'serverr:\n  port: 1\n');
  const line = stringify(written).split('\n').length;
  const { problems, changed, digest } = await check();
  expect(problems).toEqual([
    {
      where: `${admin.file}:${line}:1`,
      file: admin.file,
      line,
      key: 'serverr',
      message: "isn't a known key",
      hint: 'Did you mean server?',
    },
  ]);
  expect(changed).toEqual([]);
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
});

test('reloads the checked file by its digest, and rejects any other with its own code', async () => {
  write({ log: { level: 'debug' } });
  const { digest } = await check();
  appendFileSync(admin.file, '# a comment\n');
  const reload = () => admin.call('POST', '/config/reload', { digest });
  expect(refusalOf(await reload())).toMatchObject({ status: 409, code: 'config_changed' });
  appendFileSync(admin.file, 'serverr: {}\n');
  expect(refusalOf(await reload())).toMatchObject({ status: 409, code: 'config_changed' });
  expect((await show('?under=log')).entries).toMatchObject([{ value: 'info' }]);
  write({ log: { level: 'debug' } });
  expect(await reload()).toMatchObject({ status: 200, body: { changed: ['log.level'] } });
  expect((await show('?under=log')).entries).toMatchObject([{ value: 'debug', source: { kind: 'file' } }]);
  const { data } = (await admin.call('GET', '/audit')).body;
  expect(data[0]).toMatchObject({ action: 'config.reload', details: { changed: ['log.level'], digest } });
  // Without a body, as before.
  expect(await admin.call('POST', '/config/reload')).toMatchObject({ status: 200, body: { changed: [] } });
});

test('lists only keys that the file can have, in the check and in the reload', async () => {
  const [play, wide] = settings.models;
  const { vendor: first, ...upstreams } = settings.upstreams;
  const changes: readonly [object, readonly string[]][] = [
    [{ upstreams: { vendor: { ...first, fields: { deny: ['logit_bias'] } }, ...upstreams } }, ['upstreams.vendor.fields']],
    [{ models: [{ ...play, accepts: { efforts: ['low'] } }, wide] }, ['models.play.1.accepts']],
    [{ models: [{ ...play, responsesOnly: 'tools' }, wide] }, ['models.play.1.responsesOnly']],
    [{ models: [{ ...play, upstream: 'many' }, wide] }, ['models.play.1.ownedBy', 'models.play.1.upstream', 'models.play.1.protocols']],
  ];
  for (const [change, keys] of changes) {
    write(change);
    // A reload names the object that contains a value of an upstream.
    const checked = (await check()).changed.map(({ key }) => key.replace('.fields.deny', '.fields'));
    const reloaded = (await admin.call('POST', '/config/reload')).body.changed;
    expect([checked, reloaded]).toEqual([keys, keys]);
    write({});
    await admin.call('POST', '/config/reload');
  }
});
