/** Credentials of AWS: keys of the file, and those of a container, found by AWS's own library over a real socket. */
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HttpUpstreamConfig } from '../../../server/config/config.ts';
import { openAws } from '../../../server/upstreams/auth/aws.ts';
import { openChain } from '../../../server/upstreams/auth/aws-chain.ts';
import { json } from '../../fakes/delivery.ts';
import { failure } from '../../fakes/faults.ts';
import { openFake } from '../../fakes/upstream.ts';
import { configOf } from '../settings.ts';

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

function open(auth: Record<string, unknown> = {}) {
  const settings = { kind: 'anthropic', aws: { region: 'eu-central-1' }, auth: { type: 'sigv4', ...auth } };
  const { upstreams } = configOf({ upstreams: { a: settings }, models: [{ id: 'm', kind: 'text', upstream: 'a', prices: 'free' }] });
  // Its kind is set above.
  return openAws(upstreams.a as HttpUpstreamConfig, openChain);
}
const order = { method: 'POST' as const, path: '/model/m/invoke', host: 'h', contentType: 'application/json', body: Buffer.from('{}') };
const expired = { status: 403, headers: { 'x-amzn-errortype': 'ExpiredTokenException:http://internal.amazon.com/' } };

test('a thousand requests over the credentials of a container fetch them once', async () => {
  const credential = open();
  const all = await Promise.all(Array.from({ length: 1_000 }, () => credential.lines(order)));
  expect(all.every((lines) => lines.includes('token-1'))).toBe(true);
  expect(issued).toBe(1);
});

describe('credentials that Bedrock calls expired', () => {
  test('are fetched anew once for all requests that used them', async () => {
    const credential = open();
    const used = await Promise.all([credential.lines(order), credential.lines(order)]);
    expect(used.map((lines) => credential.renew?.(expired, lines))).toEqual([true, true]);
    const fresh = await Promise.all([credential.lines(order), credential.lines(order)]);
    expect(fresh.every((lines) => lines.includes('token-2'))).toBe(true);
    expect(issued).toBe(2);
  });

  test('are not fetched again when fresh ones are refused, too', async () => {
    const credential = open();
    expect(credential.renew?.(expired, await credential.lines(order))).toBe(true);
    expect(credential.renew?.(expired, await credential.lines(order))).toBe(false);
  });

  test('stay where the role may not use the model, and where they are keys of the file', async () => {
    const credential = open();
    const denied = { status: 403, headers: { 'x-amzn-errortype': 'AccessDeniedException' } };
    expect(credential.renew?.(denied, await credential.lines(order))).toBe(false);
    const fixed = open({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret-of-the-file' });
    expect(fixed.renew?.(expired, await fixed.lines(order))).toBe(false);
  });
});

test('an endpoint that refuses is an upstream_error without its words', async () => {
  issuer.clear();
  issuer.always(failure(400, { message: 'words of the endpoint', code: null }));
  const refused: unknown = await Promise.resolve(open().lines(order)).catch((cause: unknown) => cause);
  expect(refused).toMatchObject({ code: 'upstream_error', cause: { message: expect.stringMatching(/^no credentials of AWS: /) } });
  expect(String(refused instanceof Error && refused.cause)).not.toContain('words of the endpoint');
});

test('what is told of credentials is where they are from and when they end, and no part of them', async () => {
  const told = await open().describe?.();
  expect(told).toEqual({ headers: {}, facts: ['credentials that the machine offers', expect.stringMatching(/^until \d{4}-/)] });
  const fixed = await open({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret-of-the-file' }).describe?.();
  expect(fixed?.facts).toEqual(['keys of the configuration', 'without an end']);
});
