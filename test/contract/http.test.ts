/** HTTP syntax and semantics on a raw socket: every request gets a complete answer in the shape of the contract. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChatCompletion } from '../../contract/chat/completion.ts';
import { ModelList } from '../../contract/models.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { type RawAnswer, request, talk, talkInTurn } from '../harness/raw.ts';
import { expectRefusal, headerOf } from '../harness/refusal.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ upstreams: { simulator: { kind: 'simulator', eventDelayMs: 15 } } });
});
afterAll(() => gateway.close());

const withKey = (line: string, ...more: readonly string[]) => [line, `authorization: Bearer ${gateway.key}`, ...more];
const chat = JSON.stringify({ model: 'gpt-5.4', messages: [{ role: 'user', content: 'say hi' }] });
const post = 'POST /v1/chat/completions HTTP/1.1';
const json = 'content-type: application/json';

async function only(answers: Promise<RawAnswer[]>): Promise<RawAnswer> {
  const [answer, ...more] = await answers;
  expect(more).toEqual([]);
  if (!answer) throw new Error('no answer');
  return answer;
}

const malformed: readonly (readonly [title: string, bytes: string | Buffer])[] = [
  ['noise', '\u0000\u0001\u0002 noise\r\n\r\n'],
  ['TLS on a port that speaks none', Buffer.from('16030100a5010000a10303', 'hex')],
  ['HTTP/2 without a word', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP of a version to come', 'GET /v1/models HTTP/9.9\r\nhost: x\r\n\r\n'],
  ['a header without a name', 'GET /v1/models HTTP/1.1\r\nhost: x\r\n: nobody\r\n\r\n'],
  ['a header that is broken by a space', 'GET /v1/models HTTP/1.1\r\nhost : x\r\n\r\n'],
  ['two lengths of one body', `${post}\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
  ['a length and chunks at once', `${post}\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a negative length', `${post}\r\nhost: x\r\ncontent-length: -1\r\n\r\n`],
  ['a request without a host', 'GET /v1/models HTTP/1.1\r\nconnection: close\r\n\r\n'],
];

test.each(malformed)('returns `malformed_request` to a client that sends %s', async (_title, bytes) => {
  await expectRefusal(await only(talk(gateway.origin, bytes)), { code: 'malformed_request' });
});

test('returns `malformed_request` for an unchunked transfer encoding, and `invalid_api_key` without a key', async () => {
  const send = (lines: readonly string[]) =>
    only(talkInTurn(gateway.origin, Buffer.concat([request([...lines, 'transfer-encoding: gzip']), Buffer.from('{}')])));
  await expectRefusal(await send(withKey(post, json)), { code: 'malformed_request' });
  await expectRefusal(await send([post, json]), { code: 'invalid_api_key' });
});

test('returns `malformed_request` for a malformed chunk', async () => {
  const lines = withKey(post, json, 'transfer-encoding: chunked');
  await expectRefusal(await only(talkInTurn(gateway.origin, Buffer.concat([request(lines), Buffer.from('zz\r\n{}\r\n0\r\n\r\n')]))), {
    code: 'malformed_request',
  });
});

test('serves a client of HTTP/1.0 without a Host header', async () => {
  const answer = await only(talk(gateway.origin, `GET /v1/models HTTP/1.0\r\nauthorization: Bearer ${gateway.key}\r\n\r\n`));
  expect(ModelList.parse(JSON.parse(answer.body)).data).toHaveLength(7);
  const stray = await only(talk(gateway.origin, 'GET /models HTTP/1.0\r\n\r\n'));
  await expectRefusal(stray, { code: 'unknown_url', says: 'http://<host>/v1' });
});

test('sends 100 and then its response to a client that sends `expect: 100-continue`', async () => {
  const lines = withKey(post, json, 'expect: 100-continue', 'connection: close', `content-length: ${chat.length}`);
  const [leave, answer] = await talkInTurn(gateway.origin, request(lines), chat);
  expect(leave?.status).toBe(100);
  expect(ChatCompletion.parse(JSON.parse(answer?.body ?? '')).choices[0]?.message.content).toBe('hi');
});

test('rejects `expect: 100-continue` without a key and without a 100', async () => {
  const lines = [post, json, 'expect: 100-continue', 'connection: close', 'content-length: 100000'];
  await expectRefusal(await only(talk(gateway.origin, request(lines))), { code: 'invalid_api_key' });
});

test('serves a client that sends an unknown expectation', async () => {
  const answer = await only(talk(gateway.origin, request(withKey(post, json, 'expect: a-miracle', 'connection: close'), chat)));
  expect(answer.status).toBe(200);
});

test('responds to pipelined requests in order', async () => {
  const pipelined = [
    request(withKey(post, json), chat),
    request(withKey('GET /v1/models HTTP/1.1')),
    request(withKey('GET /v1/nothing HTTP/1.1')),
    request(withKey(post, json), '{}'),
    request(['GET /v1/models HTTP/1.1', 'connection: close']),
  ];
  const answers = await talk(gateway.origin, Buffer.concat(pipelined));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 400, 401]);
  expect(new Set(answers.map((answer) => headerOf(answer, 'x-request-id'))).size).toBe(5);
});

test('returns status and length of GET for HEAD /v1/models, without the body', async () => {
  const [head, get] = await talk(
    gateway.origin,
    request(withKey('HEAD /v1/models HTTP/1.1')),
    request(withKey('GET /v1/models HTTP/1.1', 'connection: close')),
  );
  expect([head?.status, head?.body, head?.headers['content-length']]).toEqual([200, '', get?.headers['content-length']]);
  expect((await gateway.call('/models', { method: 'HEAD', key: null })).status).toBe(401);
});

test('cuts a running stream at noise after a request, and keeps a JSON response whole or returns 400', async () => {
  const body = JSON.stringify({ model: 'gpt-5.4', stream: true, messages: [{ role: 'user', content: 'count to 200' }] });
  const stream = talkInTurn(gateway.origin, request(withKey(post, json), body), '\u0000\u0001 noise\r\n\r\n');
  await expect(stream).rejects.toThrow('a chunked body that does not end');
  const whole = talk(gateway.origin, Buffer.concat([request(withKey(post, json), chat), Buffer.from('\u0000\u0001 noise\r\n\r\n')]));
  for (const answer of await whole) expect([200, 400]).toContain(answer.status);
});

test('serves the next call after a caller resets the connection in the middle of a body', async () => {
  const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
  socket.write(request(withKey(post, json, 'content-length: 9999')), () => socket.resetAndDestroy());
  await once(socket, 'close');
  expect((await gateway.call('/models')).status).toBe(200);
});
