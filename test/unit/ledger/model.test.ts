/** A hundred thousand steps at random on the ledger and on its model, which must agree after each one (promises G2 and G3). */
import type { StatementSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reconcile } from '../../../server/ledger/sqlite/reconcile.ts';
import { Model } from './model.ts';
import { accounts, type ModelStep, modelStep } from './model-steps.ts';
import { noon, type OpenLedger, openMemory, order, posting, subscription } from './open.ts';

const known = accounts.slice(0, 3);
const allEvery = 40;

class Pair {
  readonly #model = new Model(known);
  readonly #real: OpenLedger = openMemory(...known);
  readonly #balances = this.#prepare('SELECT account_id, balance, held FROM balances');
  readonly #allowances = this.#prepare("SELECT owner || '@' || period_start AS name, used, held FROM allowances");
  readonly #charge = this.#prepare('SELECT source, state, charged, overrun FROM charges WHERE request_id = ?');
  readonly #seen: Set<string>;
  #now = noon;
  #taken = 0;

  constructor(seen: Set<string>) {
    this.#seen = seen;
  }

  /** Takes a step on both, and compares. */
  take(step: ModelStep): void {
    this.#now += step.waitMs;
    this.#taken++;
    const { requestId, real, model } = this.#both(step);
    agree('the answer', real, model);
    this.#seen.add(nameOf(step.kind, real));
    this.#compareBalances();
    this.#compareAllowances();
    if (requestId !== undefined) this.#compareCharge(requestId);
    if (step.kind === 'heartbeat' || step.kind === 'leave' || this.#taken % allEvery === 0) this.compareAll();
  }

  compareAll(): void {
    for (const requestId of this.#model.charges.keys()) this.#compareCharge(requestId);
    const { differences, unbalanced, contradictions, overrun } = reconcile(this.#real.connection);
    agree('reconciling', { differences, unbalanced, contradictions }, { differences: [], unbalanced: [], contradictions: [] });
    agree(
      'the overrun',
      overrun,
      [...this.#model.charges.values()].reduce((sum, one) => sum + one.overrun, 0n),
    );
  }

  close(): void {
    this.#real.connection.close();
  }

  #both(step: ModelStep): { readonly requestId?: string; readonly real: unknown; readonly model: unknown } {
    const [model, { steps }, at] = [this.#model, this.#real, this.#now];
    switch (step.kind) {
      case 'reserve': {
        const { kind: _, waitMs: __, again, ...hold } = step;
        const requestId = again === null ? `r${this.#taken}` : this.#requestId(again);
        const asked = order({ ...hold, requestId, at });
        return { requestId, real: steps.reserve(asked), model: model.reserve(asked) };
      }
      case 'post': {
        const posted = posting(this.#requestId(step.which), step.cost, at);
        return { requestId: posted.requestId, real: steps.post(posted), model: model.post(posted) };
      }
      case 'void': {
        const requestId = this.#requestId(step.which);
        return { requestId, real: steps.void({ requestId, at, outcome: 'failed' }), model: model.settle(requestId, 'voided', 0n) };
      }
      case 'heartbeat': {
        const beat = { node: step.node, at, deadBefore: at - step.silentMs };
        return { real: steps.heartbeat(beat), model: model.heartbeat(beat.node, at, beat.deadBefore) };
      }
      case 'leave':
        return { real: steps.leave({ node: step.node, at }), model: model.leave(step.node) };
      case 'adjust': {
        const { accountId, amount, name } = step;
        const adjustment = { accountId, amount, transfer: `t${name}`, kind: 'correction', note: null, at } as const;
        return { real: steps.adjust(adjustment), model: model.adjust(adjustment) };
      }
      case 'subscribe': {
        const { accountId, included, period, onExhaustion, startInMs, lastsMs } = step;
        const startsAt = at + startInMs;
        const endsAt = lastsMs === null ? null : startsAt + lastsMs;
        const record = subscription({ id: `plan_${this.#taken}`, accountId, included, period, onExhaustion, startsAt, endsAt });
        return { real: steps.addSubscription(record), model: model.addSubscription(record) };
      }
      case 'cancel': {
        const id = model.subscriptions[step.which % (model.subscriptions.length + 1)]?.id ?? 'nothing';
        return { real: steps.cancelSubscription({ id, at }), model: model.cancelSubscription(id, at) };
      }
    }
  }

  /** Mostly of a young request, so that there is something to settle; now and then one that never was. */
  #requestId(which: number): string {
    const ids = [...this.#model.charges.keys()];
    const recent = which % 4 === 0 ? ids : ids.slice(-12);
    return recent[which % (recent.length + 1)] ?? 'never';
  }

  #compareBalances(): void {
    const kept = new Map(this.#balances.all().map((row) => [row.account_id, { balance: row.balance, held: row.held }]));
    for (const account of known) {
      agree(`the balance of ${account}`, kept.get(account) ?? { balance: 0n, held: 0n }, this.#model.balance(account));
    }
  }

  #compareAllowances(): void {
    const kept = new Map(this.#allowances.all().map((row) => [row.name, { used: row.used, held: row.held }]));
    agree('the allowances', kept, this.#model.allowances());
  }

  #compareCharge(requestId: string): void {
    const row = this.#charge.get(requestId);
    const charge = this.#model.charges.get(requestId);
    const expected = charge && { source: charge.source, state: charge.state, charged: charge.charged, overrun: charge.overrun };
    agree(`the charge ${requestId}`, row && { ...row }, expected);
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#real.connection.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  }
}

/** What a step came to: its kind, and what matters of its answer. */
function nameOf(kind: ModelStep['kind'], answer: unknown): string {
  if (Array.isArray(answer)) return `${kind} ${answer.length > 0 ? 'orphans' : 'nothing'}`;
  if (typeof answer !== 'object' || answer === null) return `${kind} ${String(answer)}`;
  const { kind: came, by, source, state, overrun } = answer as Readonly<Record<string, unknown>>;
  return [kind, came, by, source, state, overrun !== undefined && overrun !== 0n && 'overrun'].filter(Boolean).join(' ');
}

/** All that can come of a step: were one of them never reached, its rule would be untested. */
const everything = [
  'adjust adjusted',
  'adjust refused',
  'adjust repeated',
  'adjust unknown_account',
  'cancel false',
  'cancel true',
  'heartbeat nothing',
  'heartbeat orphans',
  'leave nothing',
  'leave orphans',
  'post earlier expired',
  'post earlier posted',
  'post earlier voided',
  'post settled',
  'post settled overrun',
  'post unknown',
  'reserve held balance',
  'reserve held subscription',
  'reserve refused balance',
  'reserve refused cap',
  'reserve refused duplicate',
  'reserve refused subscription',
  'subscribe added',
  'subscribe overlaps',
  'subscribe too_much',
  'subscribe unknown_account',
  'void earlier expired',
  'void earlier posted',
  'void earlier voided',
  'void settled',
  'void unknown',
];

/** Quicker than a matcher, which would be called a million times. */
function agree(what: string, real: unknown, model: unknown): void {
  if (!isDeepStrictEqual(real, model)) expect(real, what).toStrictEqual(model);
}

test('whatever callers, operators and dying processes do, the ledger agrees with the model to the last unit', { timeout: 120_000 }, () => {
  let taken = 0;
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(modelStep, { maxLength: 400, size: 'max' }), (steps) => {
      const pair = new Pair(seen);
      try {
        for (const step of steps) pair.take(step);
        pair.compareAll();
      } finally {
        pair.close();
      }
      taken += steps.length;
    }),
    { numRuns: 750 },
  );
  expect([...seen].sort()).toEqual(everything);
  expect(taken).toBeGreaterThan(100_000);
});
