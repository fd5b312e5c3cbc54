/** Addresses in every place of a request: they are forwarded or rejected, and the gateway connects to none (promise G14). */
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callers, kinds, modelOver, openPairs, type Pairs, say } from '../harness/pairs.ts';
import { talk } from '../harness/raw.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { openBehindVendor } from '../harness/vendor.ts';

/** Opens a server that counts connections and closes them. */
async function openTrap() {
  let visits = 0;
  const server = createServer((socket) => {
    visits++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    host: `127.0.0.1:${address.port}`,
    visits: () => visits,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

let trap: Awaited<ReturnType<typeof openTrap>>;
let pairs: Pairs;
beforeAll(async () => {
  trap = await openTrap();
  pairs = await openPairs();
});
afterAll(async () => {
  for (const kind of kinds) pairs.fakes[kind].clear();
  await pairs.close();
  await trap.close();
});

const user = (content: unknown) => [{ role: 'user', content: [content] }];
const path = { chat: '/chat/completions', responses: '/responses' } as const;
type Body = Readonly<Record<string, unknown>>;

/** Bodies with an address in each field that a gateway might fetch, connect to or call back. */
const bodies: Readonly<Record<(typeof callers)[number], (url: string) => readonly Body[]>> = {
  chat: (url) => [
    { messages: user({ type: 'image_url', image_url: { url } }) },
    { messages: user({ type: 'file', file: { file_url: url } }) },
    { messages: user({ type: 'file', file: { file_id: url } }) },
    { messages: user({ type: 'text', text: url }) },
    ...addressed(url).map((more) => ({ messages: user({ type: 'text', text: 'Hi' }), ...more })),
  ],
  responses: (url) => [
    { input: user({ type: 'input_image', image_url: url }) },
    { input: user({ type: 'input_file', file_url: url }) },
    { input: [{ type: 'item_reference', id: url }] },
    { input: 'Hi', previous_response_id: url },
    { input: 'Hi', tools: [{ type: 'mcp', server_label: 'a', server_url: url }] },
    ...addressed(url).map((more) => ({ input: 'Hi', ...more })),
  ],
};
const addressed = (url: string): readonly Body[] => [
  ...['base_url', 'baseUrl', 'api_base', 'webhook_url', 'callback_url', 'proxy', 'upstream', 'prompt'].map((name) => ({ [name]: url })),
  { metadata: { url } },
  { user: url },
  { tools: [{ type: 'function', name: 'f', function: { name: 'f', parameters: { $ref: url } }, parameters: { $ref: url } }] },
];
const schemes = ['http', 'https', 'ws', 'ftp'];

describe.each(callers.flatMap((caller) => kinds.map((kind) => ({ caller, kind }))))('$caller over $kind', ({ caller, kind }) => {
  test('G14: connects to no address in a body', async () => {
    pairs.fakes[kind].clear();
    pairs.fakes[kind].always((request) => say(kind, request, { text: 'Yes.' }));
    const asked = schemes.flatMap((scheme) => bodies[caller](`${scheme}://${trap.host}/a.png`));
    for (const body of asked) {
      const before = pairs.fakes[kind].requests.length;
      const { status } = await pairs.gateway.call(path[caller], { json: { model: modelOver(kind), ...body } });
      expect(status, JSON.stringify(body)).toBeLessThan(500);
      expect(pairs.fakes[kind].requests.length - before, 'served by its own upstream, or rejected').toBe(status === 200 ? 1 : 0);
    }
    expect(trap.visits()).toBe(0);
    recordAttempts('G14', { what: 'addresses in bodies', times: asked.length, lost: trap.visits() });
  });
});

test('G14: forwards or rejects an image edit with an image URL, and never fetches the URL', async () => {
  const images = schemes.map((scheme) => ({ image_url: `${scheme}://${trap.host}/a.png` }));
  const vendor = await openBehindVendor();
  for (const image of images) {
    const answer = await vendor.gateway.call('/images/edits', { json: { model: 'gpt-image-2', prompt: 'Red.', images: [image] } });
    expect(answer.status).toBe(image.image_url.startsWith('https:') ? 200 : 400);
  }
  expect(vendor.fake.requests).toHaveLength(1);
  await vendor.close();
  expect(trap.visits()).toBe(0);
  recordAttempts('G14', { what: 'addresses in bodies', times: images.length, lost: trap.visits() });
});

test('G14: connects to no address in the request line or in a header', async () => {
  const { gateway } = pairs;
  const auth = `authorization: Bearer ${gateway.key}`;
  const headers = ['x-forwarded-host', 'x-original-url', 'x-rewrite-url', 'forwarded', 'referer', 'origin', 'x-base-url', 'x-upstream'];
  const heads = [
    [`GET http://${trap.host}/v1/models HTTP/1.1`, 'host: gateway.test', auth],
    [`GET //${trap.host}/v1/models HTTP/1.1`, 'host: gateway.test', auth],
    [`GET /v1/models HTTP/1.1`, `host: ${trap.host}`, auth],
    [`CONNECT ${trap.host} HTTP/1.1`, `host: ${trap.host}`, auth],
    ...headers.map((name) => ['GET /v1/models HTTP/1.1', 'host: gateway.test', auth, `${name}: http://${trap.host}/`]),
  ];
  for (const head of heads) {
    const [answer] = await talk(gateway.origin, `${[...head, 'connection: close'].join('\r\n')}\r\n\r\n`);
    expect(answer?.status ?? 0, head.join('\n')).toBeLessThan(500);
  }
  expect(trap.visits()).toBe(0);
  recordAttempts('G14', { what: 'addresses in heads', times: heads.length, lost: trap.visits() });
});

test('counts a connection to the trap', async () => {
  await expect(fetch(`http://${trap.host}/`)).rejects.toThrow();
  expect(trap.visits()).toBe(1);
});
