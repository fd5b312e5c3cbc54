/** Options that say what a key may do. */
import type { Command } from 'commander';
import type { GrantedOperation } from '../../contract/admin/fields.ts';
import type { Key } from '../../contract/admin/keys.ts';
import type { AdminOptions } from './administration.ts';
import { type Cap, type LimitOptions, limitsFrom, parseCap, parseListOr, parseYesNo, type Said, withLimitOptions } from './settings.ts';

export interface KeyOptions extends AdminOptions, LimitOptions {
  readonly models?: Said<string[]>;
  readonly operations?: Said<string[]>;
  readonly mayStore?: boolean;
  readonly manageKeys?: boolean;
  readonly from?: Said<string[]>;
  readonly cap?: Said<Cap>;
}

export function withKeyOptions(command: Command): Command {
  return withLimitOptions(command)
    .option('--models <list>', 'ids or patterns such as gpt-5*, separated by commas; or all', parseListOr('all'))
    .option('--operations <list>', 'operations such as createResponse,generateImages; or all', parseListOr('all'))
    .option('--may-store <yes|no>', 'whether responses may be stored', parseYesNo)
    .option('--manage-keys <yes|no>', 'whether its holder may make keys at the portal, within what this one may', parseYesNo)
    .option('--from <list>', 'addresses or ranges that it may be used from, such as 192.0.2.0/24; or anywhere', parseListOr('anywhere'))
    .option('--cap <cap>', 'the most that it may spend: 20/month (day, week, month), 20 in all, or none', parseCap);
}

/** The given options as fields of the contract. Where the API replaces a whole object, the other fields are copied from the present one. */
export function grantsFrom(options: KeyOptions, before?: Key) {
  const { models, operations, mayStore, manageKeys, from, cap } = options;
  const limits = limitsFrom(options, before?.limits);
  const permissions = {
    ...before?.permissions,
    ...(models !== undefined && { models: models.value }),
    // The API refuses an unknown operation, and lists the known ones.
    ...(operations !== undefined && { operations: operations.value as GrantedOperation[] | null }),
    ...(mayStore !== undefined && { may_store: mayStore }),
    ...(manageKeys !== undefined && { manage_keys: manageKeys }),
  };
  const isNamed = [models, operations, mayStore, manageKeys].some((one) => one !== undefined);
  return {
    ...(isNamed && { permissions }),
    ...(from !== undefined && { ip_ranges: from.value }),
    ...(cap !== undefined && { spending_cap: cap.value }),
    ...(limits !== undefined && { limits }),
  };
}
