/** Status 426 for a WebSocket where it is off, or at another path; an offer of HTTP/2 is ignored. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ModelList } from '../../contract/models.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { type RawAnswer, request, talkInTurn } from '../harness/raw.ts';
import { expectRefusal, headerOf } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ server: { maxWebSockets: 0 } });
});
afterAll(() => gateway.close());

/** Sends two requests on one connection: the upgrade, and one that ends it. */
async function upgrade(lines: readonly string[]): Promise<readonly [RawAnswer, RawAnswer]> {
  const last = request(['GET /v1/models HTTP/1.1', `authorization: Bearer ${gateway.key}`, 'connection: close']);
  const [first, second] = await talkInTurn(gateway.origin, request(lines), last);
  if (!first || !second) throw new Error('an answer is missing');
  return [first, second];
}

const webSocket = ['sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version: 13'];

test.each(['/v1/responses', '/v1/realtime?model=gpt-5.4', '/'])(
  'returns 426 for a WebSocket upgrade at %s where WebSocket is off, and the connection stays usable',
  async (path) => {
    const lines = [
      `GET ${path} HTTP/1.1`,
      'connection: Upgrade',
      'upgrade: websocket',
      ...webSocket,
      `authorization: Bearer ${gateway.key}`,
    ];
    const [answer, next] = await upgrade(lines);
    await expectRefusal(answer, { code: 'upgrade_required', says: "WebSocket isn't available" });
    expect(headerOf(answer, 'upgrade')).toBe('HTTP/1.1');
    expect(next.status).toBe(200);
  },
);

test('returns 426 for the headers of a WebSocket without an upgrade, which a proxy removed', async () => {
  const [answer, next] = await upgrade(['GET /v1/responses HTTP/1.1', ...webSocket, `authorization: Bearer ${gateway.key}`]);
  await expectRefusal(answer, { code: 'upgrade_required' });
  expect(next.status).toBe(200);
});

test.each(['h2c', 'H2C', 'h2'])('responds over HTTP/1.1 to a client that offers an upgrade to %s', async (protocol) => {
  const lines = [
    'GET /v1/models HTTP/1.1',
    'connection: Upgrade, HTTP2-Settings',
    `upgrade: ${protocol}`,
    'http2-settings: AAMAAABkAAQAAP__',
  ];
  const [answer, next] = await upgrade([...lines, `authorization: Bearer ${gateway.key}`]);
  expect(ModelList.parse(JSON.parse(answer.body)).data).toHaveLength(7);
  expect([answer.status, next.status]).toEqual([200, 200]);
});
