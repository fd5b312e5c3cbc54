/** What a caller reads is done before: the end of an answer is sent when it is stored and charged, and a call that waits for the store ends once (promises G1, G2, G4 and G6). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LedgerStore } from '../../server/money/store.ts';
import { json, stream } from '../fakes/delivery.ts';
import { blockStep } from '../harness/blocked-store.ts';
import { endedCharge } from '../harness/ended-charge.ts';
import { chat, protocols, responses } from '../harness/protocols.ts';
import { expectRefusal } from '../harness/refusal.ts';
import { type BehindVendor, openBehindVendor } from '../harness/vendor.ts';

let vendor: BehindVendor;
let ledger: LedgerStore;
beforeAll(async () => {
  vendor = await openBehindVendor({ settings: { limits: { perKey: { concurrency: 1, tokensPerMinute: 1_000_000 } } } });
  ledger = vendor.gateway.gateway.money?.ledger ?? expect.fail('billing is off');
});
beforeEach(() => vendor.fake.clear());
afterAll(() => vendor.close());

/** Whole calls beside the one that waits: whatever it had sent would have come by now. */
async function callBeside(): Promise<void> {
  for (let rounds = 0; rounds < 3; rounds++) await (await vendor.gateway.call('/models')).text();
}

/** Reads an answer; `isOver` once all of it was read. */
function readAlong(asking: Promise<Response>) {
  const read = { text: '', isOver: false };
  const over = (async () => {
    const answer = await asking;
    for await (const chunk of answer.body ?? []) read.text += Buffer.from(chunk).toString();
    read.isOver = true;
    return answer;
  })();
  return { read, over };
}

const [, , stored = responses] = protocols;
const rows = [chat, stored].flatMap((protocol) => [
  ['whole', protocol.name, protocol, protocol.ask, json(protocol.whole)] as const,
  ['streamed', protocol.name, protocol, { ...protocol.ask, ...protocol.streamed }, stream(protocol.frames)] as const,
]);
const idOf = (answer: Response): string => answer.headers.get('x-request-id') ?? '';
/** The terminal event of a stream. A whole answer has its end with its first byte. */
const terminal = /"type":"response\.completed"|\[DONE\]/;

describe.each(rows)('a response, %s, to %s', (_how, _name, protocol, body, script) => {
  test('G1, G4: ends when its charge is on disk', async () => {
    const posting = blockStep(ledger, 'post');
    vendor.fake.next(script);
    const { read, over } = readAlong(vendor.gateway.call(protocol.path, { json: body }));
    await posting.asked;
    await callBeside();
    expect([read.isOver, terminal.test(read.text)]).toEqual([false, false]);
    posting.release();
    const answer = await over;
    expect(read.isOver).toBe(true);
    expect(await ledger.findCharge(idOf(answer))).toMatchObject({ state: 'posted', outcome: 'completed', metered: { output: 7 } });
  });

  test("F40: ends when it's stored for its idempotency key", async () => {
    // With its charge.
    const keeping = blockStep(ledger, 'post');
    vendor.fake.next(script);
    const order = { json: body, headers: { 'idempotency-key': `kept-${rows.findIndex((row) => row[4] === script)}` } };
    const { read, over } = readAlong(vendor.gateway.call(protocol.path, order));
    await keeping.asked;
    await callBeside();
    expect([read.isOver, terminal.test(read.text)]).toEqual([false, false]);
    keeping.release();
    await over;
    const again = await vendor.gateway.call(protocol.path, order);
    expect([await again.text(), again.headers.get('idempotent-replayed')]).toEqual([read.text, 'true']);
  });

  test("F38: ends when its slot is free and it's charged, so the next call is admitted", async () => {
    for (let calls = 0; calls < 5; calls++) {
      vendor.fake.next(script);
      const answer = await vendor.gateway.call(protocol.path, { json: body });
      await answer.text();
      expect(answer.status).toBe(200);
      expect(await ledger.findCharge(idOf(answer))).toMatchObject({ state: 'posted', isEstimated: false });
    }
  });
});

describe('a stored response', () => {
  test.each([false, true])("G1: ends when it's charged and on disk (stream: %s)", async (isStream) => {
    const saving = blockStep(vendor.gateway.gateway.history, 'save');
    vendor.fake.next(isStream ? stream(stored.frames) : json(stored.whole));
    const { read, over } = readAlong(vendor.gateway.call('/responses', { json: { ...stored.ask, stream: isStream } }));
    await saving.asked;
    await callBeside();
    expect([read.isOver, terminal.test(read.text)]).toEqual([false, false]);
    const { accountId } = await vendor.gateway.newKey();
    expect((await ledger.getBalance(accountId))?.held).toBeGreaterThan(0n);
    saving.release();
    await over;
    const id = /"id":"(resp_[^"]+)"/.exec(read.text)?.[1];
    expect((await vendor.gateway.call(`/responses/${id}`)).status).toBe(200);
  });
});

describe('G6: a caller who disconnects while the store is asked for the hold', () => {
  test('causes no request and no charge, and takes no limit', async () => {
    const { key, accountId } = await vendor.gateway.newKey({ account: 'fickle' });
    const reserving = blockStep(ledger, 'reserve');
    const leaving = new AbortController();
    const asking = vendor.gateway.call(chat.path, { key, json: chat.ask, signal: leaving.signal });
    await reserving.asked;
    leaving.abort();
    await expect(asking).rejects.toThrow();
    const line = await vendor.gateway.lineWhere(({ end }) => end === 'client_disconnected');
    reserving.release();
    expect(line).toMatchObject({ status: 499 });
    expect(await endedCharge(ledger, String(line.id))).toMatchObject({ state: 'voided', outcome: 'client_disconnected', charged: 0n });
    expect([await ledger.getBalance(accountId), vendor.fake.requests]).toMatchObject([{ held: 0n }, []]);
    const { headers } = await vendor.gateway.call('/models', { key });
    expect(headers.get('x-ratelimit-remaining-tokens')).toBe('1000000');
  });
});

describe('G4, F39: a call that a limit rejects after its hold was made', () => {
  test('releases its hold, as rejected', async () => {
    const { key, accountId } = await vendor.gateway.newKey({ account: 'crowded' });
    const gate = Promise.withResolvers<void>();
    vendor.fake.next([{ kind: 'until', gate: gate.promise }, ...json(chat.whole)]);
    const running = vendor.gateway.call(chat.path, { key, json: chat.ask });
    await vendor.fake.arrival(0);
    const before = await ledger.getBalance(accountId);
    const rejected = await vendor.gateway.call(chat.path, { key, json: chat.ask });
    expect(await endedCharge(ledger, idOf(rejected))).toMatchObject({ state: 'voided', outcome: 'rejected', charged: 0n });
    expect(await ledger.getBalance(accountId)).toEqual(before);
    await expectRefusal(rejected, { code: 'concurrency_limit_exceeded' });
    gate.resolve();
    await (await running).text();
  });
});
