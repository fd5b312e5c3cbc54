/** Admin API handlers for accounts. */

import type { Account, AccountChanges, accountRoutes, Balance } from '../../../contract/admin/accounts.ts';
import { PAGE_LENGTH } from '../../../contract/admin/fields.ts';
import type { AdminContract } from '../../../contract/admin/index.ts';
import { generateId } from '../../access/key-format.ts';
import { listAccountPage } from '../../access/pages.ts';
import { defaultSelfService } from '../../access/self-service.ts';
import { type CapUsage, fetchAccountSpend, fetchCapUsage } from '../../access/spend.ts';
import type { AccessStore, AccountRecord } from '../../access/store.ts';
import { formatDollars, parseDollars } from '../../money/dollars.ts';
import type { Adjustment } from '../../money/store.ts';
import { toPrintable } from '../../primitives/errors.ts';
import type { ContractHandlers } from '../http/ts-rest.ts';
import { readCaps, writeUsedCap } from './caps.ts';
import { accountHeadings, formatAccountLine, writePagesCsv } from './csv.ts';
import { createConflictError, createEntryNotFoundError, createInvalidValueError, createNotFoundError } from './errors.ts';
import { readLimitSettings, writeLimits } from './limit-settings.ts';
import { type Operations, requireLedger, toAuditEntry, toChangeDetails } from './operations.ts';
import { writePage } from './page.ts';
import { writeTime, writeTimeOrNull } from './times.ts';

const DEFAULT_GROUP = 'default';

/** Throws `not_found`. `param` is the field with the ID or name. */
export async function requireAccount({ access }: Operations, idOrName: string, param = 'account_id'): Promise<AccountRecord> {
  const account = await access.store.findAccount(idOrName);
  if (account) return account;
  throw createNotFoundError(param, `Account '${toPrintable(idOrName)}' not found.`);
}

export function writeBalance(accountId: string, { balance, held }: { readonly balance: bigint; readonly held: bigint }): Balance {
  const available = formatDollars(balance - held);
  return { object: 'balance', account_id: accountId, balance: formatDollars(balance), held: formatDollars(held), available };
}

async function fetchBalance({ ledger }: Operations, accountId: string): Promise<Balance | null> {
  return ledger && writeBalance(accountId, (await ledger.getBalance(accountId)) ?? { balance: 0n, held: 0n });
}

interface AccountSpend {
  readonly charged?: bigint | undefined;
  readonly caps?: readonly CapUsage[] | undefined;
}

async function fetchSpend({ activity, now }: Operations, ids: readonly string[]): Promise<(id: string) => AccountSpend> {
  const at = now();
  const spendByAccount = await fetchAccountSpend(activity.ask, ids, at);
  const capsByAccount = await fetchCapUsage(activity.ask, 'accounts', ids, at);
  return (id) => ({ charged: spendByAccount.get(id), caps: capsByAccount.get(id) });
}

async function writeAccounts(operations: Operations, records: readonly AccountRecord[]): Promise<Account[]> {
  const getSpend = await fetchSpend(
    operations,
    records.map(({ id }) => id),
  );
  return await Promise.all(records.map((record) => writeAccount(operations, record, getSpend(record.id))));
}

async function writeAccountWithSpend(operations: Operations, record: AccountRecord): Promise<Account> {
  return await writeAccount(operations, record, (await fetchSpend(operations, [record.id]))(record.id));
}

async function writeAccount(operations: Operations, record: AccountRecord, { charged = 0n, caps }: AccountSpend = {}): Promise<Account> {
  const { id, name, group, suspendedAt, limits, createdAt, selfService = defaultSelfService, alertBelow = null } = record;
  return {
    id,
    object: 'account',
    name,
    group,
    suspended: suspendedAt !== null,
    suspended_at: writeTimeOrNull(suspendedAt),
    limits: writeLimits(limits),
    spending_caps: (caps ?? record.caps?.map((cap) => ({ ...cap, used: 0n })) ?? []).map(writeUsedCap),
    self_service: { max_keys: selfService.maxKeys, delegate: selfService.delegate },
    balance: await fetchBalance(operations, id),
    charged_30d: formatDollars(charged),
    alert_below: alertBelow === null ? null : formatDollars(alertBelow),
    created_at: writeTime(createdAt),
  };
}

/** The default group always exists, so the configuration isn't read for it. */
function checkGroup(operations: Operations, group: string): void {
  if (group === DEFAULT_GROUP) return;
  const { groups } = operations.config;
  if (Object.hasOwn(groups, group)) return;
  throw createInvalidValueError('group', `Group '${toPrintable(group)}' not found. Available: ${Object.keys(groups).join(', ')}.`);
}

const createNameTakenError = (name: string) => createConflictError(`An account named '${name}' already exists.`, 'name');

