/** How many requests an upstream has at once, and who waits for one of them to end. */
import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { GatewayError } from '../../../server/errors.ts';
import { Admission } from '../../../server/upstreams/admission.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { holdTimers } from '../../harness/held-clock.ts';

const nobody = new EventEmitter();

test('a request over the bound is told so at once, and the next one after an end is let in', () => {
  const admission = new Admission({ connections: 2, queue: 0, waitMs: hangLimitMs });
  admission.enter(nobody);
  admission.enter(nobody);
  expect(() => admission.enter(nobody)).toThrow(GatewayError);
  admission.leave();
  expect(admission.enter(nobody)).toBeUndefined();
  expect(() => admission.enter(nobody)).toThrow('at once');
});

test('requests that may wait are let in by turns', async () => {
  const admission = new Admission({ connections: 1, queue: 2, waitMs: hangLimitMs });
  admission.enter(nobody);
  const order: number[] = [];
  const first = admission.enter(nobody)?.then(() => order.push(1));
  const second = admission.enter(nobody)?.then(() => order.push(2));
  expect(() => admission.enter(nobody)).toThrow('at once');
  admission.leave();
  await first;
  expect(order).toEqual([1]);
  admission.leave();
  await second;
  admission.leave();
  expect([order, admission.enter(nobody)]).toEqual([[1, 2], undefined]);
});

test('nobody waits longer than is allowed, and whoever leaves waits no more', async () => {
  await holdTimers();
  const admission = new Admission({ connections: 1, queue: 1, waitMs: 30 });
  admission.enter(nobody);
  const refused: unknown[] = [];
  const over = admission.enter(nobody)?.catch((error) => refused.push(error));
  await vi.advanceTimersByTimeAsync(29);
  expect(refused).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await over;
  expect(refused).toMatchObject([{ code: 'overloaded', headers: { 'retry-after': '1' } }]);
  const leaving = new EventEmitter();
  const waiting = admission.enter(leaving);
  leaving.emit('abort');
  await expect(waiting).rejects.toMatchObject({ code: 'overloaded' });
  admission.leave();
  expect([admission.enter(nobody), leaving.listenerCount('abort')]).toEqual([undefined, 0]);
});
