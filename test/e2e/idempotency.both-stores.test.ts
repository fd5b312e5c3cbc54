/** One idempotency key, one upstream call, one charge (F40, F41). */
import { randomUUID } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chatFrames } from '../fakes/chat.ts';
import { json, stream } from '../fakes/delivery.ts';
import { later } from '../fakes/faults.ts';
import { drawPng } from '../fakes/images.ts';
import { openFake } from '../fakes/upstream.ts';
import { failStep } from '../harness/blocked-store.ts';
import { behind, startGateway } from '../harness/gateway.ts';
import { useOpened } from '../harness/opened.ts';
import { chat, protocols, responses } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { openBehindVendor } from '../harness/vendor.ts';

const vendor = useOpened(() => openBehindVendor());

/** Ends a test whose answer is never stored; a busy machine is slow. */
const patienceMs = 60_000;

interface Asking {
  readonly path: string;
  readonly body: unknown;
  readonly key: string;
}

const post = ({ path, body, key }: Asking, more: { readonly key?: string; readonly signal?: AbortSignal } = {}) =>
  vendor.gateway.call(path, { json: body, headers: { 'idempotency-key': key }, ...more });

/** The charge of a request. */
async function chargesOf(requestId: string | null) {
  return vendor.gateway.gateway.money?.ledger.findCharge(String(requestId));
}

describe.each(protocols)('$name', ({ path, ask, streamed, frames, whole }) => {
  test.each([
    ['whole', ask, json(whole)],
    ['streamed', { ...ask, ...streamed }, stream(frames)],
  ] as const)('F40: returns the stored response to a repeated request, %s, with one upstream request', async (_title, body, script) => {
    const asking = { path, body, key: randomUUID() };
    const before = vendor.fake.requests.length;
    vendor.fake.next(script);
    const first = await post(asking);
    const said = await first.text();
    const second = await post(asking);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(await second.text()).toBe(said);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(vendor.fake.requests.length - before).toBe(1);
    expect(await chargesOf(first.headers.get('x-request-id'))).toMatchObject({ state: 'posted' });
    expect(await chargesOf(second.headers.get('x-request-id'))).toBeUndefined();
  });

  test.each([
    ['whole', ask, json(whole)],
    ['streamed', { ...ask, ...streamed }, stream(frames)],
  ] as const)('F41: returns the response by the same key to a caller who disconnected, %s', async (_title, body, script) => {
    const asking = { path, body, key: randomUUID() };
    const before = vendor.fake.requests.length;
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    vendor.fake.next(async () => {
      await gate;
      return script;
    });
    const leaving = new AbortController();
    const cut = post(asking, { signal: leaving.signal }).catch((error: unknown) => error);
    const request = await vendor.fake.arrival(before);
    leaving.abort();
    await cut;
    await expectRefusal(await post(asking), { code: 'idempotency_conflict' });
    release();
    await vendor.gateway.lineOf(String(request.headers['x-request-id']));
    const fetched = await untilAnswered(asking);
    expect(fetched.headers.get('idempotent-replayed')).toBe('true');
    expect((await fetched.text()).length).toBeGreaterThan(10);
    expect(vendor.fake.requests.length - before).toBe(1);
    expect(await chargesOf(String(request.headers['x-request-id']))).toMatchObject({ state: 'posted', outcome: 'completed' });
  });
});

/** Repeats the request while the answer is 409. */
async function untilAnswered(asking: Asking): Promise<Response> {
  let answer = await post(asking);
  for (const signal = AbortSignal.timeout(patienceMs); answer.status === 409; answer = await post(asking)) {
    await answer.arrayBuffer();
    signal.throwIfAborted();
  }
  return answer;
}

test.each([
  ['charged', true],
  ['free', false],
])('F40: gives the key of a request that the provider rejected to another body (%s)', async (_title, isCharged) => {
  const free = isCharged ? null : await openBehindVendor({ settings: { billing: 'off' } });
  const { fake, gateway } = free ?? vendor;
  const send = (content: string) =>
    gateway.call(chat.path, {
      json: { ...chat.ask, messages: [{ role: 'user', content }] },
      headers: { 'idempotency-key': 'rejected-once' },
    });
  fake.next(json({ error: { message: 'No.', type: 'invalid_request_error', param: null, code: 'invalid_value' } }, { status: 400 }));
  fake.next(json(chat.whole));
  expect((await send('First')).status).toBe(400);
  const second = await send('Second');
  expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, null]);
  const again = await send('Second');
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  await expectRefusal(await send('First'), { code: 'idempotency_key_reused' });
  await free?.close();
});

