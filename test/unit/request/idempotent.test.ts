/** Idempotency keys: the first request, a later one, one meanwhile, and a different one (F40). */
import { describe, expect, test } from 'vitest';
import { jsonBody } from '../../../server/dialects/wire/json-body.ts';
import type { Claim } from '../../../server/idempotency/store.ts';
import { chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { failure, later } from '../../fakes/faults.ts';
import { bytesOf } from '../inside.ts';
import { chat, newKey, useKeys } from './idempotent-stage.ts';

const { inside, ask, told, asked, withKeys } = useKeys();

describe('F40: a request', () => {
  test('without a key runs each time', async () => {
    const { call, answer } = ask(undefined);
    await answer;
    await told(undefined);
    expect([asked(), call.once]).toEqual([2, null]);
  });

  test.each([
    ['whole', chat()],
    ['as a stream', chat({ stream: true })],
  ])('that is repeated gets the stored answer, %s, byte for byte, and the vendor is not asked', async (_what, what) => {
    const key = newKey();
    const first = ask(key, what);
    const bytes = await bytesOf(await first.answer);
    const second = ask(key, what);
    const again = await second.answer;
    expect((await bytesOf(again)).equals(bytes)).toBe(true);
    expect([asked(), again.kind]).toEqual([1, (await first.answer).kind]);
    expect([first.call.outcome.isReplayed, second.call.outcome.isReplayed, second.call.once]).toEqual([false, true, null]);
  });

  test('that is repeated while the first one runs gets idempotency_conflict with retry-after', async () => {
    const { main } = inside();
    const gate = Promise.withResolvers<void>();
    const key = newKey();
    main.next(later(gate.promise, stream(chatFrames({ text: 'at last' }))));
    const first = ask(key, chat({ stream: true }));
    await main.arrival(0);
    await expect(ask(key, chat({ stream: true })).answer).rejects.toMatchObject({
      code: 'idempotency_conflict',
      headers: { 'retry-after': '1' },
    });
    gate.resolve();
    const bytes = await bytesOf(await first.answer);
    expect(asked()).toBe(1);
    expect((await bytesOf(await ask(key, chat({ stream: true })).answer)).equals(bytes)).toBe(true);
  });

  test.each([
    ['says something else', chat({}, 'Goodbye.')],
    ['says the same in another order', { ...chat(), body: jsonBody({ messages: [{ role: 'user', content: 'Hello.' }], model: 'alone' }) }],
    ['is for another operation', { ...chat(), operation: 'createResponse' }],
  ] as const)('under the same key that %s is refused, while the first one runs and after it', async (_what, other) => {
    const { main } = inside();
    const key = newKey();
    const gate = Promise.withResolvers<void>();
    main.next(later(gate.promise, json(chatCompletion())));
    const first = ask(key);
    await main.arrival(0);
    const refusal = { code: 'invalid_value', message: expect.stringContaining('was used for another request') };
    await expect(ask(key, other).answer).rejects.toMatchObject(refusal);
    gate.resolve();
    await first.answer;
    await expect(ask(key, other).answer).rejects.toMatchObject(refusal);
    expect(asked()).toBe(1);
  });

  test('of another account with the same key runs', async () => {
    const key = newKey();
    await told(key);
    const other = ask(key, chat({}, 'Goodbye.'), { accountId: 'bob' });
    await other.answer;
    expect([asked(), other.call.outcome.isReplayed]).toEqual([2, false]);
  });

  test('G12: of an API key that may not call the model does not get the stored answer of its account', async () => {
    const key = newKey();
    await told(key);
    const permissions = { operations: null, models: ['other'], mayStore: true };
    const second = ask(key, chat(), { permissions });
    await expect(second.answer).rejects.toMatchObject({ code: 'permission_denied' });
    expect(second.call.outcome.isReplayed).toBe(false);
  });

  test.each(['', 'two words', 'ä', 'x'.repeat(256)])('with an invalid key (%s) is refused', async (key) => {
    await expect(ask(key).answer).rejects.toMatchObject({ code: 'invalid_value' });
    expect(asked()).toBe(0);
  });
});

describe('F40: a key can be used again', () => {
  test('after the vendor failed', async () => {
    const key = newKey();
    inside().main.next(failure(404));
    await expect(ask(key).answer).rejects.toMatchObject({ code: 'upstream_error' });
    await told(key);
    expect(asked()).toBe(2);
  });

  test('after the call was refused before the vendor was asked', async () => {
    const key = newKey();
    const permissions = { operations: null, models: ['other'], mayStore: true };
    await expect(ask(key, chat(), { permissions }).answer).rejects.toMatchObject({ code: 'permission_denied' });
    await told(key, chat({}, 'Goodbye.'));
    expect(asked()).toBe(1);
  });

  test('after the process that ran the call has died', async () => {
    const { gateway } = inside();
    const key = newKey();
    const what = chat();
    const claims: Claim[] = [];
    const spying = withKeys((store) => ({
      claim(claim) {
        claims.push(claim);
        return store.claim(claim);
      },
    }));
    await told(newKey(), what, {}, spying);
    const [{ fingerprint, node }] = [claims[0] ?? expect.fail('nothing was claimed')];
    expect(node).toBe(gateway.node);
    await gateway.idempotency.claim({ accountId: 'ada', key, fingerprint, requestId: 'of the dead', node: 'a node that is not there' });
    await told(key, what);
    expect(asked()).toBe(2);
  });
});

describe('F40: an answer is stored', () => {
  test('of a stream that broke after output, and is replayed unchanged', async () => {
    const key = newKey();
    const what = chat({ stream: true });
    inside().main.next(stream(chatFrames({ text: ['one ', 'two '] }), { stopAfter: { frames: 2 }, ending: 'cut' }));
    const first = await told(key, what);
    expect(first).toContain('"code":"upstream_error"');
    expect([await told(key, what), asked()]).toEqual([first, 1]);
  });

  test.each([false, true])('G6: of a call whose caller has disconnected: it is finished and replayed (stream: %s)', async (isStream) => {
    const { main } = inside();
    const gate = Promise.withResolvers<void>();
    const key = newKey();
    const what = chat({ stream: isStream });
    main.next(later(gate.promise, isStream ? stream(chatFrames({ text: 'kept' })) : json(chatCompletion({ text: 'kept' }))));
    const first = ask(key, what);
    first.answer.then((answer) => answer.kind === 'stream' && answer.frames.resume()).catch(() => undefined);
    await main.arrival(0);
    first.hangUp();
    gate.resolve();
    await expect.poll(() => told(key, what).catch(({ code }) => code)).toContain('kept');
    expect(asked()).toBe(1);
  });
});
