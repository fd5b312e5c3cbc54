/** Access tokens of Google: each way to get one, and requests to Vertex AI with tokens that end, are revoked, or cannot be fetched. */
import { EventEmitter } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { openGoogle } from '../../../server/providers/auth/google.ts';
import { collectBodyStart } from '../../../server/providers/collect.ts';
import { openHttpUpstream } from '../../../server/providers/http-upstream.ts';
import type { UpstreamRequest } from '../../../server/providers/upstream.ts';
import { json } from '../../fakes/delivery.ts';
import { hangUp, html } from '../../fakes/faults.ts';
import { credentialsAt, FakeGoogle, privatePem, secrets } from '../../fakes/google.ts';
import { openFake } from '../../fakes/upstream.ts';
import { vertex } from '../../fakes/vertex.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { configureUpstream } from '../settings.ts';

const vendor = await openFake();
const issuer = await openFake();
const { origin, host } = new URL(issuer.url);
const given = credentialsAt(origin);
const models = { google: ['gemini-3.5-flash'], anthropic: [], openapi: [], endpoints: [] };
let google: FakeGoogle;
beforeEach(() => {
  google = new FakeGoogle(origin);
  issuer.always(google.answer);
  vendor.always(vertex({ isGood: google.isGood, project: 'my-project', location: 'eu', models }));
});
afterEach(() => {
  vendor.clear();
  issuer.clear();
});
afterAll(async () => {
  await vendor.close();
  await issuer.close();
});

/** No file of gcloud, and no metadata server but the fake one. */
const machine = () => ({ CLOUDSDK_CONFIG: temporaryFolder(), GCE_METADATA_HOST: host });
const write = (value: unknown, name = 'credentials.json'): string => {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
};

function open(credentials: unknown = given.serviceAccount, env: Record<string, string> = machine(), more: object = {}) {
  const text = typeof credentials === 'string' ? credentials : JSON.stringify(credentials);
  const baseUrl = `${new URL(vendor.url).origin}/v1/projects/my-project/locations/eu`;
  const auth = { type: 'google', ...more, ...(credentials !== null && { credentials: text }) };
  const settings = { kind: 'gemini', google: { project: 'my-project', location: 'eu' }, baseUrl, auth, maxPendingRequests: 1_000 };
  const config = configureUpstream(settings);
  const upstream = openHttpUpstream(config, { google: (one) => openGoogle(one, env) });
  onTestFinished(() => upstream.close());
  const order = (): UpstreamRequest => ({
    operation: 'createChatCompletion',
    path: '/models/gemini-3.5-flash:generateContent',
    model: 'gemini-3.5-flash',
    body: createJsonBody({ contents: [] }),
    stream: false,
    session: null,
    requestId: 'req_1',
    gone: new EventEmitter(),
    signal: new AbortController().signal,
  });
  const send = () => upstream.send(order());
  const status = async (): Promise<number> => {
    const answer = await send();
    await collectBodyStart(answer.body, 1_000_000);
    return answer.status;
  };
  const describeIt = async () => (await openGoogle(config, env).describe?.()) ?? expect.fail('no description');
  return { send, status, describeIt };
}

const fileOf = (text: string, format?: object) => given.federation({ file: write(text, 'token'), ...(format && { format }) });
const asAccount = { service_account_impersonation_url: given.impersonation };

describe('a Google credential', () => {
  const impersonation = new URL(given.impersonation).pathname;
  test.each([
    ['a key file whose path is in the configuration', ['/token'], () => open(write(given.serviceAccount))],
    ['a key as JSON', ['/token'], () => open()],
    [
      'the file of the environment',
      ['/token'],
      () => open(null, { ...machine(), GOOGLE_APPLICATION_CREDENTIALS: write(given.serviceAccount) }),
    ],
    [
      'the login of gcloud',
      ['/token'],
      () => {
        const folder = join(temporaryFolder(), 'gcloud');
        mkdirSync(folder);
        writeFileSync(join(folder, 'application_default_credentials.json'), JSON.stringify(given.user));
        return open(null, { ...machine(), CLOUDSDK_CONFIG: folder });
      },
    ],
    ['the account of the machine', ['/computeMetadata/v1/instance/service-accounts/default/token'], () => open(null)],
    ['federation by a file', ['/v1/token'], () => open(fileOf(`${secrets.subject}\n`))],
    [
      'federation by a field of a file',
      ['/v1/token'],
      () => open(fileOf(JSON.stringify({ t: secrets.subject }), { type: 'json', subject_token_field_name: 't' })),
    ],
    [
      'federation by an address, as an account',
      ['/subject', '/v1/token', impersonation],
      () => {
        const format = { type: 'json', subject_token_field_name: 'id_token' };
        return open(given.federation({ url: `${origin}/subject`, headers: { 'x-platform': 'pod' }, format }, asAccount));
      },
    ],
    ['impersonation', ['/token', impersonation], () => open(given.impersonated)],
  ])('gets a token by %s, from %j', async (_, paths, opened) => {
    const { status } = opened();
    expect([await status(), await status()]).toEqual([200, 200]);
    expect(issuer.requests.map(({ path }) => path)).toEqual(paths);
    expect(vendor.last.headers.authorization).toBe(`Bearer ${google.issued.at(-1)}`);
  });

  test('names the project that pays for the quota, where the credentials or the machine do', async () => {
    await open(given.user).status();
    expect(vendor.last.headers).toMatchObject({ 'x-goog-user-project': 'payer-1' });
    await open(given.serviceAccount, { ...machine(), GOOGLE_CLOUD_QUOTA_PROJECT: 'payer-2' }).status();
    expect(vendor.last.headers).toMatchObject({ 'x-goog-user-project': 'payer-2' });
    await open().status();
    expect(vendor.last.headers).not.toHaveProperty('x-goog-user-project');
  });

  test("uses the configured scopes, and the platform's to act as another account", async () => {
    google.scope = 'https://scope.example/models';
    const auth = { scopes: [google.scope] };
    for (const credentials of [given.serviceAccount, given.impersonated, { ...fileOf(secrets.subject), ...asAccount }])
      expect(await open(credentials, machine(), auth).status()).toBe(200);
    expect(await open(null, machine(), auth).status()).toBe(200);
    expect(
      await open(given.serviceAccount)
        .status()
        .catch(({ code }) => code),
    ).toBe('upstream_error');
  });
});

