/** `modelgate doctor` over the clouds: the address, which credentials are found, and whether the clocks agree. Nothing costs anything, and no secret is shown. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { azure } from '../../fakes/azure.ts';
import { json } from '../../fakes/delivery.ts';
import { FakeEntra } from '../../fakes/entra.ts';
import { account, credentialsAt, FakeGoogle, privatePem } from '../../fakes/google.ts';
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
const awsSecret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const awsToken = 'session-token-of-temporary-credentials';

let [vendor, issuer]: Fake[] = [];
let entra: FakeEntra;
let google: FakeGoogle;
beforeEach(async () => {
  // The library of AWS reads the environment of the process; the machine itself offers no credentials.
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  findShared(join(temporaryFolder(), 'none'));
  [vendor, issuer] = [await openFake(), await openFake()];
  entra = new FakeEntra(rules);
  google = new FakeGoogle(originOf(issuer));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await vendor?.close();
  await issuer?.close();
});

const originOf = (fake: Fake | undefined): string => new URL(fake?.url ?? expect.fail('no fake')).origin;

/** The shared files of AWS. */
function findShared(file: string): void {
  for (const name of ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE']) vi.stubEnv(name, file);
}

async function run(words: readonly string[], upstream: object) {
  const folder = temporaryFolder();
  const models = [{ id: 'm', kind: 'text', prices: 'free' }];
  writeFileSync(
    join(folder, 'modelgate.yaml'),
    stringify({ server: { port: 0 }, admin: { enabled: false }, upstreams: { a: upstream }, models }),
  );
  const ran = await modelgate(words, { folder });
  const secrets = [rules.clientSecret, rules.identityHeader, 'wrong-secret', ...entra.issued, awsSecret, awsToken];
  for (const secret of [...secrets, privatePem.slice(40, 80), 'PRIVATE KEY', 'ya29.'])
    expect(ran.stdout + ran.stderr).not.toContain(secret);
  return ran;
}

interface Cloud {
  /** How vendor and issuer answer. */
  readonly answer: () => void;
  readonly upstream: () => object;
}
const entraAuth = (more: object = {}) => ({
  type: 'entra',
  tenantId: 'tenant-1',
  clientId: 'client-1',
  clientSecret: rules.clientSecret,
  authority: originOf(issuer),
  ...more,
});
const forbid = (headers: Record<string, string> = {}) =>
  vendor?.always(json({ message: 'Missing Authentication Token' }, { status: 403, headers }));
const googleAddress = () => `${originOf(vendor)}/v1/projects/my-project/locations/eu`;

const clouds = {
  azure: {
    answer() {
      issuer?.always(entra.answer);
      vendor?.always(azure({ isGood: entra.isGood, deployments: [], versions: ['2024-10-21'] }));
    },
    upstream: () => ({ kind: 'openai', azure: { resource: 'contoso' }, baseUrl: `${originOf(vendor)}/openai/v1`, auth: entraAuth() }),
  },
  bedrock: {
    answer: () => void forbid(),
    upstream: () => ({ kind: 'anthropic', aws: { region: 'eu-central-1' }, baseUrl: originOf(vendor), auth: { type: 'sigv4' } }),
  },
  vertex: {
    answer: () => void issuer?.always(google.answer),
    upstream: () => ({
      kind: 'gemini',
      google: { project: 'my-project', location: 'eu' },
      baseUrl: googleAddress(),
      auth: { type: 'google', credentials: JSON.stringify(credentialsAt(originOf(issuer)).serviceAccount) },
    }),
  },
} satisfies Record<string, Cloud>;

interface More {
  /** Changes what the cloud answers. */
  readonly prepare?: () => void;
  readonly change?: () => object;
  readonly hint?: RegExp;
  /** The requests that the vendor gets. */
  readonly asked?: readonly string[];
}
type State = 'ok' | 'warning' | 'fault';
type Row = readonly [cloud: keyof typeof clouds, finds: string, state: State, detail: RegExp, more: More];

const keys = { type: 'sigv4', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: awsSecret };
const dated = { azure: { resource: 'contoso', apiVersion: '2024-10-21' }, protocols: ['chat'] };
const token =
  /\/openai\/v1: DNS.*token from client secret, tenant tenant-1, client client-1, audience https:\/\/ai\.azure\.com, until \d{4}-.*models 200 in/;
const googleToken = new RegExp(`locations/eu: DNS.*token from a service account, account ${account}, project my-project, until \\d{4}-`);
const clocks = /clock and this one are \d+ ms apart$/;

function writeProfile(): void {
  const file = join(temporaryFolder(), 'credentials');
  writeFileSync(file, `[work]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = ${awsSecret}\naws_session_token = ${awsToken}\n`);
  findShared(file);
}
function rejectTokens(): void {
  vendor?.clear();
  vendor?.always(azure({ deployments: [] }));
}
function setVendorClock(): void {
  vendor?.clear();
  forbid({ date: new Date(Date.now() + 600_000).toUTCString() });
}
function withAnotherAccount(): object {
  const credentials = JSON.stringify({ ...credentialsAt(originOf(issuer)).serviceAccount, client_email: 'a@b.example' });
  return { auth: { type: 'google', credentials } };
}
const entraAhead = () => Object.assign(entra, { ahead: 600 });
const googleAhead = () => Object.assign(google, { ahead: 600 });
const datedAddress = () => ({ ...dated, baseUrl: `${originOf(vendor)}/openai` });
const claudeAddress = () => ({ kind: 'anthropic', baseUrl: `${originOf(vendor)}/anthropic/v1` });
const wrongSecret = () => ({ auth: entraAuth({ clientSecret: 'wrong-secret' }) });
const withKeys = () => ({ auth: keys });
const withProfile = () => ({ auth: { type: 'sigv4', profile: 'work' } });

const rows: readonly Row[] = [
  ['azure', 'a token with its claims, and the list of models', 'ok', token, { asked: ['/openai/v1/models'] }],
  [
    'azure',
    'the list of models at a dated version',
    'ok',
    /models 200 in/,
    { change: datedAddress, asked: ['/openai/models?api-version=2024-10-21'] },
  ],
  [
    'azure',
    'no list of models of Claude',
    'ok',
    /not tested with its key: modelgate upstream test a$/,
    { change: claudeAddress, asked: [] },
  ],
  [
    'azure',
    'a rejected secret',
    'fault',
    /no access token: .* returned status 401, invalid_client, AADSTS7000215$/,
    { change: wrongSecret },
  ],
  ['azure', 'a rejected token', 'fault', /models 401.*the token was rejected$/, { prepare: rejectTokens, hint: /role.*scope/ }],
  ['azure', 'a wrong clock', 'warning', clocks, { prepare: entraAhead }],
  ['bedrock', 'configured keys', 'ok', /configured keys, no expiry/, { change: withKeys }],
  ['bedrock', 'a profile of the shared files', 'ok', /profile work, no expiry/, { prepare: writeProfile, change: withProfile }],
  ['bedrock', 'a machine without credentials', 'fault', /no access token: .*[Cc]ould not load credentials/, {}],
  ['bedrock', 'a wrong clock', 'warning', clocks, { prepare: setVendorClock, change: withKeys }],
  ['vertex', 'a token with its account', 'ok', googleToken, { asked: [] }],
  ['vertex', 'a rejected key', 'fault', /no access token: .* returned status 400, invalid_grant$/, { change: withAnotherAccount }],
  ['vertex', 'a clock for which the key is rejected', 'fault', /this machine's clock is \d+ seconds behind$/, { prepare: googleAhead }],
];

test.each(rows)('finds over %s %s', async (cloud, _finds, state, detail, { prepare, change, hint, asked }) => {
  clouds[cloud].answer();
  prepare?.();
  const { stdout, stderr } = await run(['doctor', '--json'], { ...clouds[cloud].upstream(), ...change?.() });
  expect(stderr).toBe('');
  // Written by the command, in the shape that the guide shows.
  const { findings } = JSON.parse(stdout) as { findings: { part: string; state: string; detail: string; hint?: string }[] };
  const told = findings.find(({ part }) => part === 'upstream a') ?? expect.fail('the upstream is not told');
  expect([told.state, told.detail]).toEqual([state, expect.stringMatching(detail)]);
  if (hint) expect(told.hint).toMatch(hint);
  if (asked) expect(vendor?.requests.map((request) => request.url)).toEqual(asked);
  // Nothing is sent with the keys of AWS.
  if (cloud === 'bedrock') expect(vendor?.requests.filter(({ method, headers }) => method !== 'GET' || headers.authorization)).toEqual([]);
});

test('G13: names the Google tokens in config check, and nothing of the key', async () => {
  const { stdout, code } = await run(['config', 'check'], clouds.vertex.upstream());
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ google /)]);
});
