/** Starts a gateway in front of the fake vendor, to compare requests and answers byte by byte. */
import { expect } from 'vitest';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { behind, startGateway, type TestGateway } from './gateway.ts';

export const vendorKey = 'sk-vendor-secret';

export interface BehindVendor {
  readonly gateway: TestGateway;
  readonly fake: Fake;
  /** Sends a POST with the key and exactly these bytes as body. */
  post(path: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export interface VendorOptions {
  /** Settings of the upstream, for example its time limits. */
  readonly upstream?: Record<string, unknown>;
  /** Settings of the gateway other than the upstream. */
  readonly settings?: Record<string, unknown>;
}

/** Time limits so short that a test can wait for them. `totalMs` is longer than any test, so that one of the others ends the call. */
const impatient = { connectMs: 500, headersMs: 400, firstEventMs: 400, idleMs: 400, totalMs: 600_000 };
const { connectMs: _, ...impatientImages } = impatient;
export const shortWaits = { timeouts: impatient, imageTimeouts: impatientImages };

/** Settings of an upstream with time limits that no test reaches, except for those in `short`. */
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
      // An unused answer means that the test sent fewer requests than it meant to.
      expect(unused).toBe(0);
    },
  };
}

/** The bytes of an answer's body. */
export async function bytesOf(answer: Response): Promise<Buffer> {
  return Buffer.from(await answer.arrayBuffer());
}
