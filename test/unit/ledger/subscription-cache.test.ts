/** The subscription of an account is remembered for a second, and never past its own end or a change made here. */
import { expect, it } from 'vitest';
import type { SubscriptionRecord } from '../../../server/ledger/store.ts';
import { openRecentSubscriptions } from '../../../server/ledger/subscription-cache.ts';

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

/** A store that says what it is told to, and counts how often it is asked. */
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
])('%s is looked up once a second', async (_, kept) => {
  const { recent, asked } = openStore(kept);
  for (const at of [noon, noon + 1, noon + 999, noon + 1_000, noon + 1_500]) expect(await recent.find('ada', at)).toBe(kept);
  expect(asked).toEqual([noon, noon + 1_000]);
});

it('a plan that ends or is cancelled within the second is not remembered past that', async () => {
  for (const end of [record({ endsAt: noon + 500 }), record({ cancelledAt: noon + 500 })]) {
    const { recent, asked } = openStore(end);
    for (const at of [noon, noon + 499, noon + 500]) await recent.find('ada', at);
    expect(asked).toEqual([noon, noon + 500]);
  }
});

it('a plan that is sold or cancelled here counts at once', async () => {
  const { recent, asked } = openStore(record());
  await recent.find('ada', noon);
  recent.forget();
  await recent.find('ada', noon + 1);
  expect(asked).toEqual([noon, noon + 1]);
});

it('accounts do not get each other’s, and a clock that is set back believes nothing', async () => {
  const { recent, asked } = openStore(record());
  await recent.find('ada', noon);
  await recent.find('bob', noon);
  await recent.find('ada', noon - 1);
  expect(asked).toEqual([noon, noon, noon - 1]);
});

it('what is changed while a slow store is asked is not remembered as it was', async () => {
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
