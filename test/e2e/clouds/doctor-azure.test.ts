/** `modelgate doctor` over Azure: its address, a token of Microsoft Entra that is fetched and described, and the list of models with it; nothing costs anything, and no secret is shown. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { azure } from '../../fakes/azure.ts';
import { FakeEntra } from '../../fakes/entra.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { modelgate } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';

const rules = {
  tenantId: 'tenant-1',
  clientId: 'client-1',
  clientSecret: 'secret-of-the-application',
  assertion: 'assertion',
  scope: 'https://ai.azure.com/.default',
  identityHeader: 'secret-of-the-service',
};
let [vendor, issuer]: Fake[] = [];
let entra: FakeEntra;
beforeEach(async () => {
  entra = new FakeEntra(rules);
  [vendor, issuer] = [await openFake(), await openFake()];
  issuer.always(entra.answer);
  vendor.always(azure({ isGood: entra.isGood, deployments: [], versions: ['2024-10-21'] }));
});
afterEach(async () => {
  await vendor?.close();
  await issuer?.close();
});

interface Told {
  readonly part: string;
  readonly state: string;
  readonly detail: string;
  readonly hint?: string;
}

async function diagnose(upstream: object, ...words: readonly string[]): Promise<Told> {
  const folder = temporaryFolder();
  const auth = { type: 'entra', tenantId: 'tenant-1', clientId: 'client-1', clientSecret: rules.clientSecret, authority: originOf(issuer) };
  const settings = { kind: 'openai', azure: { resource: 'contoso' }, baseUrl: `${originOf(vendor)}/openai/v1`, auth, ...upstream };
  writeFileSync(
    join(folder, 'modelgate.yaml'),
    stringify({
      server: { port: 0 },
      admin: { enabled: false },
      upstreams: { a: settings },
      models: [{ id: 'm', kind: 'text', prices: 'free' }],
    }),
  );
  const { stdout, stderr } = await modelgate(['doctor', '--json', ...words], { folder });
  expect(stderr).toBe('');
  for (const secret of [rules.clientSecret, rules.identityHeader, ...entra.issued]) expect(stdout).not.toContain(secret);
  // Written by the command, in the shape that the guide shows.
  const { findings } = JSON.parse(stdout) as { findings: Told[] };
  return findings.find(({ part }) => part === 'upstream a') ?? expect.fail('the upstream is not told');
}
const originOf = (fake: Fake | undefined): string => new URL(fake?.url ?? expect.fail('no fake')).origin;

test('shows the whole address and the claims of the token, and requests the list of models', async () => {
  const { state, detail } = await diagnose({});
  expect(state).toBe('ok');
  expect(detail).toContain(`${originOf(vendor)}/openai/v1: DNS`);
  expect(detail).toMatch(/token from client secret, tenant tenant-1, client client-1, audience https:\/\/ai\.azure\.com, until \d{4}-/);
  expect([vendor?.requests.length, issuer?.requests.length]).toEqual([1, 1]);
});

test.each([
  ['/openai/v1', {}, '/openai/v1/models'],
  ['/openai', { protocols: ['chat'], azure: { resource: 'contoso', apiVersion: '2024-10-21' } }, '/openai/models?api-version=2024-10-21'],
])('the models at %s are listed with the token', async (path, more, url) => {
  const { state, detail } = await diagnose({ baseUrl: `${originOf(vendor)}${path}`, ...more });
  expect([state, detail]).toEqual(['ok', expect.stringMatching(/models 200 in/)]);
  expect(vendor?.requests.map((request) => request.url)).toEqual([url]);
});

test('Claude has no list of models there, and is asked for none', async () => {
  const { state, detail } = await diagnose({ kind: 'anthropic', baseUrl: `${originOf(vendor)}/anthropic/v1` });
  expect([state, detail]).toEqual(['ok', expect.stringMatching(/not tested with its key: modelgate upstream test a$/)]);
  expect(vendor?.requests).toEqual([]);
});

test('a secret that is rejected is a fault with its code', async () => {
  const auth = { type: 'entra', tenantId: 'tenant-1', clientId: 'client-1', clientSecret: 'wrong-secret', authority: originOf(issuer) };
  const { state, detail, hint } = await diagnose({ auth });
  expect([state, detail]).toEqual([
    'fault',
    expect.stringMatching(/no access token: the token endpoint returned status 401, invalid_client, AADSTS7000215$/),
  ]);
  expect(`${detail}${hint}`).not.toContain('wrong-secret');
});

test('a token that Azure refuses is a fault that names role and scope', async () => {
  vendor?.clear();
  vendor?.always(azure({ deployments: [] }));
  const { state, detail, hint } = await diagnose({});
  expect([state, detail, hint]).toEqual([
    'fault',
    expect.stringMatching(/models 401.*the token was rejected$/),
    expect.stringMatching(/role.*scope/),
  ]);
});

test('a clock that is wrong is a warning', async () => {
  entra.ahead = 600;
  expect(await diagnose({})).toMatchObject({ state: 'warning', detail: expect.stringMatching(/clock and this one are \d+ ms apart$/) });
});
