/** A gateway in front of the fake vendor: what arrives there, and what comes back from there, byte by byte. */
import { expect } from 'vitest';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { behind, startGateway, type TestGateway } from './gateway.ts';

export const vendorKey = 'sk-vendor-secret';

export interface BehindVendor {
  readonly gateway: TestGateway;
  readonly fake: Fake;
  /** POST with the key; the body goes out exactly as it is given. */
  post(path: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export interface VendorOptions {
  /** Settings of the upstream, for example its time limits. */
  readonly upstream?: Record<string, unknown>;
  /** Settings of the gateway beside the upstream. */
  readonly settings?: Record<string, unknown>;
}

/** Limits so short that a vendor who does nothing is noticed within a test. The whole may take longer than any test, so that it is one of the others that ends a call. */
const impatient = { connectMs: 500, headersMs: 400, firstEventMs: 400, idleMs: 400, totalMs: 600_000 };
const { connectMs: _, ...impatientImages } = impatient;
export const shortWaits = { timeouts: impatient, imageTimeouts: impatientImages };

/** Settings of an upstream whose time limits nobody comes near, but for those that a test waits for. */
export function waitsOf(short: Partial<typeof impatient>) {
  const timeouts = { connectMs: 120_000, headersMs: 300_000, firstEventMs: 300_000, idleMs: 300_000, totalMs: 900_000, ...short };
  const { connectMs: _, ...imageTimeouts } = timeouts;
  return { timeouts, imageTimeouts };
}

export async function openBehindVendor({ upstream, settings }: VendorOptions = {}): Promise<BehindVendor> {
  const fake = await openFake({ apiKey: vendorKey });
  const gateway = await startGateway({ ...behind(fake.url, upstream), ...settings });
  return {
    gateway,
    fake,
    post: (path, body, headers) =>
      gateway.call(path, { method: 'POST', body: Buffer.from(body), headers: { 'content-type': 'application/json', ...headers } }),
    async close() {
      const unused = fake.pending;
      await gateway.close();
      await fake.close();
      // An answer that nobody fetched means that a test did not ask what it thinks it asked.
      expect(unused).toBe(0);
    },
  };
}

/** The answer's bytes. */
export async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer());
}
