/** Large bodies: how much is read of those that are rejected, and the memory for bodies of the process and of each key. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Gunzip, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startGateway, type TestGateway } from '../../harness/gateway.ts';
import { readAnswers, request, talk } from '../../harness/raw.ts';
import { expectRefusal, headerOf } from '../../harness/refusal.ts';

const MEBIBYTE = 1_048_576;
const models = [
  { id: 'gpt-5.4', kind: 'text' },
  { id: 'gpt-image-2', kind: 'image' },
];

async function open(shed: object = {}, more: object = {}): Promise<TestGateway> {
  const gateway = await startGateway({ upstreams: { sim: { kind: 'simulator' } }, models, server: { overload: shed }, ...more });
  onTestFinished(() => gateway.close());
  return gateway;
}

const bodyOf = (bytes: number): string => JSON.stringify({ model: 'gpt-5.4', input: `Say hi. ${'x'.repeat(bytes)}` });
const json = { 'content-type': 'application/json' };
const pathOf = { '/responses': json, '/images/edits': { 'content-type': 'multipart/form-data; boundary=x' } } as const;

/** A caller who announces a body and sends nothing of it. */
async function announce(gateway: TestGateway, key: string, bytes: number, path: keyof typeof pathOf = '/responses', ...more: string[]) {
  const type = `content-type: ${pathOf[path]['content-type']}`;
  const lines = [
    `POST /v1${path} HTTP/1.1`,
    `authorization: Bearer ${key}`,
    type,
    `content-length: ${bytes}`,
    'connection: close',
    ...more,
  ];
  const [answer] = await talk(gateway.origin, request(lines));
  return answer ?? expect.fail('no answer');
}

const chunkOf = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes, 0x20), Buffer.from('\r\n')]);

interface Unfinished {
  readonly socket: Socket;
  /** Resolves when the connection has ended. */
  answer(): Promise<ReturnType<typeof readAnswers>[number]>;
}

const CHUNKED = 'transfer-encoding: chunked';

interface Beginning {
  readonly more?: readonly string[];
  readonly framing?: string;
}

/** Announces a body of so many bytes. When this resolves the call is admitted and memory is reserved for all of it. */
const beginAnnounced = (gateway: TestGateway, key: string, bytes: number): Promise<Unfinished> =>
  beginBody(gateway, key, bytes, { framing: `content-length: ${bytes}` });

/** Sends a body that does not end. When this resolves the call is admitted. */
async function beginBody(
  gateway: TestGateway,
  key: string,
  bytes: number,
  { more = [], framing = CHUNKED }: Beginning = {},
): Promise<Unfinished> {
  const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const received: Buffer[] = [];
  socket.on('data', (piece) => received.push(piece)).on('error', () => undefined);
  const lines = [
    `POST /v1/responses HTTP/1.1`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    'connection: close',
    ...more,
  ];
  socket.write(request([...lines, 'expect: 100-continue', framing]));
  await once(socket, 'data');
  received.length = 0;
  const closed = once(socket, 'close');
  if (framing === CHUNKED) await new Promise((sent) => socket.write(chunkOf(bytes), sent));
  const answer = async () => {
    await closed;
    return readAnswers(Buffer.concat(received))[0] ?? expect.fail('no answer');
  };
  return { socket, answer };
}

/** Repeats a whole call with a body of a megabyte until it has this status. */
async function untilStatus(gateway: TestGateway, key: string, status: number): Promise<void> {
  const call = () => gateway.call('/responses', { body: bodyOf(MEBIBYTE), headers: json, key });
  await expect.poll(async () => (await call()).status).toBe(status);
}

/** Counts the bytes that come out of gzip streams from now on. */
function countUnpacked(): () => number {
  const push = vi.spyOn(Readable.prototype, 'push');
  onTestFinished(() => push.mockRestore());
  const pieces = () => push.mock.calls.filter((_, index) => push.mock.contexts[index] instanceof Gunzip);
  return () => pieces().reduce((sum, [piece]) => sum + (piece?.length ?? 0), 0);
}

test('A4: rejects gzip bodies of a key without a balance before it unpacks half a MiB of each', async () => {
  const gateway = await open();
  const { key } = await gateway.newKey({ account: 'poor', balance: 0n });
  const body = new Uint8Array(gzipSync(bodyOf(19 * MEBIBYTE)));
  const unpacked = countUnpacked();
  const headers = { ...json, 'content-encoding': 'gzip' };
  const answers = await Promise.all(Array.from({ length: 8 }, () => gateway.call('/responses', { body, headers, key })));
  for (const answer of answers) await expectRefusal(answer, { code: 'insufficient_balance', says: '0.000000' });
  expect(unpacked()).toBeLessThan(8 * 0.5 * MEBIBYTE);
});

