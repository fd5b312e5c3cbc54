/** The answer that is stored under an idempotency key: for which request, up to which size, and when the store fails (F40, F52, F60). */
import { describe, expect, test } from 'vitest';
import type { Gateway } from '../../../server/gateway.ts';
import type { IdempotencyStore } from '../../../server/idempotency/store.ts';
import { Once } from '../../../server/request/idempotent.ts';
import type { ParsedRequest } from '../../../server/request/transcoder.ts';
import type { FormBody, ImageFile } from '../../../server/upstreams/upstream.ts';
import { failure } from '../../fakes/faults.ts';
import { textOf } from '../inside.ts';
import { chat, newKey, useKeys } from './idempotent-stage.ts';

const { inside, ask, told, asked, withKeys } = useKeys();

describe('F52: when the store of idempotency keys fails', () => {
  const down = () => Promise.reject(new Error('the store is down'));

  test('at the claim, the call is refused with retry-after and does not run', async () => {
    const { answer } = ask(
      newKey(),
      chat(),
      {},
      withKeys(() => ({ claim: down })),
    );
    await expect(answer).rejects.toMatchObject({ code: 'overloaded', headers: { 'retry-after': '1' } });
    expect(asked()).toBe(0);
  });

  test.each([false, true])('while it stores an answer, the caller gets the answer, and it is logged (stream: %s)', async (isStream) => {
    const { call, answer } = ask(
      newKey(),
      chat({ stream: isStream }),
      {},
      withKeys(() => ({ keep: down })),
    );
    expect(await textOf(await answer)).toContain('chatcmpl-fake');
    expect(await inside().lineWhere(({ id }) => id === call.id)).toMatchObject({
      msg: 'an answer could not be kept for its idempotency key',
    });
  });

  test('while it frees a key, the caller gets the error of the call, and the other one is logged', async () => {
    inside().main.next(failure(404));
    const { call, answer } = ask(
      newKey(),
      chat(),
      {},
      withKeys(() => ({ release: down })),
    );
    await expect(answer).rejects.toMatchObject({ code: 'upstream_error' });
    expect(await inside().lineWhere(({ id, msg }) => id === call.id && msg === 'an idempotency key could not be freed')).toBeDefined();
  });
});

describe('F40: a form is the same request as the first', () => {
  const fileOf = (byte: number): ImageFile => ({ filename: `${byte}.png`, contentType: 'image/png', bytes: Buffer.from([byte]) });
  const value = { model: 'drawn', prompt: 'A cat.' };
  const form = (changes: Partial<FormBody> = {}): ParsedRequest => ({
    operation: 'editImages',
    body: { kind: 'form', value, images: [fileOf(1), fileOf(2)], mask: null, ...changes },
  });

  test.each([
    ['with the same fields and files', {}, true],
    ['under other file names', { images: [fileOf(1), fileOf(2)].map((file) => ({ ...file, filename: 'other' })) }, true],
    ['not with another prompt', { value: { ...value, prompt: 'A dog.' } }, false],
    ['not with another file', { images: [fileOf(1), fileOf(3)] }, false],
    ['not with the files in another order', { images: [fileOf(2), fileOf(1)] }, false],
    ['not with a mask more', { mask: fileOf(3) }, false],
    ['not with the last image as its mask', { images: [fileOf(1)], mask: fileOf(2) }, false],
  ])('%s', async (_what, changes, isSame) => {
    const key = newKey();
    await told(key, form());
    const second = ask(key, form(changes));
    if (isSame) await second.answer;
    else await expect(second.answer).rejects.toMatchObject({ code: 'invalid_value' });
    expect([second.call.outcome.isReplayed, asked()]).toEqual([isSame, 1]);
  });
});

describe('the stored answer', () => {
  const mebibyte = Buffer.alloc(1024 * 1024, 'x');
  function openOnce() {
    const done: string[] = [];
    const idempotency: Partial<IdempotencyStore> = {
      keep: async (_owner, { contentType, bytes }) => void done.push(`${contentType} ${bytes.length}`),
      release: async () => void done.push('freed'),
    };
    const claim = { accountId: 'ada', key: 'k', fingerprint: 'f', requestId: 'r', node: 'n' };
    // The fields of a gateway that it uses.
    return { done, once: new Once({ idempotency } as unknown as Gateway, claim) };
  }

  test.each([
    [63, `text/event-stream ${64 * 1024 * 1024}`],
    [64, 'freed'],
  ])('is at most 64 MiB: a stream of %i MiB and one more', async (count, expected) => {
    const { once, done } = openOnce();
    for (let n = 0; n < count; n++) once.add(mebibyte);
    await once.seal(mebibyte);
    expect(done).toEqual([expected]);
  });

  test('is at most 64 MiB without a stream, too', async () => {
    const { once, done } = openOnce();
    await once.keepWhole(mebibyte);
    await once.keepWhole(Buffer.alloc(64 * 1024 * 1024 + 1));
    expect(done).toEqual([`application/json ${1024 * 1024}`, 'freed']);
  });

  test('begins again with another attempt, also after one that was too long', async () => {
    const { once, done } = openOnce();
    for (let n = 0; n < 65; n++) once.add(mebibyte);
    once.forget();
    once.add(Buffer.from('one '));
    await once.seal(Buffer.from('two'));
    expect(done).toEqual(['text/event-stream 7']);
  });
});

test('F60: a call enters one configuration, and leaves it when its answer has begun or it has failed', async () => {
  const { gateway, main } = inside();
  const steps: string[] = [];
  const watching: Gateway = {
    ...gateway,
    enter() {
      steps.push('enter');
      const entered = gateway.enter();
      const leave = (): void => {
        steps.push('leave');
        entered.leave();
      };
      return { ...entered, leave };
    },
  };
  await ask(undefined, chat(), {}, watching).answer;
  main.next(failure(404));
  await ask(undefined, chat(), {}, watching).answer.catch(() => steps.push('failed'));
  expect(steps).toEqual(['enter', 'leave', 'enter', 'leave', 'failed']);
});
