/** The rejected calls that wait to be written: bounded, fair between accounts, and counted where they are dropped. */
import { expect, test } from 'vitest';
import { Waiting } from '../../../server/activity/activity.ts';
import { bounded, type LogRow } from '../../../server/activity/record.ts';
import { rejectedCall } from '../../harness/call-record.ts';

const MOST = 200;
/** Each refusal has another key, so that no two are merged. */
const flood = (waiting: Waiting, count: number, account: string | null, from = 0) => {
  for (let at = from; at < from + count; at++) waiting.add(rejectedCall(`${account}_${at}`, { account_id: account, key_id: `key_${at}` }));
};
const idsOf = (rows: readonly LogRow[]) => rows.map(({ request_id: id }) => id);

test('C2: of 10,000 different refusals the newest 100 are kept, and the others are counted as dropped', () => {
  const waiting = new Waiting();
  flood(waiting, 10_000, null);
  expect(waiting.size).toBe(100);
  expect(idsOf(waiting.take(MOST))).toEqual(Array.from({ length: 100 }, (_, at) => `null_${9_900 + at}`));
  expect([waiting.takeDropped(), waiting.takeDropped()]).toEqual([9_900, 0]);
});

test('C2: of 10,000 equal refusals 100 rows are kept, and the rest are counted as repeats', () => {
  const waiting = new Waiting();
  for (let at = 0; at < 10_000; at++) waiting.add(rejectedCall(`req_${at}`));
  const rows = waiting.take(MOST);
  expect(rows).toHaveLength(100);
  expect(rows.at(-1)).toMatchObject({ request_id: 'req_99', repeats: 9_900 });
  expect(waiting.takeDropped()).toBe(0);
});

test('C2: an account that floods gets few rows in each batch, and another one gets its row at once', () => {
  const waiting = new Waiting();
  let written = 0;
  for (let turn = 0; turn < 300; turn++) {
    flood(waiting, 1_000, 'loud', turn * 1_000);
    waiting.add(rejectedCall(`quiet_${turn}`, { account_id: 'quiet' }));
    const ids = idsOf(waiting.take(MOST));
    expect(ids).toContain(`quiet_${turn}`);
    written += ids.length - 1;
  }
  expect(written).toBe(100 + 299 * 2);
});

test('C2: all accounts together keep 1,000 rows, and the account with the most rows loses some', () => {
  const waiting = new Waiting();
  flood(waiting, 100, 'most');
  for (let account = 0; account < 950; account++) flood(waiting, 1, `account_${account}`);
  expect(waiting.size).toBe(1_000);
  expect(waiting.takeDropped()).toBe(50);
  const turns = Array.from({ length: 5 }, () => idsOf(waiting.take(MOST)));
  expect(turns.map(({ length }) => length)).toEqual([200, 200, 200, 200, 200]);
  expect(turns.flat()).toEqual(expect.arrayContaining(['most_99', 'account_0_0', 'account_949_0']));
  expect(waiting.size).toBe(0);
});

test('C2: the last batch takes all rows, also of an account that floods', () => {
  const waiting = new Waiting();
  flood(waiting, 100, 'loud');
  waiting.take(MOST);
  flood(waiting, 100, 'loud', 100);
  expect(waiting.take(MOST)).toHaveLength(2);
  expect(waiting.take(MOST, true)).toHaveLength(98);
});

test('C2: oldest is the earliest end of a waiting call', () => {
  const waiting = new Waiting();
  expect(waiting.oldest()).toBeUndefined();
  waiting.add(rejectedCall('late', { ended_at: 9, account_id: 'bob' }));
  waiting.add(rejectedCall('early', { ended_at: 5 }));
  expect(waiting.oldest()).toBe(5);
});

test('C2: texts and lists of a row are cut, and what looks like a key is masked', () => {
  const long = 'é'.repeat(3_000_000);
  const attempts = Array.from({ length: 50 }, (_, at) => ({ upstream: `up_${at}`, status: null, code: 'upstream_error', ms: 1 }));
  const kept = bounded({ asked: long, param: long, message: long, attempts, ignored: Array.from({ length: 100 }, () => long) });
  expect([kept.asked, kept.param, kept.message].map((text) => text?.length)).toEqual([100, 200, 500]);
  expect(kept.ignored?.map(({ length }) => length)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(kept.attempts).toEqual(attempts.slice(42));
  const words = bounded({ message: `mg-${'a'.repeat(490)} and Bearer abc, sk-1234567890\0\ud83e` });
  expect(words.message).toBe('mg-*** and Bearer *** sk-***?\ufffd');
});