test.each(['/responses', '/images/edits'] as const)(
  'A14: rejects a body to %s that a key without a balance announces before any of it is sent',
  async (path) => {
    const gateway = await open();
    const { key } = await gateway.newKey({ account: 'poor', balance: 0n });
    await expectRefusal(await announce(gateway, key, 19 * MEBIBYTE, path), { code: 'insufficient_balance' });
  },
);

test('A14: rejects a form of a key without a balance before it ends', async () => {
  const gateway = await open();
  const { key } = await gateway.newKey({ account: 'poor', balance: 0n });
  const lines = ['POST /v1/images/edits HTTP/1.1', `authorization: Bearer ${key}`, 'content-type: multipart/form-data; boundary=x'];
  const part = Buffer.from('--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n');
  const begun = Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'), chunkOf(MEBIBYTE)]);
  const [answer] = await talk(gateway.origin, request([...lines, 'transfer-encoding: chunked']), begun);
  await expectRefusal(answer ?? expect.fail('no answer'), { code: 'insufficient_balance' });
});

test('A4: rejects a large body unread for a key without the permission, and parses a small one first', async () => {
  const gateway = await open();
  const permissions = { operations: ['generateImages'], models: null, mayStore: true };
  const { key } = await gateway.newKey({ permissions });
  await expectRefusal(await announce(gateway, key, MEBIBYTE), { code: 'permission_denied' });
  await expectRefusal(await gateway.call('/responses', { body: '{"model"', headers: json, key }), { code: 'invalid_json' });
  const packed = new Uint8Array(gzipSync('{"model"'));
  const small = await gateway.call('/responses', { body: packed, headers: { ...json, 'content-encoding': 'gzip' }, key });
  await expectRefusal(small, { code: 'invalid_json' });
});

test('A4: rejects a large body for its type or its size first, also for a key without a balance', async () => {
  const gateway = await open();
  const { key } = await gateway.newKey({ account: 'poor', balance: 0n });
  const wrong = await gateway.call('/responses', { body: bodyOf(MEBIBYTE), headers: { 'content-type': 'text/plain' }, key });
  await expectRefusal(wrong, { code: 'unsupported_media_type' });
  await expectRefusal(await announce(gateway, key, 21 * MEBIBYTE), { code: 'request_too_large' });
});

test('A4: accepts one large body at a time for a key with a concurrency limit of 1', async () => {
  const gateway = await open();
  const limits = { requestsPerMinute: null, tokensPerMinute: null, concurrency: { limit: 1, mode: 'enforce' as const } };
  const { key } = await gateway.newKey({ limits });
  const first = await beginBody(gateway, key, MEBIBYTE);
  const second = await announce(gateway, key, MEBIBYTE);
  await expectRefusal(second, { code: 'concurrency_limit_exceeded' });
  expect(headerOf(second, 'retry-after')).toBe('1');
  first.socket.write('0\r\n\r\n');
  await expectRefusal(await first.answer(), { code: 'invalid_json' });
  expect((await gateway.call('/responses', { body: bodyOf(MEBIBYTE), headers: json, key })).status).toBe(200);
});

test('A14: returns 429 for bodies of a key over bodiesPerKeyMiB, also midway, and serves other keys', async () => {
  const gateway = await open({ bodiesPerKeyMiB: 6 });
  const { key: other } = await gateway.newKey();
  const first = await beginAnnounced(gateway, gateway.key, 1.5 * MEBIBYTE);
  const rejected = await announce(gateway, gateway.key, MEBIBYTE);
  await expectRefusal(rejected, { code: 'concurrency_limit_exceeded', says: '6 MiB' });
  expect([headerOf(rejected, 'retry-after'), headerOf(rejected, 'retry-after-ms')]).toEqual(['1', '1000']);
  const second = await beginBody(gateway, gateway.key, MEBIBYTE);
  await expectRefusal(await second.answer(), { code: 'concurrency_limit_exceeded' });
  expect((await gateway.call('/responses', { body: bodyOf(MEBIBYTE), headers: json, key: other })).status).toBe(200);
  first.socket.destroy();
  await untilStatus(gateway, gateway.key, 200);
});

