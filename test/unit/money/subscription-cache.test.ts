/** The cache of subscriptions: for a second, and not past the end of the subscription or a change in this process. */
import { expect, it } from 'vitest';
import { openRecentSubscriptions } from '../../../server/money/recent-subscriptions.ts';
import type { SubscriptionRecord } from '../../../server/money/store.ts';

const noon = Date.UTC(2030, 0, 1, 12);

const record = (more: Partial<SubscriptionRecord> = {}): SubscriptionRecord => ({
  id: 'sub_1',
  accountId: 'ada',
  plan: 'pro',
  included: 20n,
  period: 'month',
  onExhaustion: 'stop',
  priceList: 'wholesale',
  startsAt: noon - 1_000,
  endsAt: null,
  cancelledAt: null,
  ...more,
});

/** A store with one result that records its lookups. */
function openStore(kept: SubscriptionRecord | undefined) {
  const asked: number[] = [];
  const recent = openRecentSubscriptions((_, at) => {
    asked.push(at);
    return kept;
  });
  return { recent, asked };
}

it.each([
  ['a subscriber', record()],
  ['an account without a plan', undefined],
])('looks up %s once per second', async (_, kept) => {
  const { recent, asked } = openStore(kept);
  for (const at of [noon, noon, noon + 1, noon + 999, noon + 1_000, noon + 1_500]) expect(await recent.find('ada', at)).toBe(kept);
  expect(asked).toEqual([noon, noon + 1_000]);
});

it('removes cached subscriptions with forget', async () => {
  const { recent, asked } = openStore(record());
  await recent.find('ada', noon);
  recent.forget();
  await recent.find('ada', noon + 1);
  expect(asked).toEqual([noon, noon + 1]);
});

it('looks up each account separately, and again after the clock is set back', async () => {
  const { recent, asked } = openStore(record());
  await recent.find('ada', noon);
  await recent.find('bob', noon);
  await recent.find('ada', noon - 1);
  expect(asked).toEqual([noon, noon, noon - 1]);
});

it('caches at most 10,000 accounts, then looks up all again', async () => {
  const { recent, asked } = openStore(undefined);
  for (let account = 0; account < 10_000; account++) await recent.find(`${account}`, noon);
  await recent.find('0', noon);
  expect(asked).toHaveLength(10_000);
  await recent.find('one more', noon);
  await recent.find('0', noon);
  expect(asked).toHaveLength(10_002);
});

it("doesn't cache the result of a lookup during a change", async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let reads = 0;
  const recent = openRecentSubscriptions(() => {
    reads++;
    return promise;
  });
  const asked = recent.find('acct_1', 0);
  recent.forget();
  resolve(undefined);
  await asked;
  await recent.find('acct_1', 1);
  await recent.find('acct_1', 2);
  expect(reads).toBe(2);
});
