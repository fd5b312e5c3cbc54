/** The memory of request bodies: counted for the process and for each key, and freed when a request ends (A4, A14). */
import { expect, test } from 'vitest';
import { BodyMemory } from '../../../server/limits/body-memory.ts';
import { GatewayError } from '../../../server/primitives/errors.ts';

const codeOf = (refusal: GatewayError | null) => refusal?.code ?? null;

test('A14: bounds bytes per key and in total, and frees them at the end of a request', () => {
  const room = new BodyMemory({ total: 100, perKey: 60, alone: 60 });
  const [one, other, third] = [room.open('one'), room.open('one'), room.open('third')];
  expect(one.acquire(50)).toBeNull();
  expect(codeOf(other.acquire(11))).toBe('concurrency_limit_exceeded');
  expect(other.acquire(10)).toBeNull();
  expect(codeOf(third.acquire(41))).toBe('overloaded');
  expect(third.acquire(40)).toBeNull();
  expect(room.bytes).toBe(100);
  one.close();
  expect([room.bytes, third.acquire(20), other.acquire(30), room.bytes]).toEqual([50, null, null, 100]);
  other.close();
  third.close();
  expect(room.bytes).toBe(0);
});

test("A14: doesn't count rejected bytes, nor bytes after the end of a request", () => {
  const room = new BodyMemory({ total: 100, perKey: 0, alone: 0 });
  const share = room.open('one');
  expect(codeOf(share.acquire(101))).toBe('request_too_large');
  expect([room.bytes, share.acquire(60), codeOf(share.acquire(41)), room.bytes]).toEqual([0, null, 'request_too_large', 60]);
  share.close();
  share.close();
  expect([share.acquire(5), room.bytes]).toEqual([null, 0]);
});

test('A14: reserves announced bytes, and counts them once', () => {
  const room = new BodyMemory({ total: 0, perKey: 100, alone: 100 });
  const share = room.open('one');
  expect([share.reserve(80), codeOf(room.open('one').reserve(30)), room.bytes]).toEqual([null, 'concurrency_limit_exceeded', 80]);
  expect([share.acquire(50), share.acquire(40), room.bytes, codeOf(share.acquire(11))]).toEqual([null, null, 90, 'request_too_large']);
  share.close();
  expect(room.bytes).toBe(0);
});

test('A14: rejects a body that alone is too large without retry-after', () => {
  const room = new BodyMemory({ total: 0, perKey: 60, alone: 60 });
  expect(room.open('one').acquire(61)).toMatchObject({ code: 'request_too_large', headers: {} });
  room.open('one').acquire(50);
  expect(room.open('one').acquire(20)).toMatchObject({ code: 'concurrency_limit_exceeded', headers: { 'retry-after': '1' } });
});

test('A14: lets the only request of a key be larger than several together', () => {
  const room = new BodyMemory({ total: 0, perKey: 50, alone: 90 });
  const large = room.open('one');
  expect([large.acquire(80), codeOf(room.open('one').acquire(1)), codeOf(large.acquire(11))]).toEqual([
    null,
    'concurrency_limit_exceeded',
    'request_too_large',
  ]);
  large.close();
  room.open('one').acquire(10);
  expect(codeOf(room.open('one').acquire(80))).toBe('concurrency_limit_exceeded');
});

test('A3: counts stored bytes that a request reads threefold, and rejects them over the bound', () => {
  const room = new BodyMemory({ total: 100, perKey: 60, alone: 60 });
  const share = room.open('one');
  share.acquireStored(10);
  expect(room.bytes).toBe(30);
  expect(() => room.open('one').acquireStored(11)).toThrow(expect.objectContaining({ code: 'concurrency_limit_exceeded' }));
  share.close();
  share.acquireStored(100);
  expect(room.bytes).toBe(0);
});

test("A14: sends a wait to a request that doesn't fit beside others, and none to one that never fits", () => {
  const ofKey = new BodyMemory({ total: 0, perKey: 60, alone: 60 });
  ofKey.open('one').acquire(1);
  expect([ofKey.open('one').acquire(60), ofKey.open('one').acquire(61)].map(codeOf)).toEqual([
    'concurrency_limit_exceeded',
    'request_too_large',
  ]);
  const ofAll = new BodyMemory({ total: 60, perKey: 0, alone: 0 });
  ofAll.open('one').acquire(1);
  expect([ofAll.open('two').acquire(60), ofAll.open('two').acquire(61)].map(codeOf)).toEqual(['overloaded', 'request_too_large']);
});

