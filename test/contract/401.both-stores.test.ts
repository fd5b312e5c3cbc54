/** Status 401: one answer for every reason, before anything that would tell more. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { issueAdminKey, rotateKey } from '../../server/access/issue-key.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { holdDate } from '../harness/held-clock.ts';
import { request, talk } from '../harness/raw.ts';
import { expectRefusal, headerOf } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const routes = [
  ['GET', '/models'],
  ['POST', '/chat/completions'],
  ['POST', '/responses'],
  ['POST', '/images/generations'],
  ['POST', '/images/edits'],
] as const;

const reasons: readonly (readonly [reason: string, header: () => string | undefined | Promise<string>])[] = [
  ['missing', () => undefined],
  ['empty', () => ''],
  ['of another house', () => 'Bearer sk-proj-1234567890'],
  ['mistyped in its last letter', () => `Bearer ${gateway.key.slice(0, -1)}${gateway.key.endsWith('0') ? '1' : '0'}`],
  ['mistyped in the middle', () => 'Bearer mg-00000000000000000000000000000000000000000000FAKE'],
  ['without its scheme', () => gateway.key],
  ['under another scheme', () => `Basic ${Buffer.from(`:${gateway.key}`).toString('base64')}`],
  ['sent twice in one header', () => `Bearer ${gateway.key}, Bearer ${gateway.key}`],
  ['sent twice behind one scheme', () => `Bearer ${gateway.key} ${gateway.key}`],
  ['behind a tab', () => `Bearer\t${gateway.key}`],
  ['in small letters', () => `Bearer ${gateway.key.toLowerCase()}`],
  ['longer than any key', () => `Bearer ${gateway.key}${'x'.repeat(500)}`],
  ['shaped like SQL', () => "Bearer mg-' OR '1'='1"],
  ['expired', async () => `Bearer ${(await gateway.newKey({ expiresAt: Date.now() - 1 })).key}`],
  [
    'revoked',
    async () => {
      const { key, id } = await gateway.newKey();
      await gateway.revokeKey(id);
      return `Bearer ${key}`;
    },
  ],
  [
    'rotated away without an overlap',
    async () => {
      const { key, id } = await gateway.newKey();
      await gateway.withAccess((access) => rotateKey({ id, overlapMs: 0 }, { ...access, now: Date.now }));
      return `Bearer ${key}`;
    },
  ],
  [
    'of an account that is suspended',
    async () => {
      const { key, id } = await gateway.newKey({ account: 'in arrears' });
      await gateway.withAccess(async ({ store }) => {
        const accountId = (await store.findKeyById(id))?.account.id ?? '';
        const audit = { actor: 'test', action: 'account.edit', target: accountId, details: {}, at: Date.now() };
        expect(await store.editAccount(accountId, { suspendedAt: Date.now() }, audit)).toBe('edited');
      });
      return `Bearer ${key}`;
    },
  ],
  ["an operator's", async () => `Bearer ${(await gateway.withAccess((access) => issueAdminKey('ops', { ...access, now: Date.now }))).key}`],
];

test.each(reasons)('returns 401 with how to send a key, for one that is %s', async (_reason, header) => {
  const authorization = await header();
  const answer = await gateway.call('/models', { key: null, headers: authorization === undefined ? {} : { authorization } });
  await expectRefusal(answer, { code: 'invalid_api_key', says: 'Authorization: Bearer <API_KEY>' });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
});

/** What only the gateway knows: all of it looks the same. */
const secret = ['expired', 'revoked', 'rotated away without an overlap', 'of an account that is suspended'];

test('returns one body for keys that are expired, revoked or of a suspended account', async () => {
  const bodies = new Set<string>();
  for (const [reason, header] of reasons) {
    if (!secret.includes(reason)) continue;
    bodies.add(await (await gateway.call('/models', { key: null, headers: { authorization: String(await header()) } })).text());
  }
  expect(bodies.size).toBe(1);
});

test.each([
  ['missing', undefined, 'is missing'],
  ['without its scheme', 'mg-x', 'bearer token'],
  ['of another provider', 'Bearer sk-proj-1234567890', "begin with 'mg-'"],
  ['incomplete', 'Bearer mg-123', 'mistyped'],
])('names a key that is %s', async (_reason, authorization, says) => {
  const answer = await gateway.call('/models', { key: null, headers: authorization === undefined ? {} : { authorization } });
  await expectRefusal(answer, { code: 'invalid_api_key', says });
});

describe.each(routes)('%s %s', (method, path) => {
  test('rejects a caller without a key before it checks the body', async () => {
    const body =
      method === 'GET' ? {} : { body: '{"model":"no-such-model",', headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' } };
    await expectRefusal(await gateway.call(path, { method, key: null, ...body }), { code: 'invalid_api_key' });
  });

  test('accepts the scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'BeArEr']) {
      const answer = await gateway.call(path, { method, key: null, headers: { authorization: `${scheme} ${gateway.key}` } });
      expect(answer.status).not.toBe(401);
    }
  });
});

test('rejects 25 MB without a key before they are sent', async () => {
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'content-type: application/json',
    `content-length: ${25 * 1_048_576}`,
    'connection: close',
  ];
  const [answer] = await talk(gateway.origin, request(head));
  if (!answer) throw new Error('no answer');
  await expectRefusal(answer, { code: 'invalid_api_key' });
  expect(headerOf(answer, 'www-authenticate')).toBe('Bearer');
});

test('F46: rejects a key that is revoked while it is in use within two seconds', async () => {
  const date = holdDate();
  const held = await startGateway();
  onTestFinished(() => held.close());
  const { key, id } = await held.newKey();
  expect((await held.call('/models', { key })).status).toBe(200);
  await held.revokeKey(id);
  date.pass(1_999);
  expect((await held.call('/models', { key })).status).toBe(401);
});

test('G13: logs no key that was ever sent', async () => {
  const { key } = await gateway.newKey();
  await gateway.lineOf(await gateway.call('/models', { key }));
  await gateway.lineOf(await gateway.call('/models', { key: `${key}x` }));
  expect(JSON.stringify(gateway.lines)).not.toContain(key);
  expect(JSON.stringify(gateway.lines)).not.toContain(gateway.key);
});