test('F40: sends one of a thousand concurrent requests with one key upstream', async () => {
  const asking = { path: chat.path, body: chat.ask, key: randomUUID() };
  const before = vendor.fake.requests.length;
  vendor.fake.next(json(chat.whole));
  const answers = await postAtOnce(asking, 1_000);
  expect(answers).toHaveLength(1_000);
  const statuses = new Set(answers.map(({ statusCode }) => statusCode));
  expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([]);
  expect(vendor.fake.requests.length - before).toBe(1);
  const fresh = answers.filter(({ statusCode, headers }) => statusCode === 200 && headers['idempotent-replayed'] === undefined);
  expect(fresh).toHaveLength(1);
});

/** Each on its own connection; on a busy machine the last one takes a while to open. */
async function postAtOnce({ path, body, key }: Asking, count: number): Promise<Dispatcher.ResponseData[]> {
  const { origin, key: authorization } = vendor.gateway;
  const pool = new Pool(origin, { connections: count, pipelining: 1, connectTimeout: patienceMs });
  const headers = { authorization: `Bearer ${authorization}`, 'content-type': 'application/json', 'idempotency-key': key };
  const asking = { method: 'POST', path: `/v1${path}`, headers, body: JSON.stringify(body) } as const;
  const post = async () => {
    const answer = await pool.request(asking);
    await answer.body.dump();
    return answer;
  };
  const answers = await Promise.all(Array.from({ length: count }, post));
  await pool.close();
  return answers;
}

describe('F40: a key that was used for another request', () => {
  const [first, ...others] = [
    ['a field more', chat.path, { ...chat.ask, temperature: 0.5 }],
    ['the same fields in another order', chat.path, Object.fromEntries(Object.entries(chat.ask).toReversed())],
    ['another operation', responses.path, responses.ask],
  ] as const;

  test.each([first, ...others])('rejects it, during that request and after it: %s', async (_what, path, body) => {
    const asking = { path: chat.path, body: chat.ask, key: randomUUID() };
    const gate = Promise.withResolvers<void>();
    const before = vendor.fake.requests.length;
    vendor.fake.next(later(gate.promise, json(chat.whole)));
    const running = post(asking);
    await vendor.fake.arrival(before);
    await expectRefusal(await post({ ...asking, path, body }), { code: 'idempotency_key_reused' });
    gate.resolve();
    await (await running).arrayBuffer();
    await expectRefusal(await post({ ...asking, path, body }), { code: 'idempotency_key_reused' });
    expect(vendor.fake.requests.length - before).toBe(1);
  });
});

describe('F40: a form under the key of another form', () => {
  const [one, two] = [drawPng(), Buffer.concat([drawPng(), Buffer.from('.')])];
  const first = { prompt: 'A cat.', images: [one, two], mask: null, name: 'a.png' };
  const formOf = ({ prompt, images, mask, name }: { prompt: string; images: readonly Buffer[]; mask: Buffer | null; name: string }) => {
    const form = new FormData();
    const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: 'image/png' });
    for (const image of images) form.append('image[]', blob(image), name);
    if (mask) form.append('mask', blob(mask), name);
    form.append('model', 'gpt-image-2');
    form.append('prompt', prompt);
    return form;
  };

  test.each([
    ['with the same fields and files', {}, true],
    ['under other file names', { name: 'b.png' }, true],
    ['with another prompt', { prompt: 'A dog.' }, false],
    ['with another file', { images: [one, one] }, false],
    ['with the files in another order', { images: [two, one] }, false],
    ['with a mask', { mask: one }, false],
    ['with the last image as its mask', { images: [one], mask: two }, false],
  ])('treats one %s as the same request: %s', async (_what, changes, isSame) => {
    const headers = { 'idempotency-key': randomUUID() };
    const edit = (form: FormData) => vendor.gateway.call('/images/edits', { body: form, headers });
    expect((await edit(formOf(first))).status).toBe(200);
    const second = await edit(formOf({ ...first, ...changes }));
    if (!isSame) return void (await expectRefusal(second, { code: 'idempotency_key_reused' }));
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });
});

describe('F52: when the store of idempotency keys fails', () => {
  const steps = () => vendor.gateway.gateway.idempotency;

  test('rejects the call with retry-after when the key is looked up, and sends nothing upstream', async () => {
    failStep(steps(), 'find');
    const before = vendor.fake.requests.length;
    const rejected = await post({ path: chat.path, body: chat.ask, key: randomUUID() });
    expect(rejected.headers.get('retry-after')).toBe('1');
    await expectRefusal(rejected, { code: 'overloaded' });
    expect(vendor.fake.requests.length).toBe(before);
  });

  test.each([
    ['large', json({ ...(chat.whole as object), padding: 'x'.repeat(300_000) })],
    ['broken', stream(chat.frames, { stopAfter: { frames: 3 }, ending: 'cut' })],
  ])('returns a response stored apart from the charge, %s, and replays it when the store is back', async (how, script) => {
    const mend = failStep(steps(), 'saveResult');
    vendor.fake.next(script);
    const order = { path: chat.path, body: how === 'broken' ? { ...chat.ask, ...chat.streamed } : chat.ask, key: randomUUID() };
    const answer = await post(order);
    expect(answer.status).toBe(200);
    const told = await answer.text();
    expect((await post(order)).status).toBe(409);
    mend();
    await expect.poll(async () => (await post(order)).headers.get('idempotent-replayed'), { timeout: patienceMs }).toBe('true');
    expect(await (await post(order)).text()).toBe(told);
  });
});

