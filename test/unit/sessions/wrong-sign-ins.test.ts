/** Failed sign-ins: who has to wait, for how long, and what leaves a trace. */
import { expect, test } from 'vitest';
import { WrongSignIns } from '../../../server/sessions/wrong-sign-ins.ts';

function counting() {
  const clock = { now: 0 };
  const wrong = new WrongSignIns(() => clock.now);
  const fail = (address: string, times: number) => Array.from({ length: times }, () => wrong.add(address));
  return { clock, wrong, fail };
}

test('an address waits after ten failures, until a minute after the first, and no other address does', () => {
  const { clock, wrong, fail } = counting();
  fail('192.0.2.1', 9);
  clock.now = 30_000;
  wrong.refuse('192.0.2.1');
  fail('192.0.2.1', 1);
  expect(() => wrong.refuse('192.0.2.1')).toThrow(
    expect.objectContaining({ code: 'rate_limit_exceeded', headers: { 'retry-after': '30' } }),
  );
  wrong.refuse('192.0.2.2');
  clock.now = 60_000;
  wrong.refuse('192.0.2.1');
});

test('a clock that is set back does not make an address wait for longer', () => {
  const { clock, wrong, fail } = counting();
  clock.now = 3_600_000;
  fail('192.0.2.1', 10);
  clock.now = 0;
  wrong.refuse('192.0.2.1');
});

test('a hundred failures of a minute are noted, of all addresses together', () => {
  const { clock, fail } = counting();
  const noted = Array.from({ length: 30 }, (_, at) => fail(`192.0.2.${at}`, 5)).flat();
  expect(noted.filter(Boolean)).toHaveLength(100);
  clock.now = 60_000;
  expect(fail('192.0.2.1', 1)).toEqual([true]);
});

test('many addresses take bounded memory: the one that failed first is forgotten first', () => {
  const { wrong, fail } = counting();
  fail('first', 10);
  for (let at = 0; at < 10_000; at++) wrong.add(`address ${at}`);
  wrong.refuse('first');
});
