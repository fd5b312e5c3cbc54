/** Admin API handlers for balances, adjustments, subscriptions, and statement entries. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { PAGE_LENGTH } from '../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import type {
  EntriesCsvQuery,
  EntriesQuery,
  moneyRoutes,
  NewAdjustment,
  StatementEntry,
  StatementEntryList,
  Subscription,
} from '../../../contract/admin/money.ts';
import { formatDollars, parseDollars } from '../../money/dollars.ts';
import type { Adjustment, SubscriptionRecord } from '../../money/store.ts';
import { toPrintable } from '../../primitives/errors.ts';
import { readAccountStatement, type StatementLine, type StatementQuery } from '../../records/account-statement.ts';
import { findEntriesEnd } from '../../records/ledger-entries.ts';
import type { RecordsQuery } from '../../records/store.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { requireAccount, writeBalance } from './accounts.ts';
import { CSV_PAGE_LENGTH, entryHeadings, formatEntryLine, writePagesCsv } from './csv.ts';
import { createConflictError, createInvalidValueError, createNotFoundError } from './errors.ts';
import { type Operations, requireLedger, toAuditEntry } from './operations.ts';
import { writeAll, writePage } from './page.ts';
import { readTimeOrNull, writeTime, writeTimeOrNull } from './times.ts';

const generatePrefixedId = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

/** Only a correction can be negative. An amount of 0 must be a typo. */
function readAmount({ kind, amount }: NewAdjustment): bigint {
  const micros = parseDollars(amount);
  if (micros === 0n || (micros < 0n && kind !== 'correction')) {
    throw createInvalidValueError('amount', kind === 'correction' ? "'amount' can't be 0." : "'amount' must be greater than 0.");
  }
  return micros;
}

function getSubscriptionState({ startsAt, endsAt, cancelledAt }: SubscriptionRecord, now: number): Subscription['state'] {
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
    state: getSubscriptionState(record, now),
    included: formatDollars(record.included),
    period: record.period,
    on_exhaustion: record.onExhaustion,
    price_list: record.priceList,
    starts_at: writeTime(record.startsAt),
    ends_at: writeTimeOrNull(record.endsAt),
    cancelled_at: writeTimeOrNull(record.cancelledAt),
  };
}

const kindLabels = { top_up: 'a top-up', refund: 'a refund', correction: 'a correction' } as const;

function formatTransferMismatch(transfer: string, { accountId, kind, amount }: Pick<Adjustment, 'accountId' | 'kind' | 'amount'>): string {
  const previousTransfer = `${kindLabels[kind]} of $${formatDollars(amount)} on ${accountId}`;
  return `The transfer '${transfer}' was already posted as ${previousTransfer}. Nothing was changed. Use another 'transfer_id' for a different transfer.`;
}

interface NewSubscriptionParams {
  readonly accountId: string;
  readonly plan: string;
  readonly startsAt: number;
  readonly endsAt: number | null;
}

/** Stores the plan's current terms, so that a configuration change affects only later subscriptions. */
function createSubscriptionRecord(
  { config }: Operations,
  { accountId, plan, startsAt, endsAt }: NewSubscriptionParams,
): SubscriptionRecord {
  const terms = Object.hasOwn(config.plans, plan) ? config.plans[plan] : undefined;
  if (!terms)
    throw createInvalidValueError(
      'plan',
      `Plan '${toPrintable(plan)}' not found. Available: ${Object.keys(config.plans).join(', ') || 'none'}.`,
    );
  if (endsAt !== null && endsAt <= startsAt) throw createInvalidValueError('ends_at', "'ends_at' must be after 'starts_at'.");
  const { included, period, onExhaustion, priceList } = terms;
  const times = { startsAt, endsAt, cancelledAt: null };
  return { id: generatePrefixedId('sub'), accountId, plan, included: parseDollars(included), period, onExhaustion, priceList, ...times };
}

