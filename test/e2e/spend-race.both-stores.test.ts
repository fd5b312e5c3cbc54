/** More calls at once than the balance covers: exactly so many are admitted as it covers, whatever else happens to the account (F29, promise G3). */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LedgerStore } from '../../server/money/store.ts';
import { chatCompletion } from '../fakes/chat.ts';
import { json } from '../fakes/delivery.ts';
import { later } from '../fakes/faults.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { recordAttempts } from '../harness/record-attempts.ts';
import { openSecondConnection } from '../harness/second-connection.ts';
import { onSharedStores } from '../harness/stores.ts';
import { rushTo, type Said, times } from './limits-rush.ts';

const prices = { input: '1', output: '4' };
const ask = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'hello' }], max_tokens: 1_000 };

let fake: Fake;
let gateway: TestGateway;
let ledger: LedgerStore;
/** The hold of `ask`. */
let hold: bigint;

beforeAll(async () => {
  fake = await openFake();
  gateway = await startGateway({
    validateResponses: false,
    upstreams: { vendor: { kind: 'openai', baseUrl: fake.url } },
    groups: { vip: { multiplier: '0.5' } },
    models: [{ id: 'gpt-5.4', kind: 'text', prices }],
  });
  ledger = gateway.gateway.money?.ledger ?? expect.fail('billing is off');
  const answer = await gateway.call('/chat/completions', { json: ask });
  expect(answer.status).toBe(200);
  hold = (await ledger.findCharge(String(answer.headers.get('x-request-id'))))?.held ?? expect.fail('no charge');
});
afterAll(async () => {
  await gateway.close();
  await fake.close();
});

const rush = (key: string, bodies: readonly object[]) => rushTo(gateway.origin, { key, bodies });

function tally(said: readonly Said[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, code } of said) counts[`${status} ${code}`] = (counts[`${status} ${code}`] ?? 0) + 1;
  return counts;
}
const sound = { differences: [], unbalanced: [], contradictions: [] };

/** Sends `count` calls while the vendor answers none, until `most` have reached it and all others are rejected. */
async function rushAgainst(
  key: string,
  { count, most, code }: { readonly count: number; readonly most: number; readonly code: string },
): Promise<void> {
  fake.clear();
  const { promise, resolve } = Promise.withResolvers<void>();
  fake.always(later(promise, json(chatCompletion())));
  const rushing = rush(key, times(count, ask));
  await fake.arrival(most - 1);
  // If more reached the vendor, they would do so before the last of the others is rejected.
  await expect.poll(() => gateway.lines.filter(({ code: found, status }) => found === code && status === 403).length).toBe(count - most);
  expect(fake.requests).toHaveLength(most);
  resolve();
  const said = await rushing;
  expect(tally(said)).toEqual({ '200 null': most, [`403 ${code}`]: count - most });
  expect(fake.requests).toHaveLength(most);
  gateway.lines.length = 0;
}

describe.each([
  { count: 2, most: 1 },
  { count: 10, most: 4 },
  { count: 200, most: 60 },
  { count: 1_000, most: 100 },
])('F29, G3: of $count concurrent calls, with a balance for $most', ({ count, most }) => {
  test('admits exactly that many, sends them upstream, and keeps the ledger sound', async () => {
    const account = `balance ${count}`;
    const { key, accountId } = await gateway.newKey({ account, balance: BigInt(most) * hold + hold - 1n });
    await rushAgainst(key, { count, most, code: 'insufficient_balance' });
    const { balance, held } = (await ledger.getBalance(accountId)) ?? expect.fail('no balance');
    const charges = await ledger.listCharges({ accountId, limit: 2_000 });
    const paid = charges.reduce((sum, { charged }) => sum + charged, 0n);
    expect({ rows: charges.length, held }).toEqual({ rows: most, held: 0n });
    expect(balance).toBe(BigInt(most) * hold + hold - 1n - paid);
    expect(await ledger.reconcile()).toMatchObject(sound);
    recordAttempts('G3', { what: 'calls at once with money for fewer', times: count });
  });
});

test('F29, G3: admits exactly as many calls as the cap of their key covers, though the account has more', async () => {
  const caps = [{ micros: 7n * hold, period: 'never' } as const];
  const { key } = await gateway.newKey({ account: 'capped', caps });
  await rushAgainst(key, { count: 50, most: 7, code: 'insufficient_balance' });
  recordAttempts('G3', { what: 'calls at once with money for fewer', times: 50 });
});

test('F29, G3: admits exactly the calls of the subscription with onExhaustion: stop, despite a balance', async () => {
  const { key, accountId } = await gateway.newKey({ account: 'subscribed' });
  const plan = { plan: 'pro', included: 9n * hold, period: 'month', onExhaustion: 'stop', priceList: 'standard' } as const;
  await ledger.addSubscription({ ...plan, id: 'sub_race', accountId, startsAt: Date.now() - 1_000, endsAt: null, cancelledAt: null });
  await rushAgainst(key, { count: 50, most: 9, code: 'subscription_inactive' });
  expect(await ledger.reconcile()).toMatchObject(sound);
  recordAttempts('G3', { what: 'calls at once with money for fewer', times: 50 });
});

