/** Accounts of the operators' API. */
import type { Account, AccountChanges, accountRoutes, Balance } from '../../contract/admin/accounts.ts';
import { PAGE_LENGTH } from '../../contract/admin/fields.ts';
import type { AdminContract } from '../../contract/admin.ts';
import { newId } from '../access/keys.ts';
import { pageAccounts } from '../access/lists.ts';
import { standardSelfService } from '../access/self-service.ts';
import type { AccessStore, AccountRecord } from '../access/store.ts';
import { shown } from '../errors.ts';
import type { HandlersOf } from '../http/ts-rest.ts';
import { formatDollars, parseDollars } from '../ledger/money.ts';
import type { Adjustment } from '../ledger/store.ts';
import { accountHeadings, accountLine, pagesCsv } from './csv.ts';
import { auditOf, ledgerOf, type Operations } from './operations.ts';
import { conflict, invalid, missing, noSuchEntry, readLimits, writeLimits, writePage, writeTime, writeTimeOrNull } from './values.ts';

export const STANDARD_GROUP = 'default';

/** Throws `not_found` with the name of the field that held the id or name. */
export async function findAccount({ access }: Operations, idOrName: string, param = 'account_id'): Promise<AccountRecord> {
  const account = await access.store.findAccount(idOrName);
  if (account) return account;
  throw missing(param, `There is no account '${shown(idOrName)}'.`);
}

export function writeBalance(accountId: string, { balance, held }: { readonly balance: bigint; readonly held: bigint }): Balance {
  const available = formatDollars(balance - held);
  return { object: 'balance', account_id: accountId, balance: formatDollars(balance), held: formatDollars(held), available };
}

export async function readBalance({ ledger }: Operations, accountId: string): Promise<Balance | null> {
  return ledger && writeBalance(accountId, (await ledger.balance(accountId)) ?? { balance: 0n, held: 0n });
}

async function writeAccount(operations: Operations, record: AccountRecord): Promise<Account> {
  const { id, name, group, suspendedAt, limits, createdAt, selfService = standardSelfService } = record;
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
    created_at: writeTime(createdAt),
  };
}

/** The default group always exists, so the configuration need not be read for it. */
function checkGroup(operations: Operations, group: string): void {
  if (group === STANDARD_GROUP) return;
  const { groups } = operations.config;
  if (Object.hasOwn(groups, group)) return;
  throw invalid('group', `'${shown(group)}' is not a group. Groups: ${Object.keys(groups).join(', ')}.`);
}

const nameTaken = (name: string) => conflict(`An account with the name '${name}' exists already.`);

/** Undefined when nothing was given. */
function openingOf({ id, createdAt }: AccountRecord, dollars = '0'): Adjustment | undefined {
  const amount = parseDollars(dollars);
  if (amount === 0n) return undefined;
  return { accountId: id, transfer: `opening:${id}`, kind: 'top_up', amount, note: null, at: createdAt };
}

/** Each asks for its balance. */
const ACCOUNTS_AT_ONCE = 100;

type Changes = Parameters<AccessStore['editAccount']>[1];

/** A second suspension keeps the time of the first. */
function readChanges(before: AccountRecord, { name, group, suspended, limits, self_service: own }: AccountChanges, now: number): Changes {
  const isSuspended = before.suspendedAt !== null;
  const { maxKeys, delegate } = before.selfService ?? standardSelfService;
  return {
    ...(name !== undefined && { name }),
    ...(group !== undefined && { group }),
    ...(limits !== undefined && { limits: readLimits(limits) }),
    ...(suspended !== undefined && suspended !== isSuspended && { suspendedAt: suspended ? now : null }),
    ...(own !== undefined && { selfService: { maxKeys: own.max_keys ?? maxKeys, delegate: own.delegate ?? delegate } }),
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
      return ok({ ...page, data: await Promise.all(page.data.map((record) => writeAccount(operations, record))) });
    },

    async exportAccounts({ query, reply, csv }) {
      const read = async (after?: string) => {
        const found = (await pageAccounts(operations.activity.ask, query, { limit: ACCOUNTS_AT_ONCE, after })) ?? [];
        return await Promise.all(found.map((record) => writeAccount(operations, record)));
      };
      const next = ({ id }: Account) => read(id);
      return csv(reply, pagesCsv({ headings: accountHeadings, first: await read(), length: ACCOUNTS_AT_ONCE, next, line: accountLine }));
    },

    async createAccount({ request, body, ok }) {
      const { name, group = STANDARD_GROUP, opening_balance: opening, limits } = body;
      checkGroup(operations, group);
      if (opening !== undefined) ledgerOf(operations);
      const record = { id: newId('acct'), name, group, limits: readLimits(limits), createdAt: operations.now(), suspendedAt: null };
      const audit = auditOf(operations, request, { action: 'account.create', target: record.id, details: body });
      if (!(await store.addAccount(record, audit, openingOf(record, opening)))) throw nameTaken(name);
      return ok(await writeAccount(operations, record));
    },

    async getAccount({ params, ok }) {
      return ok(await writeAccount(operations, await findAccount(operations, params.account_id)));
    },

    async editAccount({ request, params, body, ok }) {
      const before = await findAccount(operations, params.account_id);
      if (body.group !== undefined) checkGroup(operations, body.group);
      const audit = auditOf(operations, request, { action: 'account.edit', target: before.id, details: body });
      const outcome = await store.editAccount(before.id, readChanges(before, body, audit.at), audit);
      if (outcome === 'name_taken') throw nameTaken(body.name ?? before.name);
      return ok(await writeAccount(operations, await findAccount(operations, before.id)));
    },
  };
}