export function createMoneyHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof moneyRoutes> {
  return {
    async getBalance({ params, ok }) {
      const { id } = await requireAccount(operations, params.account_id);
      return ok(writeBalance(id, (await requireLedger(operations).getBalance(id)) ?? { balance: 0n, held: 0n }));
    },

    async listEntries({ params, query, ok }) {
      requireLedger(operations);
      const { id } = await requireAccount(operations, params.account_id);
      return ok(await listEntries(operations.activity.ask, id, query));
    },

    async exportEntries({ params, query, reply, csv }) {
      requireLedger(operations);
      const { id } = await requireAccount(operations, params.account_id);
      return csv(reply, await writeEntriesCsv(operations.activity.ask, id, query));
    },

    async adjustBalance({ request, params, body, ok }) {
      const ledger = requireLedger(operations);
      const { id } = await requireAccount(operations, params.account_id);
      const { kind, note = null, transfer_id: transfer = generatePrefixedId('adj') } = body;
      const amount = readAmount(body);
      const details = { transfer, kind, amount: formatDollars(amount), note };
      const audit = toAuditEntry(operations, request, { action: 'balance.adjust', target: id, details });
      const result = await ledger.adjust({ accountId: id, transfer, kind, amount, note, at: audit.at }, audit);
      if (result.kind === 'unknown_account') throw createNotFoundError('account_id', 'Account not found.');
      if (result.kind === 'mismatch') throw createConflictError(formatTransferMismatch(transfer, result.earlier));
      if (result.kind === 'rejected') {
        throw createConflictError(`The balance can't change by that amount: only $${formatDollars(result.available)} is available.`);
      }
      const repeated = result.kind === 'repeated';
      const adjustment = { account_id: id, transfer_id: transfer, kind, amount: formatDollars(amount), note };
      return ok({ object: 'adjustment', ...adjustment, repeated, balance: writeBalance(id, result) });
    },

    async listSubscriptions({ params, ok }) {
      const { id } = await requireAccount(operations, params.account_id);
      const records = await requireLedger(operations).listSubscriptions(id);
      return ok(
        writeAll(
          records.map((record) => writeSubscription(record, operations.now())),
          (record) => record.id,
        ),
      );
    },

    async createSubscription({ request, params, body, ok }) {
      const ledger = requireLedger(operations);
      const { id: accountId } = await requireAccount(operations, params.account_id);
      const startsAt = body.starts_at === undefined ? operations.now() : Date.parse(body.starts_at);
      const record = createSubscriptionRecord(operations, {
        accountId,
        plan: body.plan,
        startsAt,
        endsAt: readTimeOrNull(body.ends_at ?? null),
      });
      const details = { account: accountId, ...body };
      const audit = toAuditEntry(operations, request, { action: 'subscription.create', target: record.id, details });
      const result = await ledger.addSubscription(record, audit);
      if (result.kind === 'overlaps')
        throw createConflictError(`The subscription would overlap with ${result.id}. Cancel that one, or start this one after it ends.`);
      if (result.kind === 'mismatch') throw createConflictError(`A different subscription with the ID ${record.id} already exists.`);
      if (result.kind !== 'added') throw createConflictError("The subscription can't be added.");
      return ok(writeSubscription(record, operations.now()));
    },

    async cancelSubscription({ request, params, ok }) {
      const { subscription_id: id } = params;
      const audit = toAuditEntry(operations, request, { action: 'subscription.cancel', target: id, details: {} });
      const { at } = audit;
      if (!(await requireLedger(operations).cancelSubscription(id, at, audit))) {
        throw createNotFoundError('subscription_id', `Active or scheduled subscription '${toPrintable(id)}' not found.`);
      }
      return ok({ id, object: 'subscription', cancelled: true, cancelled_at: writeTime(at) });
    },
  };
}

export async function listEntries(
  runQuery: RecordsQuery,
  accountId: string,
  query: z.infer<typeof EntriesQuery>,
): Promise<z.infer<typeof StatementEntryList>> {
  const { limit = PAGE_LENGTH, after, ...filters } = query;
  const statementQuery = {
    ...toStatementQuery(accountId, filters),
    limit: limit + 1,
    after: after === undefined ? undefined : Number(after),
  };
  const lines = await readAccountStatement(runQuery, statementQuery);
  if (!lines) throw createInvalidValueError('after', "'after' must be the ID of an entry of this account.");
  return writePage(lines.map(writeEntry), limit, ({ id }) => id);
}

/** Reads the first page before the headers are sent, so that a failure keeps its status. */
export async function writeEntriesCsv(
  runQuery: RecordsQuery,
  accountId: string,
  query: z.infer<typeof EntriesCsvQuery>,
): Promise<AsyncIterable<string>> {
  const newest = (await findEntriesEnd(runQuery)) - 1;
  const page = { ...toStatementQuery(accountId, query), limit: CSV_PAGE_LENGTH, newest };
  const fetchPage = async (last?: StatementLine) =>
    (await readAccountStatement(runQuery, { ...page, after: last?.id, balance: last?.balanceAfter })) ?? [];
  const line = (entry: StatementLine) => formatEntryLine(writeEntry(entry));
  return writePagesCsv({ headings: entryHeadings, first: await fetchPage(), length: CSV_PAGE_LENGTH, next: fetchPage, line });
}

function toStatementQuery(accountId: string, { from, to, kind }: z.infer<typeof EntriesCsvQuery>): Omit<StatementQuery, 'limit'> {
  const [begin, end] = [from, to].map((time) => (time === undefined ? undefined : Date.parse(time)));
  return { accountId, from: begin, to: end, kind };
}

function writeEntry({ id, at, kind, amount, balanceAfter, note, transfer }: StatementLine): StatementEntry {
  const isRequest = kind === 'charge' || kind === 'subscription';
  return {
    id: String(id),
    object: 'entry',
    at: writeTime(at),
    kind,
    amount: formatDollars(amount),
    balance_after: formatDollars(balanceAfter),
    note,
    transfer_id: isRequest ? null : transfer,
    request_id: isRequest ? transfer : null,
  };
}