/** Reads a balance again and again on its own connection until it is stopped; `stop` returns the smallest value. */
function watch(accountId: string): { looks(): number; stop(): Promise<bigint> } {
  const database = openSecondConnection(gateway.gateway.config);
  const look = `SELECT balance - held AS free, held FROM balances WHERE account_id = '${accountId}'`;
  let isOver = false;
  let least = 1n << 60n;
  let looks = 0;
  const watching = (async () => {
    while (!isOver) {
      const [row] = await database.rows(look);
      for (const value of [row?.free, row?.held]) if (typeof value === 'bigint' && value < least) least = value;
      looks++;
      await nextTurn();
    }
    await database.close();
  })();
  return {
    looks: () => looks,
    async stop() {
      isOver = true;
      await watching;
      return least;
    },
  };
}

/** The vendor reports the largest usage that is allowed, so that each call costs nearly its hold. */
function spendAll(): void {
  fake.clear();
  fake.always(({ fields, body }) => {
    const usage = { prompt_tokens: body.length, completion_tokens: Number(fields.max_tokens), total_tokens: 0 };
    return json(chatCompletion({ usage }));
  });
}

test('F29, G3: keeps the cost of calls of different sizes within the balance, which never gets negative', async () => {
  const [calls, looks] = [600, 20];
  spendAll();
  const opening = 60n * hold;
  const { key, accountId } = await gateway.newKey({ account: 'mixed', balance: opening });
  const watching = watch(accountId);
  const bodies = Array.from({ length: calls }, (_, index) => ({ ...ask, max_tokens: 1 + ((index * 7_919) % 3_000) }));
  const said: Said[] = [];
  // Repeated until the balance has been read often enough: the rest of it is spent, and further calls are rejected.
  do said.push(...(await rush(key, bodies)));
  while (watching.looks() < looks);
  const least = await watching.stop();
  const charges = await ledger.listCharges({ accountId, limit: 1_000 });
  const paid = charges.reduce((sum, { charged }) => sum + charged, 0n);
  const { balance, held } = (await ledger.getBalance(accountId)) ?? expect.fail('no balance');
  expect({ held, balance }).toEqual({ held: 0n, balance: opening - paid });
  expect(least).toBeGreaterThanOrEqual(0n);
  expect(Object.keys(tally(said)).sort()).toEqual(['200 null', '403 insufficient_balance']);
  expect(charges).toHaveLength(tally(said)['200 null'] ?? 0);
  expect(await ledger.reconcile()).toMatchObject(sound);
  recordAttempts('G3', { what: 'calls at once with money for fewer', times: calls });
  recordAttempts('G3', { what: 'looks at a balance meanwhile', times: looks });
});

test('F29, G3: keeps the balance above zero and the ledger sound during top-ups, refunds and changes of cap and group', async () => {
  // On SQLite there is one look in each turn of the event loop, and a turn serves about one call; on PostgreSQL a look takes a round trip.
  const [calls, looks] = [1_080, onSharedStores() ? 300 : 1_500];
  spendAll();
  const { key, id, accountId } = await gateway.newKey({ account: 'busy', balance: 20n * hold });
  const watching = watch(accountId);
  let isOver = false;
  let added = 20n * hold;
  const audit = (action: string) => ({ actor: 'test', action, target: id, details: {}, at: Date.now() });
  const operate = async (): Promise<void> => {
    for (let step = 0; !isOver; step++) {
      const amount = step % 3 === 2 ? -9n * hold : 5n * hold;
      const kind = amount < 0n ? 'refund' : 'top_up';
      const result = await ledger.adjust({ accountId, transfer: `change ${step}`, kind, amount, note: null, at: Date.now() });
      if (result.kind === 'adjusted') added += amount;
      else expect(result.kind).toBe('rejected');
      const caps = step % 4 === 0 ? [] : [{ micros: BigInt(100 + step) * hold, period: 'day' } as const];
      await gateway.editKey(id, { caps });
      const group = step % 2 === 0 ? 'vip' : 'default';
      await gateway.withAccess(({ store }) => store.editAccount(accountId, { group }, audit('account.edit')));
    }
  };
  const operating = operate();
  const said: Said[] = [];
  const multipliers = async () =>
    new Set((await ledger.listCharges({ accountId, limit: 20_000 })).map(({ multiplier }) => multiplier)).size;
  // Until the gateway has seen both groups: it reads the group once a second.
  do said.push(...(await rush(key, times(40, ask))));
  while (said.length < calls || watching.looks() < looks || (await multipliers()) < 2);
  isOver = true;
  await operating;
  const least = await watching.stop();
  const charges = await ledger.listCharges({ accountId, limit: 20_000 });
  const paid = charges.reduce((sum, { charged }) => sum + charged, 0n);
  expect(least).toBeGreaterThanOrEqual(0n);
  expect(await ledger.getBalance(accountId)).toEqual({ balance: added - paid, held: 0n });
  expect(Object.keys(tally(said)).sort()).toEqual(['200 null', '403 insufficient_balance']);
  expect(new Set(charges.map(({ multiplier }) => multiplier))).toEqual(new Set([1_000_000, 500_000]));
  for (const { charged, held, state } of charges) expect({ state, isWithin: charged <= held }).toEqual({ state: 'posted', isWithin: true });
  expect(await ledger.reconcile()).toMatchObject(sound);
  recordAttempts('G3', { what: 'calls at once with money for fewer', times: calls });
  recordAttempts('G3', { what: 'looks at a balance meanwhile', times: looks });
});
