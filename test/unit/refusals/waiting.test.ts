/** What waits to be written of refused requests: bounded, fair between accounts, and each one that goes unwritten is counted. */
import { expect, test } from 'vitest';
import { bounded, type Refusal } from '../../../server/refusals/store.ts';
import { Waiting } from '../../../server/refusals/waiting.ts';

const refusal = (requestId: string, changes: Partial<Refusal> = {}): Refusal => ({
  requestId,
  createdAt: 1,
  accountId: null,
  keyId: null,
  operation: null,
  model: null,
  status: 401,
  code: 'invalid_api_key',
  param: null,
  message: 'No.',
  attempts: [],
  ...changes,
});
const flood = (waiting: Waiting, count: number, accountId: string | null, from = 0) => {
  for (let at = from; at < from + count; at++) waiting.add(refusal(`${accountId}_${at}`, { accountId }));
};
const idsOf = (refusals: readonly Refusal[]) => refusals.map(({ requestId }) => requestId);

test('C2: of a flood the newest wait, and the others are counted', () => {
  const waiting = new Waiting();
  flood(waiting, 10_000, null);
  expect(waiting.size).toBe(100);
  expect(idsOf(waiting.take())).toEqual(Array.from({ length: 100 }, (_, at) => `null_${9_900 + at}`));
  expect([waiting.takeDropped(), waiting.takeDropped()]).toEqual([9_900, 0]);
});

test('C2: who floods turn after turn is written a little of, and whoever has one refusal is written at once', () => {
  const waiting = new Waiting();
  let written = 0;
  for (let turn = 0; turn < 300; turn++) {
    flood(waiting, 1_000, 'loud', turn * 1_000);
    waiting.add(refusal(`quiet_${turn}`, { accountId: 'quiet' }));
    const ids = idsOf(waiting.take());
    expect(ids).toContain(`quiet_${turn}`);
    written += ids.length - 1;
  }
  expect(written).toBe(100 + 299 * 2);
});

test('C2: all accounts together have a bound, and the one with the most gives way', () => {
  const waiting = new Waiting();
  flood(waiting, 100, 'most');
  for (let account = 0; account < 950; account++) flood(waiting, 1, `account_${account}`);
  expect(waiting.size).toBe(1_000);
  expect(waiting.takeDropped()).toBe(50);
  const turns = Array.from({ length: 5 }, () => idsOf(waiting.take()));
  expect(turns.map(({ length }) => length)).toEqual([200, 200, 200, 200, 200]);
  expect(turns.flat()).toEqual(expect.arrayContaining(['most_99', 'account_0_0', 'account_949_0']));
  expect(waiting.size).toBe(0);
});

test('C2: at the end all that waits goes, whoever it is of', () => {
  const waiting = new Waiting();
  flood(waiting, 100, 'loud');
  waiting.take();
  flood(waiting, 100, 'loud', 100);
  expect(waiting.take()).toHaveLength(2);
  expect(waiting.take(true)).toHaveLength(98);
});

test('C2: no refusal is long, whatever its caller wrote, and what looks like a key is withheld', () => {
  const long = 'é'.repeat(3_000_000);
  const attempts = Array.from({ length: 50 }, (_, at) => ({ upstream: `up_${at}`, status: null, code: 'upstream_error', ms: 1 }));
  const kept = bounded(refusal('one', { model: long, param: long, message: long, attempts }));
  expect([kept.model, kept.param, kept.message].map((text) => text?.length)).toEqual([100, 200, 500]);
  expect(kept.attempts).toEqual(attempts.slice(42));
  const words = bounded(refusal('two', { message: `mg-${'a'.repeat(490)} and Bearer abc, sk-1234567890\0\ud83e` }));
  expect(words.message).toBe('mg-*** and Bearer *** sk-***?\ufffd');
});
