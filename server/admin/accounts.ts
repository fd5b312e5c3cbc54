/** Accounts of the operators' API. */

import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Account, AccountChanges, accountRoutes, Balance } from '../../contract/admin/accounts.ts';
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { AdminContract } from '../../contract/admin/index.ts';
import type {
  EntriesCsvQuery,
  EntriesQuery,
  moneyRoutes,
  NewAdjustment,
  StatementEntry,
  StatementEntryList,
  Subscription,
} from '../../contract/admin/money.ts';
import { newId } from '../access/authenticate.ts';
import { standardSelfService } from '../access/issue.ts';
import { pageAccounts, readAccountSpend } from '../access/lists.ts';
import type { AccessStore, AccountRecord } from '../access/store.ts';
import type { Ask } from '../activity/record.ts';
import { endOfEntries, readAccountStatement, type StatementLine, type StatementQuery } from '../activity/statement.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, parseDollars } from '../ledger/charge.ts';
import type { Adjustment, SubscriptionRecord } from '../ledger/store.ts';
import {
  accountHeadings,
  accountLine,
  conflict,
  entryHeadings,
  entryLine,
  invalid,
  missing,
  noSuchEntry,
  pagesCsv,
  ROWS_AT_ONCE,
  readLimits,
  readTimeOrNull,
  writeAll,
  writeLimits,
  writePage,
  writeTime,
  writeTimeOrNull,
} from './csv.ts';
import { auditOf, changeOf, ledgerOf, type Operations } from './operations.ts';

const STANDARD_GROUP = 'default';

/** Throws `not_found` with the name of the field that held the id or name. */
export async function findAccount({ access }: Operations, idOrName: string, param = 'account_id'): Promise<AccountRecord> {
  const account = await access.store.findAccount(idOrName);
  if (account) return account;
  throw missing(param, `Account '${shown(idOrName)}' not found.`);
}

export function writeBalance(accountId: string, { balance, held }: { readonly balance: bigint; readonly held: bigint }): Balance {
  const available = formatDollars(balance - held);
  return { object: 'balance', account_id: accountId, balance: formatDollars(balance), held: formatDollars(held), available };
}

async function readBalance({ ledger }: Operations, accountId: string): Promise<Balance | null> {
  return ledger && writeBalance(accountId, (await ledger.balance(accountId)) ?? { balance: 0n, held: 0n });
}

async function writeAccounts(operations: Operations, records: readonly AccountRecord[]): Promise<Account[]> {
  const ids = records.map(({ id }) => id);
  const charged = await readAccountSpend(operations.activity.ask, ids, operations.now());
  return await Promise.all(records.map((record) => writeAccount(operations, record, charged.get(record.id))));
}

async function writeOne(operations: Operations, record: AccountRecord): Promise<Account> {
  const { activity, now } = operations;
  return await writeAccount(operations, record, (await readAccountSpend(activity.ask, [record.id], now())).get(record.id));
}

async function writeAccount(operations: Operations, record: AccountRecord, charged = 0n): Promise<Account> {
  const { id, name, group, suspendedAt, limits, createdAt, selfService = standardSelfService, alertBelow = null } = record;
  return {
    id,
    object: 'account',
    name,
    group,
    suspended: suspendedAt !== null,
    suspended_at: writeTimeOrNull(suspendedAt),
    limits: writeLimits(limits),
    self_service: { max_keys: selfService.maxKeys, delegate: selfService.delegate },
    balance: await readBalance(operations, id),
    charged_30d: formatDollars(charged),
    alert_below: alertBelow === null ? null : formatDollars(alertBelow),
    created_at: writeTime(createdAt),
  };
}

/** The default group always exists, so the configuration need not be read for it. */
function checkGroup(operations: Operations, group: string): void {
  if (group === STANDARD_GROUP) return;
  const { groups } = operations.config;
  if (Object.hasOwn(groups, group)) return;
  throw invalid('group', `Group '${shown(group)}' not found. Available: ${Object.keys(groups).join(', ')}.`);
}

