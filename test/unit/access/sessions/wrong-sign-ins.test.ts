/** Failed sign-ins: which address is limited, for how long, and which failures are logged. */
import { expect, test } from 'vitest';

import { FailedSignIns } from '../../../../server/access/sessions/failed-sign-ins.ts';

function counting() {
  const clock = { now: 0 };
  const wrong = new FailedSignIns(() => clock.now);
  const tryTimes = (address: string, times: number) => {
    for (let count = 0; count < times; count++) wrong.acquire(address);
  };
  return { clock, wrong, tryTimes };
}

test('rejects an address after ten tries until a minute after the first, and no other address', () => {
  const { clock, wrong, tryTimes } = counting();
  tryTimes('192.0.2.1', 9);
  clock.now = 30_000;
  wrong.acquire('192.0.2.1');
  expect(() => wrong.acquire('192.0.2.1')).toThrow(
    expect.objectContaining({ code: 'rate_limit_exceeded', headers: { 'retry-after': '30' } }),
  );
  wrong.acquire('192.0.2.2');
  clock.now = 60_000;
  wrong.acquire('192.0.2.1');
});

test('releases the try of a successful sign-in, and counts a try that is still being checked', () => {
  const { wrong, tryTimes } = counting();
  for (let count = 0; count < 30; count++) {
    wrong.acquire('192.0.2.1');
    wrong.release('192.0.2.1');
  }
  tryTimes('192.0.2.1', 10);
  expect(() => wrong.acquire('192.0.2.1')).toThrow();
  wrong.release('192.0.2.1');
  wrong.acquire('192.0.2.1');
});

test('rejects no address for longer after a clock is set back', () => {
  const { clock, wrong, tryTimes } = counting();
  clock.now = 3_600_000;
  tryTimes('192.0.2.1', 10);
  clock.now = 0;
  wrong.acquire('192.0.2.1');
});

test('records at most a hundred failures per minute, for all addresses together', () => {
  const { clock, wrong } = counting();
  const noted = Array.from({ length: 150 }, () => wrong.recordFailure());
  expect(noted.filter(Boolean)).toHaveLength(100);
  clock.now = 60_000;
  expect(wrong.recordFailure()).toBe(true);
});

test('remembers a bounded number of addresses, and forgets the first one first', () => {
  const { wrong, tryTimes } = counting();
  tryTimes('first', 10);
  for (let at = 0; at < 10_000; at++) wrong.acquire(`address ${at}`);
  wrong.acquire('first');
});