/** Undefined if the opening balance is omitted or 0. */
function getOpeningAdjustment({ id, createdAt }: AccountRecord, dollars = '0'): Adjustment | undefined {
  const amount = parseDollars(dollars);
  if (amount === 0n) return undefined;
  return { accountId: id, transfer: `opening:${id}`, kind: 'top_up', amount, note: null, at: createdAt };
}

/** A small page, because each account needs a balance lookup. */
const ACCOUNTS_PER_PAGE = 100;

type AccountUpdate = Parameters<AccessStore['editAccount']>[1];

const readThreshold = (dollars: string | null): bigint | null => (dollars === null ? null : parseDollars(dollars));

/** Suspending a suspended account keeps the time of the first suspension. */
function readChanges(account: AccountRecord, changes: AccountChanges, now: number): AccountUpdate {
  const { name, group, suspended, limits, self_service: selfServiceChanges, spending_caps: caps, alert_below: threshold } = changes;
  const isSuspended = account.suspendedAt !== null;
  const { maxKeys, delegate } = account.selfService ?? defaultSelfService;
  return {
    ...(name !== undefined && { name }),
    ...(group !== undefined && { group }),
    ...(limits !== undefined && { limits: readLimitSettings(limits) }),
    ...(suspended !== undefined && suspended !== isSuspended && { suspendedAt: suspended ? now : null }),
    ...(selfServiceChanges !== undefined && {
      selfService: { maxKeys: selfServiceChanges.max_keys ?? maxKeys, delegate: selfServiceChanges.delegate ?? delegate },
    }),
    ...(caps !== undefined && { caps: readCaps(caps) }),
    ...(threshold !== undefined && { alertBelow: readThreshold(threshold) }),
  };
}

export function createAccountHandlers(operations: Operations): ContractHandlers<AdminContract, keyof typeof accountRoutes> {
  const { store } = operations.access;
  return {
    async listAccounts({ query, ok }) {
      const { limit = PAGE_LENGTH, after, sort, order, ...filter } = query;
      const page = { limit: limit + 1, after, sort, order };
      const found = await listAccountPage(operations.activity.ask, { ...filter, at: operations.now() }, page);
      if (!found) throw createEntryNotFoundError();
      const accountPage = writePage(found, limit, ({ id }) => id);
      return ok({ ...accountPage, data: await writeAccounts(operations, accountPage.data) });
    },

    async exportAccounts({ query, reply, csv }) {
      const fetchPage = async (after?: string) => {
        const accounts =
          (await listAccountPage(operations.activity.ask, { ...query, at: operations.now() }, { limit: ACCOUNTS_PER_PAGE, after })) ?? [];
        return await writeAccounts(operations, accounts);
      };
      const next = ({ id }: Account) => fetchPage(id);
      return csv(
        reply,
        writePagesCsv({ headings: accountHeadings, first: await fetchPage(), length: ACCOUNTS_PER_PAGE, next, line: formatAccountLine }),
      );
    },

    async createAccount({ request, body, ok }) {
      const {
        name,
        group = DEFAULT_GROUP,
        opening_balance: openingBalance,
        limits,
        spending_caps: caps,
        alert_below: threshold = null,
      } = body;
      checkGroup(operations, group);
      if (openingBalance !== undefined) requireLedger(operations);
      const settings = { name, group, limits: readLimitSettings(limits), caps: readCaps(caps ?? []), alertBelow: readThreshold(threshold) };
      const record = { id: generateId('acct'), ...settings, createdAt: operations.now(), suspendedAt: null };
      const audit = toAuditEntry(operations, request, { action: 'account.create', target: record.id, details: body });
      if (!(await store.addAccount(record, audit, getOpeningAdjustment(record, openingBalance)))) throw createNameTakenError(name);
      // A new account has spent nothing, so its spend isn't read: a failed read after the change would make it look undone.
      return ok(await writeAccount(operations, record));
    },

    async getAccount({ params, ok }) {
      return ok(await writeAccountWithSpend(operations, await requireAccount(operations, params.account_id)));
    },

    async editAccount({ request, params, body, ok }) {
      const account = await requireAccount(operations, params.account_id);
      if (body.group !== undefined) checkGroup(operations, body.group);
      const previous = await writeAccountWithSpend(operations, account);
      const previousCaps = previous.spending_caps.map(({ used: _, ...cap }) => cap);
      const details = toChangeDetails(body, { ...previous, spending_caps: previousCaps });
      const audit = toAuditEntry(operations, request, { action: 'account.edit', target: account.id, details });
      const outcome = await store.editAccount(account.id, readChanges(account, body, audit.at), audit);
      if (outcome === 'name_taken') throw createNameTakenError(body.name ?? account.name);
      return ok(await writeAccountWithSpend(operations, await requireAccount(operations, account.id)));
    },
  };
}