test('A3: counts the stored responses that a request reads, and their input items, towards bodiesPerKeyMiB', async () => {
  const gateway = await open({ bodiesPerKeyMiB: 6 });
  // A response repeats its instructions.
  const long = JSON.stringify({ ...JSON.parse(bodyOf(0.6 * MEBIBYTE)), instructions: 'x'.repeat(0.6 * MEBIBYTE) });
  const stored = await gateway.call('/responses', { body: long, headers: json });
  const { id } = Object(await stored.json());
  const goOn = { body: JSON.stringify({ model: 'gpt-5.4', input: 'And?', previous_response_id: id }), headers: json };
  const asking = [
    () => gateway.call(`/responses/${id}`, { method: 'GET' }),
    () => gateway.call(`/responses/${id}/input_items`, { method: 'GET' }),
    () => gateway.call('/responses', goOn),
  ];
  const first = await beginAnnounced(gateway, gateway.key, 1.5 * MEBIBYTE);
  for (const ask of asking) await expectRefusal(await ask(), { code: 'concurrency_limit_exceeded', says: '6 MiB' });
  first.socket.destroy();
  await untilStatus(gateway, gateway.key, 200);
  for (const ask of asking) expect((await ask()).status).toBe(200);
});

test('A14: returns 503 for bodies over bodiesMiB until memory is free again', async () => {
  const gateway = await open({ bodiesMiB: 6, bodiesPerKeyMiB: 0 });
  const { key: other } = await gateway.newKey();
  const first = await beginAnnounced(gateway, gateway.key, 1.5 * MEBIBYTE);
  const rejected = await announce(gateway, other, MEBIBYTE);
  await expectRefusal(rejected, { code: 'overloaded' });
  expect(headerOf(rejected, 'retry-after')).toBe('1');
  first.socket.destroy();
  await untilStatus(gateway, other, 200);
});

test('A14: returns 413 for a body that needs more than bodiesPerKeyMiB alone', async () => {
  const gateway = await open({ bodiesPerKeyMiB: 6 });
  const rejected = await announce(gateway, gateway.key, 3 * MEBIBYTE);
  await expectRefusal(rejected, { code: 'request_too_large', says: '6 MiB' });
});

test('A4: accepts a large body of a key without a balance for a free model, and to replay a response', async () => {
  const free = await open({}, { models: [{ id: 'gpt-5.4', kind: 'text', prices: 'free' }] });
  const { key } = await free.newKey({ account: 'poor', balance: 0n });
  expect((await free.call('/responses', { body: bodyOf(MEBIBYTE), headers: json, key })).status).toBe(200);

  const paid = await open();
  const { key: spent, accountId } = await paid.newKey({ account: 'spent', balance: 5_000_000n });
  const body = bodyOf(MEBIBYTE);
  const again = () => paid.call('/responses', { body, headers: { ...json, 'idempotency-key': 'first' }, key: spent });
  const first = await again();
  expect(first.status).toBe(200);
  const { ledger } = paid.gateway.money ?? expect.fail('billing is on');
  const { balance = 0n } = (await ledger.getBalance(accountId)) ?? {};
  await ledger.adjust({ accountId, transfer: 'all of it', kind: 'correction', amount: -balance, note: null, at: Date.now() });
  expect(await (await again()).text()).toBe(await first.text());
  // The balance is looked up once a second; within that second the hold refuses the call.
  const rejected = await paid.call('/responses', { body, headers: json, key: spent });
  await expectRefusal(rejected, { code: 'insufficient_balance' });
});

test('A4: accepts one large body with an idempotency key at a time from a key without a balance', async () => {
  const gateway = await open();
  const { key } = await gateway.newKey({ account: 'poor', balance: 0n });
  const first = await beginBody(gateway, key, MEBIBYTE, { more: ['idempotency-key: first'] });
  const second = await announce(gateway, key, MEBIBYTE, '/responses', 'idempotency-key: second');
  await expectRefusal(second, { code: 'concurrency_limit_exceeded' });
  first.socket.write('0\r\n\r\n');
  await expectRefusal(await first.answer(), { code: 'invalid_json' });
  const headers = { ...json, 'idempotency-key': 'second' };
  const whole = await gateway.call('/responses', { body: bodyOf(MEBIBYTE), headers, key });
  await expectRefusal(whole, { code: 'insufficient_balance' });
});

test('A14: rejects a large body of a DELETE, and ignores a small one', async () => {
  const gateway = await open();
  const remove = (bytes: number) => gateway.call('/responses/resp_1', { method: 'DELETE', body: bodyOf(bytes), headers: json });
  await expectRefusal(await remove(MEBIBYTE), { code: 'request_too_large', says: 'DELETE' });
  await expectRefusal(await remove(1_000), { code: 'response_not_found' });
});
