/** An answer that is heard out for nobody: from when, how long, how much of it, and what ends that (promise G6). */
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Drain } from '../../../server/upstreams/client-gone-drain.ts';

function openDrain({ drainMs = 1_000, drainBytes = 10 } = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const left = new EventEmitter();
  const drain = new Drain(left, { drainMs, drainBytes });
  let stops = 0;
  drain.gone.on('abort', () => {
    stops += 1;
  });
  const body = new Readable({ read: () => undefined });
  return {
    drain,
    body,
    leave: () => left.emit('abort'),
    stops: () => stops,
    /** The reader that is there from the beginning of the answer. */
    read: () => void body.resume(),
    async say(bytes: number) {
      body.push('x'.repeat(bytes));
      await nextTurn();
      await nextTurn();
    },
    pass: (ms: number) => void vi.advanceTimersByTime(ms),
  };
}

test('nothing is counted as long as the caller is there', async () => {
  const { drain, body, read, say, pass, stops } = openDrain();
  drain.watch(body);
  read();
  await say(1_000);
  pass(60_000);
  expect(stops()).toBe(0);
});

test('an answer whose caller has left is heard so long', () => {
  const { drain, body, leave, pass, stops } = openDrain();
  drain.watch(body);
  pass(5_000);
  leave();
  pass(999);
  expect(stops()).toBe(0);
  pass(1);
  expect(stops()).toBe(1);
});

test('an answer that has not begun is heard no longer', () => {
  const { leave, pass, stops } = openDrain();
  leave();
  pass(1_000);
  expect(stops()).toBe(1);
});

test('an answer whose caller has left is heard so far, not counting what came before', async () => {
  const { drain, body, read, leave, say, stops } = openDrain();
  drain.watch(body);
  read();
  await say(1_000);
  leave();
  await say(10);
  expect(stops()).toBe(0);
  await say(1);
  expect(stops()).toBe(1);
});

test('an answer that begins after its caller has left is heard so far', async () => {
  const { drain, body, read, leave, say, stops } = openDrain();
  leave();
  drain.watch(body);
  read();
  await nextTurn();
  await say(10);
  expect(stops()).toBe(0);
  await say(1);
  expect(stops()).toBe(1);
});

test('an answer that came to its end is not cut any more', async () => {
  const { drain, body, read, leave, pass, stops } = openDrain();
  drain.watch(body);
  read();
  leave();
  body.push(null);
  await nextTurn();
  await nextTurn();
  expect(body.closed).toBe(true);
  pass(60_000);
  expect(stops()).toBe(0);
});

test('a caller who leaves behind the end of the answer is not heard out', async () => {
  const { drain, body, read, leave, pass, stops } = openDrain();
  drain.watch(body);
  read();
  body.push(null);
  await nextTurn();
  await nextTurn();
  leave();
  pass(60_000);
  expect(stops()).toBe(0);
});

test.each(['before', 'after'])('where no answer came there is nothing to hear: a caller who leaves %s that', (when) => {
  const { drain, leave, pass, stops } = openDrain();
  if (when === 'before') leave();
  drain.end();
  if (when === 'after') leave();
  pass(60_000);
  expect(stops()).toBe(0);
});

test('G9: whoever stops it is heard at once, and once', () => {
  const { drain, body, leave, pass, stops } = openDrain();
  drain.watch(body);
  leave();
  drain.stop();
  expect(stops()).toBe(1);
  pass(60_000);
  expect(stops()).toBe(1);
});
