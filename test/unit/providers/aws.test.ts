/** Credentials of AWS: keys of the file, and those of a container, found by AWS's own library over a real socket. */
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type KeyProvider, openAws, openChain } from '../../../server/providers/auth/aws.ts';
import type { RenewalEvent } from '../../../server/providers/auth/token-cache.ts';
import { json } from '../../fakes/delivery.ts';
import { failure } from '../../fakes/faults.ts';
import { openFake } from '../../fakes/upstream.ts';
import { configureUpstream } from '../settings.ts';

const issuer = await openFake();
afterAll(() => issuer.close());
/** How many credentials were handed out. */
let issued = 0;
beforeEach(() => {
  issued = 0;
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `${new URL(issuer.url).origin}/credentials`);
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/nowhere');
  issuer.always(() => {
    issued++;
    const Expiration = new Date(Date.now() + 3_600_000).toISOString();
    return json({ AccessKeyId: `ASIA${issued}`, SecretAccessKey: 'secret-of-the-container', Token: `token-${issued}`, Expiration });
  });
});
afterEach(() => {
  vi.unstubAllEnvs();
  issuer.clear();
});

const upstreamWith = (auth: Record<string, unknown>) =>
  configureUpstream({ kind: 'anthropic', aws: { region: 'eu-central-1' }, auth: { type: 'sigv4', ...auth } });
const open = (auth: Record<string, unknown> = {}) => openAws(upstreamWith(auth), openChain);
const order = { method: 'POST' as const, path: '/model/m/invoke', host: 'h', contentType: 'application/json', body: Buffer.from('{}') };
const expired = { status: 403, headers: { 'x-amzn-errortype': 'ExpiredTokenException:http://internal.amazon.com/' } };

test('fetches the credentials of a container once for a thousand requests', async () => {
  const credential = open();
  const all = await Promise.all(Array.from({ length: 1_000 }, () => credential.getLines(order)));
  expect(all.every((lines) => lines.includes('token-1'))).toBe(true);
  expect(issued).toBe(1);
});

describe('an expired credential at Bedrock', () => {
  test('triggers one new fetch for all requests that used it', async () => {
    const credential = open();
    const used = await Promise.all([credential.getLines(order), credential.getLines(order)]);
    expect(used.map((lines) => credential.renew?.(expired, lines))).toEqual([true, true]);
    const fresh = await Promise.all([credential.getLines(order), credential.getLines(order)]);
    expect(fresh.every((lines) => lines.includes('token-2'))).toBe(true);
    expect(issued).toBe(2);
  });

  test('triggers no other fetch when a fresh one is rejected, too', async () => {
    const credential = open();
    expect(credential.renew?.(expired, await credential.getLines(order))).toBe(true);
    expect(credential.renew?.(expired, await credential.getLines(order))).toBe(false);
  });

  test("stays where the role can't use the model, and where its keys are in the file", async () => {
    const credential = open();
    const denied = { status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' } };
    expect(credential.renew?.(denied, await credential.getLines(order))).toBe(false);
    const fixed = open({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret-of-the-file' });
    expect(fixed.renew?.(expired, await fixed.getLines(order))).toBe(false);
  });
});

describe("a credential that isn't renewed", () => {
  const minute = 60_000;

  /** A source whose credentials end at a time that the test moves, and a clock that it moves too. */
  function stage() {
    const at = { now: 0, endsAt: 60 * minute };
    const provider: KeyProvider = async () => ({ accessKeyId: 'ASIA1', secretAccessKey: 's', expiration: new Date(at.endsAt) });
    const told: RenewalEvent[] = [];
    const credential = openAws(upstreamWith({}), () => provider, { now: () => at.now, report: (news) => told.push(news) });
    const callAt = async (minutes: number) => {
      at.now = minutes * minute;
      await credential.getLines(order);
    };
    return { at, told, callAt };
  }

  test('gets reported once while it still serves, and its renewal once', async () => {
    const { at, told, callAt } = stage();
    for (const minutes of [0, 55.5, 56.5]) await callAt(minutes);
    expect(told).toEqual([]);
    for (const minutes of [57.1, 58, 59]) await callAt(minutes);
    expect(told).toEqual([{ kind: 'failed', cause: expect.any(Error), endsAt: 60 * minute }]);
    at.endsAt = 120 * minute;
    for (const minutes of [59.5, 70]) await callAt(minutes);
    expect(told.slice(1)).toEqual([{ kind: 'renewed' }]);
  });

  test('stays unreported if the first call after a pause gets an old one and the next a new one', async () => {
    const { at, told, callAt } = stage();
    await callAt(59);
    at.endsAt = 120 * minute;
    await callAt(59.9);
    expect(told).toEqual([]);
  });
});

test('returns upstream_error without the words of an endpoint that rejects', async () => {
  issuer.clear();
  issuer.always(failure(400, { message: 'words of the endpoint', code: null }));
  const rejected: unknown = await Promise.resolve(open().getLines(order)).catch((cause: unknown) => cause);
  expect(rejected).toMatchObject({ code: 'upstream_error', cause: { message: expect.stringMatching(/^no AWS credentials: /) } });
  expect(String(rejected instanceof Error && rejected.cause)).not.toContain('words of the endpoint');
});
