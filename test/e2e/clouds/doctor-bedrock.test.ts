/** `modelgate doctor` over Amazon Bedrock: which credentials are found and when they end, and whether the clocks agree. Nothing costs anything, and no secret is shown. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { json } from '../../fakes/delivery.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { modelgate } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const token = 'session-token-of-temporary-credentials';

let vendor: Fake;
/** The shared files of AWS, whose library reads the environment of the process. */
function findShared(file: string): void {
  for (const name of ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE']) vi.stubEnv(name, file);
}

beforeEach(async () => {
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  findShared(join(temporaryFolder(), 'none'));
  vendor = await openFake();
  vendor.always(json({ message: 'Missing Authentication Token' }, { status: 403 }));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await vendor.close();
});

interface Told {
  readonly part: string;
  readonly state: string;
  readonly detail: string;
  readonly hint?: string;
}

/** What is said of the upstream; the machine itself offers no credentials. */
async function diagnose(auth: object): Promise<Told> {
  const folder = temporaryFolder();
  const baseUrl = new URL(vendor.url).origin;
  const upstreams = { a: { kind: 'anthropic', aws: { region: 'eu-central-1' }, baseUrl, auth: { type: 'sigv4', ...auth } } };
  writeFileSync(
    join(folder, 'modelgate.yaml'),
    stringify({ server: { port: 0 }, admin: { enabled: false }, upstreams, models: [{ id: 'm', kind: 'text', prices: 'free' }] }),
  );
  const { stdout, stderr } = await modelgate(['doctor', '--json'], { folder });
  expect(stderr).toBe('');
  for (const word of [secret, token]) expect(stdout).not.toContain(word);
  // Written by the command, in the shape that the guide shows.
  const { findings } = JSON.parse(stdout) as { findings: Told[] };
  return findings.find(({ part }) => part === 'upstream a') ?? expect.fail('the upstream is not told');
}

test('keys of the file are told as such, and nothing is sent with them', async () => {
  const { state, detail } = await diagnose({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret });
  expect([state, detail]).toEqual(['ok', expect.stringMatching(/configured keys, no expiry/)]);
  expect(vendor.requests.every(({ method, headers }) => method === 'GET' && headers.authorization === undefined)).toBe(true);
});

test('a profile of the shared files is told by its name', async () => {
  const file = join(temporaryFolder(), 'credentials');
  writeFileSync(file, `[work]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = ${secret}\naws_session_token = ${token}\n`);
  findShared(file);
  const { state, detail } = await diagnose({ profile: 'work' });
  expect([state, detail]).toEqual(['ok', expect.stringMatching(/profile work, no expiry/)]);
});

test('a machine without credentials is a fault that says so', async () => {
  const { state, detail } = await diagnose({});
  expect([state, detail]).toEqual(['fault', expect.stringMatching(/no access token: .*[Cc]ould not load credentials/)]);
});

test('a clock that is wrong is a warning', async () => {
  vendor.clear();
  vendor.always(json({}, { status: 403, headers: { date: new Date(Date.now() + 600_000).toUTCString() } }));
  expect(await diagnose({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret })).toMatchObject({
    state: 'warning',
    detail: expect.stringMatching(/clock and this one are \d+ ms apart$/),
  });
});
