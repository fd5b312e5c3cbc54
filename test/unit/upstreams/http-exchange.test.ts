/** One request over a connection, event by event: its answer, its end, and its timeout (promise G6). */
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Dispatcher, errors } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { HttpExchange } from '../../../server/upstreams/http-exchange.ts';
import type { UpstreamAnswer } from '../../../server/upstreams/upstream.ts';

function openExchange(totalMs = 10_000) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const [gone, left] = [new EventEmitter(), new EventEmitter()];
  const told: string[] = [];
  let answer: UpstreamAnswer | null = null;
  let cause: unknown = null;
  const exchange = new HttpExchange({
    gone,
    left,
    totalMs,
    resolve: (came) => {
      told.push('answered');
      answer = came;
    },
    reject: (why) => {
      told.push('failed');
      cause = why;
    },
    over: () => void told.push('over'),
  });
  // The part of undici's controller that is used.
  const controller = {
    abort: (why: Error) => void told.push(why instanceof errors.RequestAbortedError ? 'aborted' : `aborted by ${why.name}`),
    pause: () => undefined,
    resume: () => undefined,
  } as unknown as Dispatcher.DispatchController;
  return {
    exchange,
    told,
    controller,
    leave: () => gone.emit('abort'),
    onlyLeave: () => left.emit('abort'),
    start: () => exchange.onRequestStart(controller),
    begin: (status = 200) => exchange.onResponseStart(controller, status, { 'content-type': 'text/plain' }),
    answer: (): UpstreamAnswer => answer ?? expect.fail('no answer'),
    cause: () => cause,
  };
}

/** Records the events of the answer's body. */
function listen({ body }: UpstreamAnswer): string[] {
  const told: string[] = [];
  body.on('data', (chunk) => void told.push(String(chunk)));
  body.on('end', () => void told.push('(end)'));
  body.on('error', (error) => void told.push(`(${'code' in error ? error.code : error.name})`));
  return told;
}

test('interim responses are not the answer', () => {
  const { start, begin, told } = openExchange();
  start();
  for (const status of [100, 103, 199]) begin(status);
  expect(told).toEqual([]);
  begin(200);
  expect(told).toEqual(['answered']);
});

describe('the timeout of the whole request', () => {
  test.each([
    [0, 10_000],
    [4_000, 6_000],
    [9_990, 10],
  ])('begins with the request: an answer that begins after %i ms has %i ms left, with a tolerance of 50 ms', async (afterMs, leftMs) => {
    const { start, begin, answer } = openExchange();
    start();
    vi.advanceTimersByTime(afterMs);
    begin();
    const heard = listen(answer());
    vi.advanceTimersByTime(leftMs - 1);
    await nextTurn();
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(51);
    await nextTurn();
    expect(heard).toEqual(['(upstream_timeout)']);
  });

  test('ends with the answer', async () => {
    const { start, begin, exchange, answer } = openExchange();
    start();
    begin();
    const heard = listen(answer());
    exchange.onResponseEnd();
    await nextTurn();
    expect(vi.getTimerCount()).toBe(0);
    expect(heard).toEqual(['(end)']);
  });
});

describe('G6: a caller who disconnects', () => {
  test('before there is a connection rejects with overloaded, and nothing is sent', () => {
    const { leave, start, told, cause } = openExchange();
    leave();
    expect([told, cause()]).toMatchObject([['failed'], { code: 'overloaded' }]);
    start();
    expect(told).toEqual(['failed', 'aborted']);
  });
});

describe('G6: a caller who disconnects from an answer that is drained', () => {
  test('ends a request that was not sent yet', () => {
    const { onlyLeave, told, cause } = openExchange();
    onlyLeave();
    expect([told, cause()]).toMatchObject([['failed'], { code: 'overloaded' }]);
  });

  test('does not end a request that was sent', () => {
    const { onlyLeave, start, begin, told } = openExchange();
    start();
    onlyLeave();
    begin();
    expect(told).toEqual(['answered']);
  });
});