test("F52: frees a key without billing when the store that couldn't free it is back", async () => {
  const fake = await openFake();
  const gateway = await startGateway({ billing: 'off', ...behind(fake.url), models: [{ id: 'gpt-5.4', kind: 'text' }] });
  onTestFinished(async () => {
    await gateway.close();
    await fake.close();
  });
  const mend = failStep(gateway.gateway.idempotency, 'release');
  const order = { json: chat.ask, headers: { 'idempotency-key': randomUUID() } };
  fake.next(json({ error: { message: 'out of order' } }, { status: 404 }));
  expect((await gateway.call(chat.path, order)).status).not.toBe(200);
  expect((await gateway.call(chat.path, order)).status).toBe(409);
  mend();
  await expect.poll(async () => (await gateway.call(chat.path, order)).status, { timeout: patienceMs }).toBe(200);
  expect((await gateway.call(chat.path, order)).headers.get('idempotent-replayed')).toBe('true');
});

test('F40: replays a stream that broke after output unchanged', async () => {
  const asking = { path: chat.path, body: { ...chat.ask, ...chat.streamed }, key: randomUUID() };
  vendor.fake.next(stream(chat.frames, { stopAfter: { frames: 3 }, ending: 'cut' }));
  const told = await (await post(asking)).text();
  expect(told).toContain('"code":"upstream_error"');
  const again = await post(asking);
  expect([await again.text(), again.headers.get('idempotent-replayed')]).toEqual([told, 'true']);
});

test('F40: stores no stream of more than 64 MiB, and accepts its key again', async () => {
  const asking = { path: chat.path, body: { ...chat.ask, ...chat.streamed }, key: randomUUID() };
  const long = chatFrames({ text: Array.from({ length: 65 }, () => 'x'.repeat(1_048_576)) });
  vendor.fake.next(stream(long)).next(stream(chat.frames));
  for await (const _ of (await post(asking)).body ?? []);
  const again = await post(asking);
  chat.expectWhole(await again.text());
  expect(again.headers.get('idempotent-replayed')).toBeNull();
});

test('keeps the idempotency keys of accounts separate', async () => {
  const asking = { path: chat.path, body: chat.ask, key: randomUUID() };
  const { key } = await vendor.gateway.newKey({ account: 'neighbour' });
  const before = vendor.fake.requests.length;
  for (const more of [{}, { key }]) {
    vendor.fake.next(json(chat.whole));
    expect((await post(asking, more)).headers.get('idempotent-replayed')).toBeNull();
  }
  expect(vendor.fake.requests.length - before).toBe(2);
});

test('sends a request with the same key upstream after a rejection and after an uncharged failure', async () => {
  const asking = { path: chat.path, body: chat.ask, key: randomUUID() };
  await expectRefusal(await post({ ...asking, body: { ...chat.ask, model: 'nobody' } }), { code: 'model_not_found', param: 'model' });
  vendor.fake.next(json({ error: { message: 'out of order' } }, { status: 500 }));
  await expectRefusal(await post(asking), { code: 'upstream_error' });
  vendor.fake.next(json(chat.whole));
  expect((await post(asking)).status).toBe(200);
});

test.each(['', 'with blank', 'ü', 'x'.repeat(256)])('rejects the idempotency key %j', async (key) => {
  const answer = await vendor.gateway.call(chat.path, {
    json: chat.ask,
    headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
  });
  await expectRefusal(answer, { code: 'invalid_value', says: 'idempotency-key' });
});

test("F40, G12: hides the stored response of an account from an API key that can't call the model", async () => {
  const { path, ask, whole } = chat;
  const asking = { path, body: ask, key: randomUUID() };
  vendor.fake.next(json(whole));
  expect((await post(asking)).status).toBe(200);
  const permissions = { operations: null, models: ['another-model'], mayStore: true };
  const narrow = await vendor.gateway.newKey({ permissions });
  await expectRefusal(await post(asking, { key: narrow.key }), { code: 'permission_denied', param: 'model' });
  const same = await vendor.gateway.newKey();
  expect((await post(asking, { key: same.key })).headers.get('idempotent-replayed')).toBe('true');
});