describe('without a token', () => {
  test.each([
    ['is down', hangUp, 'other side closed'],
    ['returns a page', html(), 'returned no token'],
    ['returns no token', json({ expires_in: 3_600 }), 'returned no token'],
    ['returns a token that would break the request', json({ access_token: 'a\r\nb', expires_in: 3_600 }), 'returned no token'],
    ['returns a token without an expiry', json({ access_token: 'abc' }), 'expired token'],
  ])('sends nothing if the endpoint %s', async (_, script, words) => {
    issuer.clear();
    issuer.always(script);
    const error = await open()
      .send()
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'upstream_error', cause: { message: expect.stringContaining(words) } });
    expect(vendor.requests).toEqual([]);
  });

  test.each([
    [
      'a key of another account',
      () => ({ ...given.serviceAccount, client_email: 'other@x.iam.gserviceaccount.com' }),
      '400, invalid_grant',
    ],
    ['a key that is none', () => ({ ...given.serviceAccount, private_key: 'none' }), "private_key in the credentials isn't an RSA key"],
    ['a refresh token that was revoked', () => ({ ...given.user, refresh_token: 'revoked' }), '400, invalid_grant'],
    ['a federated token of another pod', () => fileOf('another'), '400, invalid_grant'],
    [
      'an account that may not be acted as',
      () => ({ ...fileOf(secrets.subject), service_account_impersonation_url: `${origin}/none` }),
      'status 404, not_found',
    ],
  ])('reports the code, and no word of the provider, for %s', async (_, credentials, words) => {
    const error = await open(credentials())
      .send()
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'upstream_error', cause: { message: expect.stringContaining(words) } });
    const told = String(error) + String((error as Error).cause);
    for (const secret of [privatePem, 'revoked', 'another', 'eyJ', 'ya29']) expect(told).not.toContain(secret);
  });

  test.each([
    ['a file that is missing', () => open('/nowhere/key.json'), /can't read the file in credentials: ENOENT/],
    ['a file that is no JSON', () => open(write('secret text')), /^the content of credentials isn't valid JSON$/],
    [
      'credentials of a program',
      () => open(write(given.federation({ executable: { command: 'x' } }))),
      /credential_source that isn't supported/,
    ],
    [
      'credentials of AWS',
      () => open(write(given.federation({ environment_id: 'aws1', url: `${origin}/subject` }))),
      /credential_source that isn't supported/,
    ],
    ['no field', () => open(fileOf('{}', { type: 'json', subject_token_field_name: 't' })), /has no field with this name/],
    ['no file of the pod', () => open(given.federation({ file: '/nowhere/token' })), /can't read the federated token file: ENOENT/],
    ['nothing at all', () => open(null, { ...machine(), GCE_METADATA_HOST: '127.0.0.1:1' }), /no Google credentials/],
  ])('reports %s, and sends nothing', async (_, opened, words) => {
    const error = await opened()
      .send()
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'upstream_error', cause: { message: expect.stringMatching(words) } });
    expect([vendor.requests.length, issuer.requests.length]).toEqual([0, 0]);
  });

  test('rejects another server with the name of the metadata server', async () => {
    issuer.clear();
    issuer.always(json({ access_token: 'abc', expires_in: 3_600 }));
    await expect(open(null).send()).rejects.toMatchObject({ cause: { message: "the metadata server isn't Google's" } });
  });

  test.each([
    [600, '600 seconds behind'],
    [-600, '600 seconds ahead'],
  ])('reports a wrong clock (%i)', async (ahead, words) => {
    google.ahead = ahead;
    const error = await open()
      .send()
      .catch((cause: unknown) => cause);
    expect(String((error as Error).cause)).toMatch(
      new RegExp(`status 400, invalid_grant; this machine's clock is ${words.replace('600', '(599|600|601)')}`),
    );
  });
});
