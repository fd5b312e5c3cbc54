/** How many requests an upstream has at once, and who waits for one of them to end. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { GatewayError } from '../../../server/errors.ts';
import { Admission } from '../../../server/upstreams/admission.ts';

const nobody = new EventEmitter();

test('a request over the bound is told so at once, and the next one after an end is let in', () => {
  const admission = new Admission({ connections: 2, queue: 0, waitMs: 1_000 });
  admission.enter(nobody);
  admission.enter(nobody);
  expect(() => admission.enter(nobody)).toThrow(GatewayError);
  admission.leave();
  expect(admission.enter(nobody)).toBeUndefined();
  expect(() => admission.enter(nobody)).toThrow('at once');
});

test('requests that may wait are let in by turns', async () => {
  const admission = new Admission({ connections: 1, queue: 2, waitMs: 1_000 });
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
  const admission = new Admission({ connections: 1, queue: 1, waitMs: 30 });
  admission.enter(nobody);
  await expect(admission.enter(nobody)).rejects.toMatchObject({ code: 'overloaded', headers: { 'retry-after': '1' } });
  const leaving = new EventEmitter();
  const waiting = admission.enter(leaving);
  leaving.emit('abort');
  await expect(waiting).rejects.toMatchObject({ code: 'overloaded' });
  admission.leave();
  expect([admission.enter(nobody), leaving.listenerCount('abort')]).toEqual([undefined, 0]);
});