test('A14: applies a bound of one byte', () => {
  const ofKey = new BodyMemory({ total: 0, perKey: 1, alone: 1 });
  const ofAll = new BodyMemory({ total: 1, perKey: 0, alone: 0 });
  for (const room of [ofKey, ofAll]) expect([1, 1].map((bytes) => room.open('one').acquire(bytes) === null)).toEqual([true, false]);
});

test('A14: names the bound in MiB in an error, at least one', () => {
  const mebibytes = (alone: number) => new BodyMemory({ total: 0, perKey: 1, alone }).open('one').acquire(2 * alone)?.message;
  expect([67_000_000, 60].map(mebibytes)).toEqual([64, 1].map((size) => expect.stringContaining(`the ${size} MiB available`)));
});

test('A14: accepts announced bytes when they arrive, counts them if they were rejected, and none after the end', () => {
  const room = new BodyMemory({ total: 0, perKey: 100, alone: 100 });
  const share = room.open('one');
  share.reserve(80);
  room.bounds = { total: 0, perKey: 50, alone: 50 };
  expect([share.acquire(80), room.bytes]).toEqual([null, 80]);
  share.close();
  expect([share.reserve(10), room.bytes]).toEqual([null, 0]);
  const other = room.open('one');
  expect([codeOf(other.reserve(60)), other.acquire(40), room.bytes]).toEqual(['request_too_large', null, 40]);
});

test('A14: notifies the opener of a request if it is rejected because the process is full, and only then', () => {
  let full = 0;
  const room = new BodyMemory({ total: 100, perKey: 60, alone: 60 });
  const share = room.open('one', () => full++);
  share.acquire(61);
  share.acquire(50);
  expect(full).toBe(0);
  room.open('two').acquire(50);
  expect([codeOf(share.acquire(1)), full]).toEqual(['overloaded', 1]);
});

test('A14: rejects nothing without bounds, and applies a changed bound immediately', () => {
  const room = new BodyMemory({ total: 0, perKey: 0, alone: 0 });
  const share = room.open('one');
  expect(share.acquire(1e12)).toBeNull();
  room.bounds = { total: 10, perKey: 0, alone: 0 };
  expect(codeOf(room.open('other').acquire(1))).toBe('overloaded');
});

test('A4: lets a call that will be rejected send a number of bytes, then returns its error', () => {
  const room = new BodyMemory({ total: 0, perKey: 0, alone: 0 });
  const share = room.open('one');
  const refusal = new GatewayError('insufficient_balance');
  share.rejectEarly(() => refusal, 10);
  expect([share.acquire(6), share.acquire(5), share.acquire(4)]).toEqual([null, refusal, null]);
});

test('A4: counts bodies in reading per key until they are read or their request ends', () => {
  const room = new BodyMemory({ total: 0, perKey: 0, alone: 0 });
  const [one, other] = [room.open('one'), room.open('one')];
  for (const share of [one, one, other]) share.beginReading();
  expect([room.getReadingCount('one'), room.getReadingCount('other')]).toEqual([2, 0]);
  one.endReading();
  one.endReading();
  other.close();
  other.beginReading();
  expect([room.getReadingCount('one'), room.bytes]).toEqual([0, 0]);
  const third = room.open('one');
  third.acquire(8);
  third.shrinkTo(5);
  expect([room.getReadingCount('one'), room.bytes]).toEqual([0, 5]);
  third.beginReading();
  expect([room.getReadingCount('one'), room.bytes]).toEqual([1, 5]);
  third.close();
  expect([room.getReadingCount('one'), room.bytes]).toEqual([0, 0]);
});

test('A4: releases the memory a parsed body no longer needs, and never acquires more', () => {
  const room = new BodyMemory({ total: 100, perKey: 100, alone: 100 });
  const share = room.open('one');
  share.acquire(80);
  share.shrinkTo(30);
  expect([room.bytes, room.open('one').acquire(70)]).toEqual([30, null]);
  share.shrinkTo(60);
  expect(room.bytes).toBe(100);
  share.close();
  share.shrinkTo(10);
  expect(room.bytes).toBe(70);
});

test('A4: unpacks six compressed bodies of a key at a time', async () => {
  const room = new BodyMemory({ total: 0, perKey: 0, alone: 0 });
  const begun: (() => void)[] = [];
  for (let at = 0; at < 8; at++) {
    const share = room.open('one');
    void share.waitToUnpack().then((free) => begun.push(free));
  }
  await new Promise(setImmediate);
  expect(begun.length).toBe(6);
  begun[0]?.();
  await new Promise(setImmediate);
  expect(begun.length).toBe(7);
});
