/** The drain of an answer whose caller has disconnected: its start, its bounds in time and bytes, and its end (promise G6). */
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
    /** Starts to read the answer. */
    read: () => void body.resume(),
    async say(bytes: number) {
      body.push('x'.repeat(bytes));
      await nextTurn();
      await nextTurn();
    },
    pass: (ms: number) => void vi.advanceTimersByTime(ms),
  };
}

test('there are no bounds while the caller is connected', async () => {
  const { drain, body, read, say, pass, stops } = openDrain();
  drain.watch(body);
  read();
  await say(1_000);
  pass(60_000);
  expect(stops()).toBe(0);
});

test('after a disconnect the answer is cut after drainMs', () => {
  const { drain, body, leave, pass, stops } = openDrain();
  drain.watch(body);
  pass(5_000);
  leave();
  pass(999);
  expect(stops()).toBe(0);
  pass(1);
  expect(stops()).toBe(1);
});

test('an answer that has not begun is cut after drainMs, too', () => {
  const { leave, pass, stops } = openDrain();
  leave();
  pass(1_000);
  expect(stops()).toBe(1);
});

test('after a disconnect the answer is cut after drainBytes more', async () => {
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

test('an answer that begins after the disconnect is cut after drainBytes', async () => {
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

test('an answer that has ended during the drain is not cut', async () => {
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

test('a disconnect after the end of the answer starts no drain', async () => {
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

test.each(['before', 'after'])('without an answer there is no drain: a disconnect %s the end', (when) => {
  const { drain, leave, pass, stops } = openDrain();
  if (when === 'before') leave();
  drain.end();
  if (when === 'after') leave();
  pass(60_000);
  expect(stops()).toBe(0);
});

test('G9: stop cuts the answer at once, and once', () => {
  const { drain, body, leave, pass, stops } = openDrain();
  drain.watch(body);
  leave();
  drain.stop();
  expect(stops()).toBe(1);
  pass(60_000);
  expect(stops()).toBe(1);
});
