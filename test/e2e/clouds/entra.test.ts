/** A gateway whose upstream at Azure proves itself with tokens of Microsoft Entra: calls while tokens end and while none can be fetched, a reload, and no secret anywhere. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { azure, azureFailure } from '../../fakes/azure.ts';
import { FakeEntra } from '../../fakes/entra.ts';
import { failure, hangUp, later } from '../../fakes/faults.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { modelgate } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { recordAttempts } from '../../harness/record-attempts.ts';

const secrets = {
  clientSecret: 'secret-of-the-application',
  assertion: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJwb2QifQ.cG9k',
  identityHeader: 'secret-of-the-service',
};
const rules = { tenantId: 'tenant-1', clientId: 'client-1', scope: 'https://cognitiveservices.azure.com/.default', ...secrets };

interface Stage {
  readonly vendor: Fake;
  readonly issuer: Fake;
  readonly entra: FakeEntra;
  readonly gateway: TestGateway;
  readonly sdk: OpenAI;
}
let stage: Stage;
let file = '';

/** `entra` first; `spare` has a key. */
function settings({ vendor, issuer }: Pick<Stage, 'vendor' | 'issuer'>) {
  const { origin } = new URL(vendor.url);
  const authority = new URL(issuer.url).origin;
  const auth = { type: 'entra', tenantId: 'tenant-1', clientId: 'client-1', federatedTokenFile: file, authority, scope: rules.scope };
  const azurePlace = { azure: { resource: 'contoso' } };
  const prices = { input: '1', output: '4' };
  return {
    upstreams: {
      entra: { kind: 'openai', ...azurePlace, baseUrl: `${origin}/openai/v1`, auth },
      claude: { kind: 'anthropic', ...azurePlace, baseUrl: `${origin}/anthropic/v1`, auth },
      spare: { kind: 'openai', ...azurePlace, baseUrl: `${origin}/openai/v1`, apiKey: 'spare-key-0123456789' },
    },
    models: [
      { id: 'm', kind: 'text', upstream: 'entra', prices },
      { id: 'claude', kind: 'text', upstream: 'claude', prices },
      { id: 'two', kind: 'text', prices, candidates: [{ upstream: 'entra' }, { upstream: 'spare', priority: 2 }] },
    ],
    routing: { maxAttempts: 2 },
  };
}

beforeEach(async () => {
  file = join(temporaryFolder(), 'token');
  writeFileSync(file, secrets.assertion);
  const entra = new FakeEntra(rules);
  const [vendor, issuer] = [await openFake(), await openFake()];
  issuer.always(entra.answer);
  vendor.always(azure({ isGood: entra.isGood, key: 'spare-key-0123456789', deployments: ['m', 'two', 'claude'] }, { text: 'Yes.' }));
  const gateway = await startGateway(settings({ vendor, issuer }));
  const sdk = new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key, maxRetries: 0 });
  stage = { vendor, issuer, entra, gateway, sdk };
});
afterEach(async () => {
  await stage.gateway.close();
  await stage.vendor.close();
  await stage.issuer.close();
});

const messages = [{ role: 'user' as const, content: 'Hi' }];
const chat = (model: string, more: object = {}) => stage.gateway.call('/chat/completions', { json: { model, messages, ...more } });
/** Every answer of this many calls at once. */
const together = (count: number, ask: () => Promise<Response>) => Promise.all(Array.from({ length: count }, ask));

test.each(['m', 'claude'])('serves both callers over %s, whole and streamed, with one token', async (model) => {
  const { sdk, issuer } = stage;
  expect((await sdk.chat.completions.create({ model, messages })).choices[0]?.message.content).toBe('Yes.');
  expect((await sdk.chat.completions.stream({ model, messages }).finalChatCompletion()).choices[0]?.message.content).toBe('Yes.');
  expect((await sdk.responses.create({ model, input: 'Hi' })).output_text).toBe('Yes.');
  expect((await sdk.responses.stream({ model, input: 'Hi' }).finalResponse()).output_text).toBe('Yes.');
  expect(issuer.requests).toHaveLength(1);
});