const nameTaken = (name: string) => conflict(`An account named '${name}' already exists.`, 'name');

/** Undefined when nothing was given. */
function openingOf({ id, createdAt }: AccountRecord, dollars = '0'): Adjustment | undefined {
  const amount = parseDollars(dollars);
  if (amount === 0n) return undefined;
  return { accountId: id, transfer: `opening:${id}`, kind: 'top_up', amount, note: null, at: createdAt };
}

/** Each asks for its balance. */
const ACCOUNTS_AT_ONCE = 100;

type Changes = Parameters<AccessStore['editAccount']>[1];

const readThreshold = (dollars: string | null): bigint | null => (dollars === null ? null : parseDollars(dollars));

/** A second suspension keeps the time of the first. */
function readChanges(before: AccountRecord, changes: AccountChanges, now: number): Changes {
  const { name, group, suspended, limits, self_service: own, alert_below: below } = changes;
  const isSuspended = before.suspendedAt !== null;
  const { maxKeys, delegate } = before.selfService ?? standardSelfService;
  return {
    ...(name !== undefined && { name }),
    ...(group !== undefined && { group }),
    ...(limits !== undefined && { limits: readLimits(limits) }),
    ...(suspended !== undefined && suspended !== isSuspended && { suspendedAt: suspended ? now : null }),
    ...(own !== undefined && { selfService: { maxKeys: own.max_keys ?? maxKeys, delegate: own.delegate ?? delegate } }),
    ...(below !== undefined && { alertBelow: readThreshold(below) }),
  };
}

export function accountHandlers(operations: Operations): HandlersOf<AdminContract, keyof typeof accountRoutes> {
  const { store } = operations.access;
  return {
    async listAccounts({ query, ok }) {
      const { limit = PAGE_LENGTH, after, ...filter } = query;
      const found = await pageAccounts(operations.activity.ask, filter, { limit: limit + 1, after });
      if (!found) throw noSuchEntry();
      const page = writePage(found, limit, ({ id }) => id);
      return ok({ ...page, data: await writeAccounts(operations, page.data) });
    },

    async exportAccounts({ query, reply, csv }) {
      const read = async (after?: string) => {
        const found = (await pageAccounts(operations.activity.ask, query, { limit: ACCOUNTS_AT_ONCE, after })) ?? [];
        return await writeAccounts(operations, found);
      };
      const next = ({ id }: Account) => read(id);
      return csv(reply, pagesCsv({ headings: accountHeadings, first: await read(), length: ACCOUNTS_AT_ONCE, next, line: accountLine }));
    },

    async createAccount({ request, body, ok }) {
      const { name, group = STANDARD_GROUP, opening_balance: opening, limits, alert_below: below = null } = body;
      checkGroup(operations, group);
      if (opening !== undefined) ledgerOf(operations);
      const settings = { name, group, limits: readLimits(limits), alertBelow: readThreshold(below) };
      const record = { id: newId('acct'), ...settings, createdAt: operations.now(), suspendedAt: null };
      const audit = auditOf(operations, request, { action: 'account.create', target: record.id, details: body });
      if (!(await store.addAccount(record, audit, openingOf(record, opening)))) throw nameTaken(name);
      // A new account has spent nothing. A read that fails after the change would make it look undone.
      return ok(await writeAccount(operations, record));
    },

    async getAccount({ params, ok }) {
      return ok(await writeOne(operations, await findAccount(operations, params.account_id)));
    },

    async editAccount({ request, params, body, ok }) {
      const before = await findAccount(operations, params.account_id);
      if (body.group !== undefined) checkGroup(operations, body.group);
      const written = await writeOne(operations, before);
      const details = changeOf(body, written);
      const audit = auditOf(operations, request, { action: 'account.edit', target: before.id, details });
      const outcome = await store.editAccount(before.id, readChanges(before, body, audit.at), audit);
      if (outcome === 'name_taken') throw nameTaken(body.name ?? before.name);
      const after = await writeAccount(operations, await findAccount(operations, before.id));
      return ok({ ...after, charged_30d: written.charged_30d });
    },
  };
}

