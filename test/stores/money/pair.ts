/** A ledger and its model: each step runs on both, and everything that can be read from them is compared. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { beat, leave, noon, order, posting, subscription } from '../../unit/money/open.ts';
import type { Kept, RealLedger } from './kept.ts';
import { Model } from './model.ts';
import { accounts, type ModelStep } from './model-steps.ts';

export const known = accounts.slice(0, 3);
const allEvery = 40;

export class Pair {
  readonly #model: Model;
  readonly #real: RealLedger;
  readonly #seen: Set<string>;
  #now = noon;
  #taken = 0;

  constructor(real: RealLedger, seen: Set<string>) {
    this.#real = real;
    this.#model = new Model(known, real.barsUnknown);
    this.#seen = seen;
  }

  /** Runs a step on both, and compares them. */
  async take(step: ModelStep): Promise<void> {
    this.#now += step.waitMs;
    this.#taken++;
    const { requestId, real, model } = this.#both(step);
    const answer = await real;
    agree('the answer', answer, model);
    this.#seen.add(nameOf(step.kind, answer));
    const isTimeForAll = step.kind === 'heartbeat' || step.kind === 'leave' || this.#taken % allEvery === 0;
    if (isTimeForAll) await this.compareAll();
    else this.#compare(await this.#real.look(requestId ?? ''), requestId === undefined ? [] : [requestId]);
  }

  async compareAll(): Promise<void> {
    this.#compare(await this.#real.look(null), [...this.#model.charges.keys()]);
    const { differences, unbalanced, contradictions, overrun } = await this.#real.ledger.reconcile();
    agree('reconciling', { differences, unbalanced, contradictions }, { differences: [], unbalanced: [], contradictions: [] });
    agree(
      'the overrun',
      overrun,
      [...this.#model.charges.values()].reduce((sum, one) => sum + one.overrun, 0n),
    );
  }

  #both(step: ModelStep): { readonly requestId?: string; readonly real: Promise<unknown>; readonly model: unknown } {
    const [model, { ledger }, at] = [this.#model, this.#real, this.#now];
    switch (step.kind) {
      case 'reserve': {
        const { kind: _, waitMs: __, again, ...hold } = step;
        const requestId = again === null ? `r${this.#taken}` : this.#requestId(again);
        const asked = order({ ...hold, requestId, at });
        return { requestId, real: ledger.reserve(asked), model: model.reserve(asked) };
      }
      case 'post': {
        const posted = posting(this.#requestId(step.which), step.cost, at);
        return { requestId: posted.requestId, real: ledger.post(posted), model: model.post(posted) };
      }
      case 'void': {
        const requestId = this.#requestId(step.which);
        return { requestId, real: ledger.void(requestId, at, 'failed'), model: model.void(requestId, at) };
      }
      case 'heartbeat': {
        const deadBefore = at - step.silentMs;
        return { real: beat(ledger, step.node, at, deadBefore), model: model.heartbeat(step.node, at, deadBefore) };
      }
      case 'leave':
        return { real: leave(ledger, step.node, at), model: model.leave(step.node) };
      case 'adjust': {
        const { accountId, amount, name } = step;
        const asked = { accountId, amount, transfer: `t${name}`, kind: 'correction', note: null, at } as const;
        // Half of the names that are used again stand for the same transfer again.
        const adjustment = name % 2 === 0 ? (model.adjustments.get(asked.transfer) ?? asked) : asked;
        return { real: ledger.adjust(adjustment), model: model.adjust(adjustment) };
      }
      case 'subscribe': {
        const { accountId, included, period, onExhaustion, startInMs, lastsMs } = step;
        const startsAt = at + startInMs;
        const endsAt = lastsMs === null ? null : startsAt + lastsMs;
        const record = subscription({ id: `plan_${this.#taken}`, accountId, included, period, onExhaustion, startsAt, endsAt });
        return { real: ledger.addSubscription(record), model: model.addSubscription(record) };
      }
      case 'cancel': {
        const id = model.subscriptions[step.which % (model.subscriptions.length + 1)]?.id ?? 'nothing';
        return { real: ledger.cancelSubscription(id, at), model: model.cancelSubscription(id, at) };
      }
    }
  }

  /** Mostly of a young request, so that there is something to settle; now and then one that never was. */
  #requestId(which: number): string {
    const ids = [...this.#model.charges.keys()];
    const recent = which % 4 === 0 ? ids : ids.slice(-12);
    return recent[which % (recent.length + 1)] ?? 'never';
  }

  #compare({ balances, allowances, charges }: Kept, requestIds: readonly string[]): void {
    for (const account of known) {
      agree(`the balance of ${account}`, balances.get(account) ?? { balance: 0n, held: 0n }, this.#model.balance(account));
    }
    agree('the allowances', allowances, this.#model.allowances());
    for (const requestId of requestIds) {
      const charge = this.#model.charges.get(requestId);
      const expected = charge && { source: charge.source, state: charge.state, charged: charge.charged, overrun: charge.overrun };
      agree(`the charge ${requestId}`, charges.get(requestId), expected);
    }
  }
}

/** The result of a step: its kind, and the relevant part of its answer. */
function nameOf(kind: ModelStep['kind'], answer: unknown): string {
  if (Array.isArray(answer)) return `${kind} ${answer.length > 0 ? 'orphans' : 'nothing'}`;
  if (typeof answer !== 'object' || answer === null) return `${kind} ${String(answer)}`;
  const { kind: came, by, source, state, overrun, granted, isLate } = answer as Readonly<Record<string, unknown>>;
  return [
    kind,
    came,
    by,
    source,
    state,
    granted !== undefined && 'less',
    isLate === true && 'late',
    overrun !== undefined && overrun !== 0n && 'overrun',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Faster than a matcher of vitest, which would be called a million times. */
function agree(what: string, real: unknown, model: unknown): void {
  if (!isDeepStrictEqual(real, model)) expect(real, what).toStrictEqual(model);
}