test('fails no call in flight when tokens expire', async () => {
  const { entra, issuer } = stage;
  const all = async (stream: boolean): Promise<void> => {
    for (const answer of await together(60, () => chat('m', { stream }))) {
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('Yes.');
    }
  };
  await all(false);
  entra.revoke();
  await all(true);
  expect(issuer.requests).toHaveLength(2);
});

test('tries another upstream when it gets no token, and sends nothing to the first', async () => {
  const { issuer, vendor } = stage;
  issuer.clear();
  issuer.always(hangUp);
  const answer = await chat('two');
  expect(answer.headers.get('x-modelgate-attempts')).toMatch(/^entra;error=upstream_error;ms=\d+, spare;status=200;/);
  expect(vendor.requests.map(({ headers }) => headers['api-key'])).toEqual(['spare-key-0123456789']);
  const alone = await chat('m');
  expect([alone.status, vendor.requests.length]).toEqual([502, 1]);
  expect(await alone.json()).toMatchObject({ error: { code: 'upstream_error' } });
  // Neither call keeps its slot.
  expect(stage.gateway.gateway.upstreams.find('entra').getState?.()).toMatchObject({ running: 0 });
  // One line for all failures in a row.
  const warnings = stage.gateway.lines.filter(({ msg }) => String(msg).includes('renewing upstream credentials failed'));
  expect(warnings).toMatchObject([{ level: 'warn', upstream: 'entra', validUntil: null }]);
});

test('returns 502 for an identity without its role, and tries another upstream', async () => {
  const { vendor, issuer } = stage;
  vendor.clear();
  const denied = azureFailure(401, { code: 'PermissionDenied', message: 'The principal lacks the required data action.' });
  vendor.always((request) =>
    request.headers['api-key'] === undefined ? denied : azure({ key: 'spare-key-0123456789', deployments: ['two'] })(request),
  );
  expect((await chat('two')).status).toBe(200);
  expect((await chat('m')).status).toBe(502);
  // One for the first call, and one in its place.
  expect(issuer.requests).toHaveLength(2);
});

test('G13: keeps tokens and the credentials for them out of the log, errors, and config check', async () => {
  const { gateway, vendor, issuer, entra } = stage;
  const told: string[] = [];
  const ask = async (): Promise<void> => {
    for (const more of [{}, { stream: true }]) told.push(await (await chat('m', more)).text());
  };
  await ask();
  const quoted = `The token ${entra.issued[0]} is not valid for Bearer ${entra.issued[0]}`;
  vendor.clear();
  vendor.always(failure(400, { message: quoted }));
  await ask();
  vendor.clear();
  vendor.always(failure(500, { message: quoted }));
  await ask();
  entra.revoke();
  vendor.clear();
  vendor.always(azure({ deployments: [] }));
  writeFileSync(file, 'eyJhbGciOiJSUzI1NiJ9.d3Jvbmc.d3Jvbmc');
  await ask();
  rmSync(file);
  await ask();
  issuer.clear();
  issuer.always(later(0, failure(500, { message: secrets.assertion })));
  await ask();
  const folder = temporaryFolder();
  const full = { ...settings(stage), admin: { enabled: false } };
  const { auth } = full.upstreams.entra;
  const withSecret = { ...auth, clientSecret: secrets.clientSecret, federatedTokenFile: undefined };
  const upstreams = { ...full.upstreams, entra: { ...full.upstreams.entra, auth: withSecret } };
  writeFileSync(join(folder, 'modelgate.yaml'), stringify({ ...full, upstreams }));
  for (const words of [
    ['config', 'check'],
    ['config', 'show'],
    ['doctor', '--json'],
  ]) {
    const { stdout, stderr } = await modelgate(words, { folder });
    expect(stdout).toContain('entra');
    told.push(stdout, stderr);
  }
  const all = JSON.stringify([gateway.lines, told]);
  const looked = [...entra.issued, secrets.clientSecret, secrets.assertion, 'd3Jvbmc', 'spare-key'];
  expect(looked.filter((secret) => all.includes(secret))).toEqual([]);
  expect(entra.issued.length).toBeGreaterThan(0);
  recordAttempts('G13', { what: 'answers and lines about access tokens', times: told.length });
});
