/** A change at one of three gateways, and what callers of the other two see of it (F30, F40, F46, promises G2, G3, G12). */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatCompletion } from '../../fakes/chat.ts';
import { json } from '../../fakes/delivery.ts';
import { hangLimitMs } from '../../harness/hang-limit.ts';
import { openSharedServerDatabases } from '../../harness/shared-server-databases.ts';
import { chargesOf, expectReconciled, untilSettled } from './books.ts';
import { type Operate, openOperator } from './operator.ts';
import { type Holder, hold, isLeftOut, named, openStage, type Stage } from './stage.ts';
import { ask, countStatuses, newOnce, type Outcome } from './traffic.ts';

/** A running call and the process that runs it. */
interface Held {
  readonly id: string;
  readonly node: string;
}

const PROCESSES = 3;
const others = [1, 2];

describe.skipIf(isLeftOut)(named('a change at one of three gateways'), () => {
  let stage: Stage;
  let operate: Operate;
  beforeAll(async () => {
    stage = await openStage(
      PROCESSES,
      { admin: { enabled: true, port: 0 }, database: { timeoutMs: hangLimitMs } },
      openSharedServerDatabases,
    );
    operate = await openOperator(stage, 0);
  });
  afterAll(() => stage.close());

  const askOthers = (key: string) => Promise.all(others.map((at) => ask(stage, { at, key })));
  const codes = (told: readonly Outcome[]) => told.map(({ status, code }) => code ?? status);

  /** A key that the others have just cached, which is when they learn of a change last. */
  async function openKnown(balance = 1_000_000n): Promise<Holder> {
    const holder = await stage.open(balance);
    expect(codes(await askOthers(holder.key))).toEqual(others.map(() => 200));
    return holder;
  }

  /** Asks both others until they give this answer, and then that they keep giving it. `npm run bench -- --only moments` measures how soon: two seconds are promised. */
  async function untilOthersSay(key: string, said: number | string): Promise<void> {
    const heard = async () => codes(await askOthers(key));
    const wanted = others.map(() => said);
    await expect.poll(heard, { interval: 20 }).toEqual(wanted);
    for (let again = 0; again < 3; again++) expect(await heard()).toEqual(wanted);
  }

  test('F46: rejects a revoked key soon at the other gateways, and keeps rejecting it', async () => {
    const { key, id } = await openKnown();
    await operate('POST', `/keys/${id}/revoke`);
    await untilOthersSay(key, 'invalid_api_key');
  });

  test('accepts a rotated key immediately at the other gateways, and soon rejects the old one', async () => {
    const { key, id } = await openKnown();
    const rotated = await operate('POST', `/keys/${id}/rotate`, { overlap_seconds: 0 });
    expect(codes(await askOthers(String(rotated.key)))).toEqual([200, 200]);
    await untilOthersSay(key, 'invalid_api_key');
  });

  test("applies a change of a key's permissions soon at the other gateways, and its reversal", async () => {
    const { key, id } = await openKnown();
    await operate('PATCH', `/keys/${id}`, { permissions: { models: ['another-model'] } });
    await untilOthersSay(key, 'permission_denied');
    await operate('PATCH', `/keys/${id}`, { permissions: {} });
    await untilOthersSay(key, 200);
  });

  test('rejects a suspended account soon at the other gateways, and serves it again when it is resumed', async () => {
    const { key, accountId } = await openKnown();
    await operate('PATCH', `/accounts/${accountId}`, { suspended: true });
    await untilOthersSay(key, 'invalid_api_key');
    await operate('PATCH', `/accounts/${accountId}`, { suspended: false });
    await untilOthersSay(key, 200);
  });

  test('applies a top-up and a correction immediately at the other gateways', async () => {
    const { key, accountId } = await stage.open(hold - 1n);
    expect(codes(await askOthers(key))).toEqual(['insufficient_balance', 'insufficient_balance']);
    await operate('POST', `/accounts/${accountId}/adjustments`, { kind: 'top_up', amount: '0.001' });
    expect(codes(await askOthers(key))).toEqual([200, 200]);
    const { balance } = (await stage.ledger.getBalance(accountId)) ?? { balance: 0n };
    const amount = `-${(Number(balance) / 1e6).toFixed(6)}`;
    await operate('POST', `/accounts/${accountId}/adjustments`, { kind: 'correction', amount });
    expect(codes(await askOthers(key))).toEqual(['insufficient_balance', 'insufficient_balance']);
    expect(await stage.ledger.getBalance(accountId)).toEqual({ balance: 0n, held: 0n });
  });

  test('applies a top-up and a revocation from the command line soon at all three gateways', async () => {
    const { key, id, accountId } = await openKnown();
    await stage.cluster.command('account', 'top-up', accountId, '1');
    expect((await stage.ledger.getBalance(accountId))?.balance).toBeGreaterThan(1_900_000n);
    await stage.cluster.command('key', 'revoke', id);
    await untilOthersSay(key, 'invalid_api_key');
    expect(codes([await ask(stage, { at: 0, key })])).toEqual(['invalid_api_key']);
  });

  test('F40: forwards and charges one of 1,000 concurrent requests with one idempotency key, for one response', async () => {
    const { key, accountId } = await stage.open(1_000_000n);
    const before = stage.fake.requests.length;
    const asking = { key, once: newOnce() };
    const told = await Promise.all(Array.from({ length: 1_000 }, (_, at) => ask(stage, { ...asking, at })));
    const counts = countStatuses(told);
    expect(counts[200]).toBeGreaterThanOrEqual(1);
    // On a slow machine so many calls may get 503.
    expect(Object.keys(counts).filter((status) => !['200', '409', '503'].includes(status))).toEqual([]);
    const later = await Promise.all([0, 1, 2].map((at) => persist({ ...asking, at })));
    expect(new Set([...told.filter(({ status }) => status === 200), ...later].map(({ text }) => text)).size).toBe(1);
    expect(stage.fake.requests.length - before).toBe(1);
    expect(await chargesOf(stage, accountId)).toMatchObject([{ state: 'posted' }]);
  });

  const CALLERS = 90;
  test('F30, G2: charges callers of a killed gateway once when they retry elsewhere, and expires its holds once', async () => {
    const { key, accountId } = await stage.open(1_000_000n);
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const before = stage.fake.requests.length;
    // The first call of each caller is running when the gateway is killed.
    stage.fake.next(
      async () => {
        await gate;
        return json(chatCompletion({ text: 'hello' }));
      },
      { times: CALLERS },
    );
    const callers = Array.from({ length: CALLERS }, (_, at) => persist({ at, key, once: newOnce() }));
    await stage.fake.arrival(before + CALLERS - 1, 60_000);
    const atWork = () => stage.sql("SELECT request_id AS id, node FROM charges WHERE state = 'held'") as Promise<readonly Held[]>;
    // A hold that was written late, for a call that got 503, is given back.
    await expect.poll(async () => (await atWork()).length).toBe(CALLERS);
    const byNode = Object.groupBy(await atWork(), ({ node }) => node);
    await stage.cluster.gateways[0]?.stop('SIGKILL');
    release();
    const told = await Promise.all(callers);
    expect(countStatuses(told)).toEqual({ 200: CALLERS });
    await untilSettled(stage, accountId);
    const charges = (await chargesOf(stage, accountId)).filter(({ state }) => state !== 'voided');
    const inState = (wanted: string) => charges.filter(({ state }) => state === wanted).map(({ id }) => id);
    expect(inState('posted')).toHaveLength(CALLERS);
    // Those of the killed gateway, and no others.
    const expired = inState('expired').sort();
    const candidates = Object.values(byNode).map((held = []) => held.map(({ id }) => id).sort());
    expect(candidates).toHaveLength(PROCESSES);
    expect(candidates).toContainEqual(expired);
    expect(charges).toHaveLength(CALLERS + expired.length);
    // The log line is written a moment later.
    const swept = () => others.flatMap((at) => stage.logged(at, 'hold of a dead process expired')).map(({ id }) => String(id));
    await expect.poll(() => swept().sort()).toEqual(expired);
    for (const at of others) expect(stage.logged(at, 'charge arrived after its hold ended; not posted')).toEqual([]);
    expect(stage.fake.requests.length - before).toBe(charges.length);
    await expectReconciled(stage);
  });

  /** Retries as a good client does: after a broken connection, a 409 or a 503 it sends the same to the next gateway. */
  async function persist(asking: { readonly at: number; readonly key: string; readonly once: string }): Promise<Outcome> {
    for (let at = asking.at; ; at++) {
      const told = await ask(stage, { ...asking, at }).catch(() => null);
      if (told !== null && told.status !== 409 && told.status !== 503) return told;
      await pause(told === null ? 50 : 500);
    }
  }
});
