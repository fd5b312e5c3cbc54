/** `modelgate doctor` over Vertex AI: its address, and a token of Google that is fetched and described; the vendor gets no request, and no secret is shown. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { account, credentialsAt, FakeGoogle, privatePem } from '../../fakes/google.ts';
import { type Fake, openFake } from '../../fakes/upstream.ts';
import { modelgate } from '../../harness/command-line.ts';
import { temporaryFolder } from '../../harness/folder.ts';

let [vendor, issuer]: Fake[] = [];
let google: FakeGoogle;
beforeEach(async () => {
  [vendor, issuer] = [await openFake(), await openFake()];
  google = new FakeGoogle(originOf(issuer));
  issuer.always(google.answer);
});
afterEach(async () => {
  await vendor?.close();
  await issuer?.close();
});

const originOf = (fake: Fake | undefined): string => new URL(fake?.url ?? expect.fail('no fake')).origin;
const addressHere = () => `${originOf(vendor)}/v1/projects/my-project/locations/eu`;

async function run(words: readonly string[], credentials: object = credentialsAt(originOf(issuer)).serviceAccount) {
  const folder = temporaryFolder();
  const auth = { type: 'google', credentials: JSON.stringify(credentials) };
  const settings = { kind: 'gemini', google: { project: 'my-project', location: 'eu' }, baseUrl: addressHere(), auth };
  const models = [{ id: 'gemini', kind: 'text', prices: 'free' }];
  const file = { server: { port: 0 }, admin: { enabled: false }, upstreams: { a: settings }, models };
  writeFileSync(join(folder, 'modelgate.yaml'), stringify(file));
  const ran = await modelgate(words, { folder });
  for (const secret of [privatePem.slice(40, 80), 'PRIVATE KEY', 'ya29.', 'eyJ']) expect(ran.stdout + ran.stderr).not.toContain(secret);
  return ran;
}

async function diagnose(credentials?: object, ...words: readonly string[]) {
  const { stdout } = await run(['doctor', '--json', ...words], credentials);
  // Written by the command, in the shape that the guide shows.
  const { findings } = JSON.parse(stdout) as { findings: { part: string; state: string; detail: string }[] };
  return findings.find(({ part }) => part === 'upstream a') ?? expect.fail('the upstream is not told');
}

test('shows the whole address, the account, and the end of the token', async () => {
  const { state, detail } = await diagnose();
  expect(state).toBe('ok');
  expect(detail).toContain(`${addressHere()}: DNS`);
  expect(detail).toMatch(new RegExp(`token from a service account, account ${account}, project my-project, until \\d{4}-`));
  expect([vendor?.requests.length, issuer?.requests.length]).toEqual([0, 1]);
});

test('a key that is rejected is a fault with its code', async () => {
  const { serviceAccount } = credentialsAt(originOf(issuer));
  expect(await diagnose({ ...serviceAccount, client_email: 'a@b.example' })).toMatchObject({
    state: 'fault',
    detail: expect.stringMatching(/no access token: the token endpoint returned status 400, invalid_grant$/),
  });
});

test('a clock that is wrong is a fault where the key is rejected for it', async () => {
  google.ahead = 600;
  expect(await diagnose()).toMatchObject({
    state: 'fault',
    detail: expect.stringMatching(/this machine's clock is \d+ seconds behind$/),
  });
});

test('G13: the check of a file tells that tokens of Google are used, and nothing of the key', async () => {
  const { stdout, code } = await run(['config', 'check']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ google /)]);
});
