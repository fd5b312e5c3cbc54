/** Access tokens of Microsoft Entra: each way to get one, and requests to Azure with tokens that end, are revoked, or cannot be fetched. */
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { openEntra } from '../../../server/providers/auth/entra.ts';
import { collectBodyStart } from '../../../server/providers/collect.ts';
import { openHttpUpstream } from '../../../server/providers/http-upstream.ts';
import type { UpstreamRequest } from '../../../server/providers/upstream.ts';
import { azure } from '../../fakes/azure.ts';
import { json } from '../../fakes/delivery.ts';
import { FakeEntra } from '../../fakes/entra.ts';
import { hangUp, html, later, redirect, silence } from '../../fakes/faults.ts';
import { openFake } from '../../fakes/upstream.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { configureUpstream } from '../settings.ts';

const secrets = {
  clientSecret: 'secret-of-the-application',
  assertion: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJwb2QifQ.cG9k',
  identityHeader: 'secret-of-the-service',
};
const rules = { tenantId: 'tenant-1', clientId: 'client-1', scope: 'https://ai.azure.com/.default', ...secrets };

const vendor = await openFake();
const issuer = await openFake();
const { origin } = new URL(issuer.url);
let entra: FakeEntra;
beforeEach(() => {
  entra = new FakeEntra(rules);
  issuer.always(entra.answer);
  vendor.always(azure({ isGood: entra.isGood, deployments: ['m'] }));
});
afterEach(() => {
  vendor.clear();
  issuer.clear();
});
afterAll(async () => {
  await vendor.close();
  await issuer.close();
});

const bySecret = { tenantId: 'tenant-1', clientId: 'client-1', clientSecret: secrets.clientSecret, authority: origin };

function open(auth: Record<string, unknown> = bySecret, env: Record<string, string> = {}) {
  const baseUrl = `${new URL(vendor.url).origin}/openai/v1`;
  const settings = { kind: 'openai', azure: { resource: 'contoso' }, baseUrl, auth: { type: 'entra', ...auth } };
  const config = configureUpstream(settings);
  const upstream = openHttpUpstream(config, { entra: (one) => openEntra(one, env) });
  onTestFinished(() => upstream.close());
  const order = (gone: EventEmitter): UpstreamRequest => ({
    operation: 'createChatCompletion',
    model: 'm',
    body: createJsonBody({ model: 'm', messages: [] }),
    stream: false,
    session: null,
    requestId: 'req_1',
    gone,
    signal: new AbortController().signal,
  });
  const send = (gone = new EventEmitter()) => upstream.send(order(gone));
  const status = async (): Promise<number> => {
    const answer = await send();
    await collectBodyStart(answer.body, 1_000_000);
    return answer.status;
  };
  return { config, send, status };
}

describe('an Entra credential', () => {
  test.each([
    ['the secret of an application', () => open()],
    [
      'a workload identity, whose file is read again for each token',
      () => {
        const file = join(temporaryFolder(), 'token');
        writeFileSync(file, `${secrets.assertion}\n`);
        return open({ tenantId: 'tenant-1', clientId: 'client-1', federatedTokenFile: file, authority: origin });
      },
    ],
    ['the identity of a machine', () => open({ managedIdentity: true }, { AZURE_POD_IDENTITY_AUTHORITY_HOST: origin })],
    [
      'an identity of a machine by its id',
      () => open({ managedIdentity: true, clientId: 'client-1' }, { AZURE_POD_IDENTITY_AUTHORITY_HOST: origin }),
    ],
    [
      'the identity of a service',
      () => open({ managedIdentity: true }, { IDENTITY_ENDPOINT: `${origin}/msi/token`, IDENTITY_HEADER: secrets.identityHeader }),
    ],
  ])('serves requests with one token from %s', async (_, opened) => {
    const { status } = opened();
    expect([await status(), await status()]).toEqual([200, 200]);
    expect([issuer.requests.length, vendor.connections.opened > 0]).toEqual([1, true]);
    expect(vendor.last.headers).toMatchObject({ authorization: `Bearer ${entra.issued[0]}` });
    expect(vendor.last.headers).not.toHaveProperty('api-key');
  });
});

describe('without a token', () => {
  test.each([
    ['is down', hangUp],
    ['returns a page', html()],
    ['redirects', redirect(`${origin}/tenant-2/oauth2/v2.0/token`)],
    ['returns no token', json({ token_type: 'Bearer', expires_in: 3_600 })],
    ['returns a token that would break the request', json({ access_token: 'a\r\nb', expires_in: 3_600 })],
    ['returns an expired token', json({ access_token: 'abc', expires_on: '1' })],
    ['returns a token without an expiry', json({ access_token: 'abc' })],
  ])('sends nothing if the endpoint %s', async (_, script) => {
    issuer.clear();
    issuer.always(script);
    await expect(open().send()).rejects.toMatchObject({ code: 'upstream_error' });
    expect([vendor.requests.length, issuer.requests.length]).toEqual([0, 1]);
  });

  test('ends the attempt by its own limit if the endpoint is silent', async () => {
    issuer.clear();
    issuer.always(silence);
    await expect(open().send()).rejects.toMatchObject({ code: 'upstream_error', cause: { name: 'TimeoutError' } });
  });

  test("names a file that it can't read, and sends nothing", async () => {
    const file = join(temporaryFolder(), 'missing');
    const { send } = open({ tenantId: 'tenant-1', clientId: 'client-1', federatedTokenFile: file, authority: origin });
    await expect(send()).rejects.toMatchObject({ code: 'upstream_error', cause: { code: 'ENOENT' } });
  });

  test('sends nothing for a caller who leaves during the fetch, and keeps the token for others', async () => {
    const gate = Promise.withResolvers<void>();
    issuer.clear();
    issuer.next((request) => later(gate.promise, entra.answer(request)));
    const { send, status } = open();
    const gone = new EventEmitter();
    const left = expect(send(gone)).rejects.toMatchObject({ code: 'overloaded' });
    const other = status();
    await issuer.arrival(0);
    gone.emit('abort');
    await left;
    gate.resolve();
    expect(await other).toBe(200);
    expect([vendor.requests.length, issuer.requests.length]).toEqual([1, 1]);
  });
});
