/** The rejected calls that wait to be written: bounded, fair between accounts, and all counted. */
import { expect, test } from 'vitest';
import { boundDetails, type LogRow } from '../../../server/records/call-record.ts';
import { CallerQueues } from '../../../server/records/caller-queues.ts';
import { rejectedCall } from '../../harness/call-record.ts';

const MOST = 200;
/** Each refusal has another key, so that no two are merged. */
const flood = (waiting: CallerQueues, count: number, account: string | null, from = 0) => {
  for (let at = from; at < from + count; at++) waiting.add(rejectedCall(`${account}_${at}`, { account_id: account, key_id: `key_${at}` }));
};
const idsOf = (rows: readonly LogRow[]) => rows.map(({ request_id: id }) => id);

const countCalls = (rows: readonly LogRow[]): number => rows.reduce((sum, { repeats }) => sum + 1 + repeats, 0);

test('C2: gives 200 of 10,000 different refusals a row, and counts the others in one row of their account', () => {
  const waiting = new CallerQueues();
  flood(waiting, 10_000, 'loud');
  expect(waiting.size).toBe(201);
  const rows = waiting.dequeue(1_000, true);
  expect(idsOf(rows).slice(0, 200)).toEqual(Array.from({ length: 200 }, (_, at) => `loud_${at}`));
  expect(rows.at(-1)).toMatchObject({ account_id: 'loud', key_id: null, model: null, code: 'rate_limit_exceeded', repeats: 9_799 });
  expect(countCalls(rows)).toBe(10_000);
});

test('C2: gives 100 of 10,000 refusals of two kinds a row, and counts the others in the last row of their kind', () => {
  const waiting = new CallerQueues();
  const operations = ['createResponse', 'createChatCompletion'];
  for (let at = 0; at < 10_000; at++) waiting.add(rejectedCall(`req_${at}`, { operation: operations[at % 2] ?? null }));
  const rows = waiting.dequeue(MOST);
  expect(rows).toHaveLength(100);
  expect(rows.slice(-2).map(({ operation, repeats }) => [operation, repeats])).toEqual(operations.map((name) => [name, 4_950]));
  expect(countCalls(rows)).toBe(10_000);
});

test('C2: counts a refusal in its own hour', () => {
  const waiting = new CallerQueues();
  for (let at = 0; at < 200; at++) waiting.add(rejectedCall(`req_${at}`));
  waiting.add(rejectedCall('next', { ended_at: 3_600_001 }));
  expect(waiting.dequeue(MOST, true).at(-1)).toMatchObject({ request_id: 'next', repeats: 0 });
});

test('C2: gives an account that floods few rows per batch, and another one its row immediately', () => {
  const waiting = new CallerQueues();
  let written = 0;
  for (let turn = 0; turn < 300; turn++) {
    flood(waiting, 1_000, 'loud', turn * 1_000);
    waiting.add(rejectedCall(`quiet_${turn}`, { account_id: 'quiet' }));
    const ids = idsOf(waiting.dequeue(MOST));
    expect(ids).toContain(`quiet_${turn}`);
    written += ids.length - 1;
  }
  expect(written).toBe(100 + 299 * 2);
});

test('C2: keeps the rows of an account with few calls beside accounts that flood', () => {
  const waiting = new CallerQueues();
  for (let account = 0; account < 20; account++) flood(waiting, 1_000, `loud_${account}`);
  flood(waiting, 8, 'quiet');
  expect(waiting.size).toBeLessThan(2_000);
  const rows = waiting.dequeue(10_000, true);
  expect(rows.filter(({ account_id, key_id }) => account_id === 'quiet' && key_id !== null)).toHaveLength(8);
  expect(countCalls(rows)).toBe(20_008);
  expect(waiting.size).toBe(0);
});

test('C2: takes all rows in the last batch, also of an account that floods', () => {
  const waiting = new CallerQueues();
  flood(waiting, 100, 'loud');
  waiting.dequeue(MOST);
  flood(waiting, 100, 'loud', 100);
  expect(waiting.dequeue(MOST)).toHaveLength(2);
  expect(waiting.dequeue(MOST, true)).toHaveLength(98);
});

test('C2: returns the earliest end time of the queued calls from getOldest', () => {
  const waiting = new CallerQueues();
  expect(waiting.getOldest()).toBeUndefined();
  waiting.add(rejectedCall('late', { ended_at: 9, account_id: 'bob' }));
  waiting.add(rejectedCall('early', { ended_at: 5 }));
  expect(waiting.getOldest()).toBe(5);
});

test('C2: cuts texts and lists of a row, and masks what looks like a key', () => {
  const long = 'é'.repeat(3_000_000);
  const attempts = Array.from({ length: 50 }, (_, at) => ({ upstream: `up_${at}`, status: null, code: 'upstream_error', ms: 1 }));
  const kept = boundDetails({ requested: long, param: long, message: long, attempts, dropped: Array.from({ length: 100 }, () => long) });
  expect([kept.requested, kept.param, kept.message].map((text) => text?.length)).toEqual([100, 200, 500]);
  expect(kept.dropped?.map(({ length }) => length)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(kept.attempts).toEqual(attempts.slice(42));
  const words = boundDetails({ message: `mg-${'a'.repeat(490)} and Bearer abc, sk-1234567890\0\ud83e` });
  expect(words.message).toBe('mg-*** and Bearer *** sk-***?\ufffd');
});