const newName = (kind: string): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

/** Only a correction may be negative; an amount of 0 is surely a typo. */
function readAmount({ kind, amount }: NewAdjustment): bigint {
  const micros = parseDollars(amount);
  if (micros === 0n || (micros < 0n && kind !== 'correction')) {
    throw invalid('amount', kind === 'correction' ? "'amount' can't be 0." : "'amount' must be greater than 0.");
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
  const earlier = `${words[kind]} of $${formatDollars(amount)} on ${accountId}`;
  return `The transfer '${transfer}' was already posted as ${earlier}. Nothing was changed. Use another 'transfer_id' for a different transfer.`;
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
  if (!terms) throw invalid('plan', `Plan '${shown(plan)}' not found. Available: ${Object.keys(config.plans).join(', ') || 'none'}.`);
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
      if (result.kind === 'unknown_account') throw missing('account_id', 'Account not found.');
      if (result.kind === 'mismatch') throw conflict(mismatchText(transfer, result.earlier));
      if (result.kind === 'rejected') {
        throw conflict(`The balance can't change by that amount: only $${formatDollars(result.available)} is available.`);
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
      if (result.kind === 'overlaps')
        throw conflict(`The subscription would overlap with ${result.id}. Cancel that one, or start this one after it ends.`);
      if (result.kind === 'mismatch') throw conflict(`A different subscription with the ID ${record.id} already exists.`);
      if (result.kind !== 'added') throw conflict("The subscription can't be added.");
      return ok(writeSubscription(record, operations.now()));
    },

    async cancelSubscription({ request, params, ok }) {
      const { subscription_id: id } = params;
      const audit = auditOf(operations, request, { action: 'subscription.cancel', target: id, details: {} });
      const { at } = audit;
      if (!(await ledgerOf(operations).cancelSubscription(id, at, audit))) {
        throw missing('subscription_id', `Active or scheduled subscription '${shown(id)}' not found.`);
      }
      return ok({ id, object: 'subscription', cancelled: true, cancelled_at: writeTime(at) });
    },
  };
}

export async function listEntries(
  ask: Ask,
  accountId: string,
  query: z.infer<typeof EntriesQuery>,
): Promise<z.infer<typeof StatementEntryList>> {
  const { limit = PAGE_LENGTH, after, ...filters } = query;
  const asked = { ...readRange(accountId, filters), limit: limit + 1, after: after === undefined ? undefined : Number(after) };
  const lines = await readAccountStatement(ask, asked);
  if (!lines) throw invalid('after', "'after' must be the ID of an entry of this account.");
  return writePage(lines.map(writeEntry), limit, ({ id }) => id);
}

/** The first page is read before the headers are sent, so that a failure keeps its status. */
export async function entriesCsv(ask: Ask, accountId: string, query: z.infer<typeof EntriesCsvQuery>): Promise<AsyncIterable<string>> {
  const newest = (await endOfEntries(ask)) - 1;
  const page = { ...readRange(accountId, query), limit: ROWS_AT_ONCE, newest };
  const read = async (last?: StatementLine) =>
    (await readAccountStatement(ask, { ...page, after: last?.id, balance: last?.balanceAfter })) ?? [];
  const line = (entry: StatementLine) => entryLine(writeEntry(entry));
  return pagesCsv({ headings: entryHeadings, first: await read(), length: ROWS_AT_ONCE, next: read, line });
}

function readRange(accountId: string, { from, to, kind }: z.infer<typeof EntriesCsvQuery>): Omit<StatementQuery, 'limit'> {
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
