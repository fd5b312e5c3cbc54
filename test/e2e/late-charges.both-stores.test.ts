/** A process that paused so long that another expired its holds: its calls are still charged when they end (promise G1). */
import { expect, test } from 'vitest';
import type { Posting } from '../../server/money/store.ts';
import { chatFrames, chatUsage } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { useOpened } from '../harness/opened.ts';
import { openBehindVendor } from '../harness/vendor.ts';

const vendor = useOpened(() =>
  openBehindVendor({ settings: { models: [{ id: 'gpt-5.4', kind: 'text', prices: { input: '1', output: '4' } }] } }),
);

const ledgerOf = () => vendor.gateway.gateway.money?.ledger ?? expect.fail('billing is off');

/** Expires the holds, as another process does that has seen no heartbeat of this one for fifteen seconds. */
async function expireAll(): Promise<number> {
  let expired = 0;
  const now = Date.now();
  const looks = [[now, 0] as const, [now + 20_000, now + 15_000] as const];
  for (const look of looks) for await (const orphans of ledgerOf().sweep('node_other', ...look)) expired += orphans.length;
  return expired;
}

/** A paid stream whose hold expires in the middle; `meanwhile` runs before its end. */
async function streamThroughPause(balance: bigint, meanwhile: (accountId: string) => Promise<void> = async () => undefined) {
  const { key, accountId } = await vendor.gateway.newKey({ account: `late ${balance}`, balance });
  const rest = Promise.withResolvers<void>();
  const frames = chatFrames({ text: ['one ', 'two'], includeUsage: true, usage: chatUsage });
  vendor.fake.next(stream([...frames.slice(0, 1), { until: rest.promise }, ...frames.slice(1)]));
  const json = { model: 'gpt-5.4', stream: true, max_completion_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] };
  const answer = await vendor.gateway.call('/chat/completions', { key, json });
  expect(await expireAll()).toBe(1);
  expect(await ledgerOf().getBalance(accountId)).toEqual({ balance, held: 0n });
  await meanwhile(accountId);
  rest.resolve();
  expect(await answer.text()).toContain('[DONE]');
  const charge = (await ledgerOf().findCharge(answer.headers.get('x-request-id') ?? '')) ?? expect.fail('no charge');
  return { accountId, charge };
}

async function expectSound(): Promise<void> {
  expect(await ledgerOf().reconcile()).toMatchObject({ differences: [], unbalanced: [], contradictions: [] });
}

test('A9: charges a paid stream whose hold has expired when it ends', async () => {
  const { accountId, charge } = await streamThroughPause(1_000_000n);
  expect(charge).toMatchObject({ state: 'posted', outcome: 'completed', overrun: 0n });
  expect(charge.charged).toBeGreaterThan(0n);
  expect(await ledgerOf().getBalance(accountId)).toEqual({ balance: 1_000_000n - charge.charged, held: 0n });
  expect(await vendor.gateway.lineWhere(({ msg }) => msg === 'charge arrived after its hold expired')).toMatchObject({
    id: charge.requestId,
  });
  await expectSound();
});

test('A9: charges the remaining balance when it was spent in between, and the difference as overrun', async () => {
  const { accountId, charge } = await streamThroughPause(2_000_000n, async (account) => {
    const spent = { accountId: account, transfer: 'spent', kind: 'correction', amount: -1_999_999n, note: null, at: Date.now() } as const;
    expect(await ledgerOf().adjust(spent)).toMatchObject({ kind: 'adjusted' });
  });
  expect(charge).toMatchObject({ state: 'posted', charged: 1n });
  expect(charge.overrun).toBeGreaterThan(0n);
  expect(await ledgerOf().getBalance(accountId)).toEqual({ balance: 0n, held: 0n });
  const again: Posting = {
    requestId: charge.requestId,
    cost: 5n,
    metered: charge.metered ?? expect.fail('nothing metered'),
    isEstimated: false,
    outcome: 'completed',
    at: 1,
  };
  expect(await ledgerOf().post(again)).toEqual({ kind: 'earlier', state: 'posted' });
  await expectSound();
});
