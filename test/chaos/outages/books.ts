/** The books of all gateways together after an outage: every promise charged once, nobody else charged, nothing held (G1 to G4). */
import { expect } from 'vitest';
import type { Stage } from './stage.ts';
import type { Outcome } from './traffic.ts';

/** The amount held on the account. */
export async function heldOn({ ledger }: Stage, accountId: string): Promise<bigint | undefined> {
  return (await ledger.getBalance(accountId))?.held;
}

export interface Charge {
  readonly id: string;
  readonly state: string;
  readonly charged: bigint;
}

export async function chargesOf({ postgres }: Stage, accountId: string): Promise<readonly Charge[]> {
  const rows = await postgres.query({ text: 'SELECT request_id, state, charged FROM charges WHERE account_id = $1' }, [accountId]);
  // The columns are text, text and a number that is null until it is posted.
  return rows.map(({ request_id: id, state, charged }) => ({ id: String(id), state: String(state), charged: (charged ?? 0n) as bigint }));
}

/** All that was held has ended, by whatever was to end it: the outbox is looked after at each beat, every five seconds, and the dead after three. */
export async function untilSettled(stage: Stage, accountId: string): Promise<void> {
  const left = async () => {
    const held = await heldOn(stage, accountId).catch(() => undefined);
    return { held, charges: held === 0n ? await stage.sql("SELECT request_id FROM charges WHERE state = 'held'") : undefined };
  };
  await expect.poll(left, { timeout: 120_000, interval: 100 }).toEqual({ held: 0n, charges: [] });
}

/** `promised` are charged, once each, and nobody else is; the balance says so too, and so does `modelgate ledger reconcile`. */
export async function expectSoundBooks(stage: Stage, { accountId, opening, promised }: Opening): Promise<void> {
  const charges = await chargesOf(stage, accountId);
  const posted = charges.filter(({ state }) => state === 'posted');
  expect(posted.map(({ id }) => id).sort()).toEqual(promised.map(({ id }) => id).sort());
  expect(posted.filter(({ charged }) => charged <= 0n)).toEqual([]);
  // No process died, so no hold expires: those of failed calls were given back.
  expect(new Set(charges.map(({ state }) => state))).not.toContain('expired');
  const spent = posted.reduce((sum, { charged }) => sum + charged, 0n);
  expect(await stage.ledger.getBalance(accountId)).toEqual({ balance: opening - spent, held: 0n });
  await expectReconciled(stage);
}

interface Opening {
  readonly accountId: string;
  readonly opening: bigint;
  /** The calls that were served. */
  readonly promised: readonly Outcome[];
}

export async function expectReconciled({ cluster }: Stage): Promise<void> {
  const found: unknown = JSON.parse(await cluster.command('ledger', 'reconcile', '--json'));
  expect(found).toMatchObject({ is_consistent: true, differences: [], unbalanced: [], inconsistent_requests: [] });
}
