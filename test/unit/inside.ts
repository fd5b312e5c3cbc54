/** A gateway whose handlers are called directly: real stores, and two fake vendors with scripted answers. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Gateway } from '../../server/gateway.ts';
import type { HandedOn } from '../../server/request/answer.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { shortWaits } from '../harness/vendor.ts';

export interface Inside {
  readonly gateway: Gateway;
  readonly main: Fake;
  readonly backup: Fake;
  readonly lineWhere: TestGateway['lineWhere'];
}

const candidates = [{ upstream: 'main' }, { upstream: 'backup', priority: 2 }];
/** Models at `main`, with `backup` behind it; calls are free, so that no accounts are needed. */
const standard = {
  billing: 'off',
  routing: { maxAttempts: 2, breaker: { failures: 1_000 } },
  models: [
    { id: 'm', kind: 'text', candidates },
    { id: 'drawn', kind: 'image', candidates },
    { id: 'alone', kind: 'text', candidates: [{ upstream: 'main' }] },
    { id: 'hasty', kind: 'text', candidates: [{ upstream: 'hasty' }] },
    { id: 'hasty-drawn', kind: 'image', candidates: [{ upstream: 'hasty' }] },
  ],
};

/** One gateway for all tests of a file. The answers and requests of the vendors are cleared after each. */
export function useInside({ main: more = {}, ...settings }: Record<string, unknown> & { readonly main?: Record<string, unknown> } = {}) {
  let inside: (Inside & { readonly served: TestGateway }) | null = null;
  beforeAll(async () => {
    const [main, backup] = [await openFake(), await openFake()];
    const place = (fake: Fake) => ({ kind: 'openai', baseUrl: fake.url, apiKey: 'sk-vendor' });
    const upstreams = {
      main: { ...place(main), ...more },
      backup: place(backup),
      // The same vendor as `main`, with short timeouts.
      hasty: { ...place(main), ...shortWaits },
    };
    const served = await startGateway({ upstreams, ...standard, ...settings });
    inside = { served, gateway: served.gateway, main, backup, lineWhere: served.lineWhere };
  });
  afterEach(() => {
    inside?.main.clear();
    inside?.backup.clear();
  });
  afterAll(async () => {
    await inside?.served.close();
    await inside?.main.close();
    await inside?.backup.close();
  });
  return (): Inside => {
    if (!inside) throw new Error('used before the tests of the file began');
    return inside;
  };
}

/** The whole answer as its caller reads it. */
export async function bytesOf(answer: HandedOn): Promise<Buffer> {
  if (answer.kind === 'whole') return answer.bytes;
  const chunks: Buffer[] = [];
  for await (const chunk of answer.frames) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const textOf = async (answer: HandedOn): Promise<string> => String(await bytesOf(answer));
