/** The checks of `modelgate verify`, run against the gateway; they are written in `client/verify` only. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checks, openClient } from '../../client/verify/run-checks.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { hangLimitMs } from '../harness/hang-limit.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } } });
  // Usage of more than one page.
  for (const content of ['one', 'two'])
    await (await gateway.call('/chat/completions', { json: { model: 'gpt-5.4', messages: [{ role: 'user', content }] } })).text();
});
afterAll(() => gateway.close());

test('calls each operation of the contract', () => {
  expect(checks.length).toBeGreaterThan(50);
  expect(new Set(checks.map(({ area }) => area))).toEqual(new Set(['models', 'chat', 'responses', 'images', 'usage', 'catalog', null]));
});

test.each(checks.map((check) => [`${check.group}: it ${check.name}`, check] as const))(
  'passes modelgate verify: %s',
  async (_title, { run }) => {
    const limits = { requestsPerMinute: { limit: 1, mode: 'enforce' }, tokensPerMinute: null, concurrency: null } as const;
    const { key: limitedKey } = await gateway.newKey({ limits });
    const target = { baseUrl: gateway.baseURL, key: gateway.key, timeoutMs: hangLimitMs };
    const caller = await openClient(target, { model: 'gpt-5.4', imageModel: 'gpt-image-2', hasImages: true, limitedKey });
    await expect(run(caller)).resolves.toBeUndefined();
  },
);
