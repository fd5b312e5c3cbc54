/** Balances and subscriptions of the operators' API. The ledger records the transfers; the audit log records who made them. */
import { randomUUID } from 'node:crypto';
import type { moneyRoutes, NewAdjustment, Subscription } from '../../contract/admin/money.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, parseDollars } from '../ledger/money.ts';
import type { Adjustment, SubscriptionRecord } from '../ledger/store.ts';
import { findAccount, writeBalance } from './accounts.ts';
import { entriesCsv, listEntries } from './entries.ts';
import { auditOf, ledgerOf, type Operations } from './operations.ts';
import { conflict, invalid, missing, readTimeOrNull, writeAll, writeTime, writeTimeOrNull } from './values.ts';

const newName = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

/** Only a correction may be negative; an amount of 0 is surely a typo. */
function readAmount({ kind, amount }: NewAdjustment): bigint {
  const micros = parseDollars(amount);
  if (micros === 0n || (micros < 0n && kind !== 'correction')) {
    throw invalid('amount', kind === 'correction' ? "'amount' must not be 0." : "'amount' must be more than 0.");
  }
  return micros;
}

function subscriptionState({ startsAt, endsAt, cancelledAt }: SubscriptionRecord, now: number): Subscription['state'] {
  if (cancelledAt !== null && cancelledAt <= now) return 'cancelled';
  if (endsAt !== null && endsAt <= now) return 'ended';
  return startsAt > now ? 'scheduled' : 'active';
}

function writeSubscription(record: SubscriptionRecord, now: number): Subscription {
  return {
    id: record.id,
    object: 'subscription',
    account_id: record.accountId,
    plan: record.plan,
    state: subscriptionState(record, now),
    included: formatDollars(record.included),
    period: record.period,
    on_exhaustion: record.onExhaustion,
    price_list: record.priceList,
    starts_at: writeTime(record.startsAt),
    ends_at: writeTimeOrNull(record.endsAt),
    cancelled_at: writeTimeOrNull(record.cancelledAt),
  };
}

const words = { top_up: 'a top-up', refund: 'a refund', correction: 'a correction' } as const;

function mismatchText(transfer: string, { accountId, kind, amount }: Pick<Adjustment, 'accountId' | 'kind' | 'amount'>): string {
  const earlier = `${words[kind]} of ${formatDollars(amount)} dollars on ${accountId}`;
  return `The transfer '${transfer}' is booked already, as ${earlier}. Nothing was changed: give a different transfer a different id.`;
}

interface Order {
  readonly accountId: string;
  readonly plan: string;
  readonly startsAt: number;
  readonly endsAt: number | null;
}

/** The present terms of the plan are stored: a change of the configuration affects only later subscriptions. */
function subscribe({ config }: Operations, { accountId, plan, startsAt, endsAt }: Order): SubscriptionRecord {
  const terms = Object.hasOwn(config.plans, plan) ? config.plans[plan] : undefined;
  if (!terms) throw invalid('plan', `'${shown(plan)}' is not a plan. Plans: ${Object.keys(config.plans).join(', ') || 'none'}.`);
  if (endsAt !== null && endsAt <= startsAt) throw invalid('ends_at', "'ends_at' must be after 'starts_at'.");
  const { included, period, onExhaustion, priceList } = terms;
  const times = { startsAt, endsAt, cancelledAt: null };
  return { id: newName('sub'), accountId, plan, included: parseDollars(included), period, onExhaustion, priceList, ...times };
}

export function moneyHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof moneyRoutes> {
  return {
    async getBalance({ params, ok }) {
      const { id } = await findAccount(operations, params.account_id);
      return ok(writeBalance(id, (await ledgerOf(operations).balance(id)) ?? { balance: 0n, held: 0n }));
    },

    async listEntries({ params, query, ok }) {
      ledgerOf(operations);
      const { id } = await findAccount(operations, params.account_id);
      return ok(await listEntries(operations.activity.ask, id, query));
    },

    async exportEntries({ params, query, reply, csv }) {
      ledgerOf(operations);
      const { id } = await findAccount(operations, params.account_id);
      return csv(reply, await entriesCsv(operations.activity.ask, id, query));
    },

    async adjustBalance({ request, params, body, ok }) {
      const ledger = ledgerOf(operations);
      const { id } = await findAccount(operations, params.account_id);
      const { kind, note = null, transfer_id: transfer = newName('adj') } = body;
      const amount = readAmount(body);
      const details = { transfer, kind, amount: formatDollars(amount), note };
      const audit = auditOf(operations, request, { action: 'balance.adjust', target: id, details });
      const result = await ledger.adjust({ accountId: id, transfer, kind, amount, note, at: audit.at }, audit);
      if (result.kind === 'unknown_account') throw missing('account_id', 'There is no such account.');
      if (result.kind === 'mismatch') throw conflict(mismatchText(transfer, result.earlier));
      if (result.kind === 'refused') {
        throw conflict(`The balance cannot change by that amount: only ${formatDollars(result.available)} dollars are not held.`);
      }
      const repeated = result.kind === 'repeated';
      const moved = { account_id: id, transfer_id: transfer, kind, amount: formatDollars(amount), note };
      return ok({ object: 'adjustment', ...moved, repeated, balance: writeBalance(id, result) });
    },

    async listSubscriptions({ params, ok }) {
      const { id } = await findAccount(operations, params.account_id);
      const records = await ledgerOf(operations).listSubscriptions(id);
      return ok(
        writeAll(
          records.map((record) => writeSubscription(record, operations.now())),
          (record) => record.id,
        ),
      );
    },

    async createSubscription({ request, params, body, ok }) {
      const ledger = ledgerOf(operations);
      const { id: accountId } = await findAccount(operations, params.account_id);
      const startsAt = body.starts_at === undefined ? operations.now() : Date.parse(body.starts_at);
      const record = subscribe(operations, { accountId, plan: body.plan, startsAt, endsAt: readTimeOrNull(body.ends_at ?? null) });
      const details = { account: accountId, ...body };
      const audit = auditOf(operations, request, { action: 'subscription.create', target: record.id, details });
      const result = await ledger.addSubscription(record, audit);
      if (result.kind === 'overlaps') throw conflict(`It would overlap ${result.id}. Cancel that one, or let this one start after it.`);
      if (result.kind === 'mismatch') throw conflict(`A different subscription exists with the id ${record.id}.`);
      if (result.kind !== 'added') throw conflict('The subscription cannot be added.');
      return ok(writeSubscription(record, operations.now()));
    },

    async cancelSubscription({ request, params, ok }) {
      const { subscription_id: id } = params;
      const audit = auditOf(operations, request, { action: 'subscription.cancel', target: id, details: {} });
      const { at } = audit;
      if (!(await ledgerOf(operations).cancelSubscription(id, at, audit))) {
        throw missing('subscription_id', `There is no active or scheduled subscription '${shown(id)}'.`);
      }
      return ok({ id, object: 'subscription', cancelled: true, cancelled_at: writeTime(at) });
    },
  };
}
