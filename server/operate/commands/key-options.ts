/** The options for key settings, and warnings about a key that can't be used. */

import { type Command, InvalidArgumentError } from 'commander';
import type { GrantedOperation } from '../../../contract/admin/fields.ts';
import type { Key } from '../../../contract/admin/keys.ts';
import { matchesPattern } from '../../access/pattern.ts';
import { findNearest } from '../../primitives/nearest.ts';
import { type AdminClient, listAllPages } from './admin-client.ts';
import type { AdminOptions } from './admin-command.ts';
import { addLimitOptions, type LimitOptions, toLimitsInput } from './limit-options.ts';
import { createListParser, type OptionValue, parseYesNo } from './option-values.ts';

interface Cap {
  readonly amount: string;
  readonly period: 'day' | 'week' | 'month' | 'never';
}

const isPeriod = (text: string): text is Cap['period'] => ['day', 'week', 'month', 'never'].includes(text);

/** Parses `20/month`, `5` (never resets), or `none`. */
function parseCap(text: string): OptionValue<Cap> {
  if (text === 'none') return { value: null };
  const [amount = '', period = 'never', ...extra] = text.split('/');
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(amount) || !isPeriod(period) || extra.length > 0) {
    throw new InvalidArgumentError('Enter dollars and a period such as 20/month (day, week, month), or none.');
  }
  return { value: { amount, period } };
}

export interface KeyOptions extends AdminOptions, LimitOptions {
  readonly models?: OptionValue<string[]>;
  readonly operations?: OptionValue<string[]>;
  readonly mayStore?: boolean;
  readonly manageKeys?: boolean;
  readonly from?: OptionValue<string[]>;
  readonly cap?: OptionValue<Cap>;
}

export function addKeyOptions(command: Command): Command {
  return addLimitOptions(command)
    .option('--models <list>', 'model IDs or patterns such as gpt-5*, separated by commas; or all', createListParser('all'))
    .option('--operations <list>', 'operations such as createResponse,generateImages; or all', createListParser('all'))
    .option('--may-store <yes|no>', 'whether responses can be stored', parseYesNo)
    .option('--manage-keys <yes|no>', "allow creating keys in the portal, within this key's permissions", parseYesNo)
    .option('--from <list>', 'IP addresses or ranges it can be used from, such as 192.0.2.0/24; or anywhere', createListParser('anywhere'))
    .option('--cap <cap>', 'spending cap from the start of the period: 20/month (day, week, month), 20 for a total, or none', parseCap);
}

/** Converts the options to API fields. If the API replaces a whole object, its other fields keep their present values. */
export function toKeyFields(options: KeyOptions, current?: Key) {
  const { models, operations, mayStore, manageKeys, from, cap } = options;
  const limits = toLimitsInput(options, current?.limits);
  const permissions = {
    ...current?.permissions,
    ...(models !== undefined && { models: models.value }),
    // The API rejects an unknown operation, and lists the known ones.
    ...(operations !== undefined && { operations: operations.value as GrantedOperation[] | null }),
    ...(mayStore !== undefined && { may_store: mayStore }),
    ...(manageKeys !== undefined && { manage_keys: manageKeys }),
  };
  const hasPermissionOption = [models, operations, mayStore, manageKeys].some((one) => one !== undefined);
  return {
    ...(hasPermissionOption && { permissions }),
    ...(from !== undefined && { ip_ranges: from.value }),
    ...(cap !== undefined && { spending_cap: cap.value }),
    ...(limits !== undefined && { limits }),
  };
}

/** Only warns, because a pattern may be meant for future models. */
export async function warnAboutModels(client: AdminClient, { account, permissions }: Key, { models, shell }: KeyOptions): Promise<void> {
  if (!models?.value || !permissions.models) return;
  const { group } = await client.call('getAccount', { params: { account_id: account.id } });
  // If the configuration can't be read, its models are unknown.
  const groups = await client.call('listGroups', {}).catch(() => undefined);
  const callableModels = groups?.data.find(({ name }) => name === group)?.models;
  const unmatchedPatterns = permissions.models.filter((pattern) => callableModels?.every((id) => !matchesPattern(pattern, id)));
  if (!callableModels || unmatchedPatterns.length === 0) return;
  const quotedPatterns = unmatchedPatterns.map((pattern) => `'${pattern}'`).join(', ');
  const verb = unmatchedPatterns.length === 1 ? 'fits' : 'fit';
  shell.stderr.write(
    `modelgate: --models: ${quotedPatterns} ${verb} no model that accounts of the group ${group} can call: ${callableModels.join(', ')}.\n`,
  );
}

export async function warnAboutNewAccount(client: AdminClient, { id, account: { id: accountId, name } }: Key, options: AdminOptions) {
  const { data } = await listAllPages(client, 'listAccounts', {});
  const newAccount = data.find((one) => one.id === accountId);
  const others = data.flatMap((one) => (one.id === accountId ? [] : [one.name]));
  const [nearestName, shellName] = [findNearest(name, others), /^[\w.@-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`];
  // Without billing, accounts have no balance.
  const { stderr } = options.shell;
  if (newAccount?.balance)
    stderr.write(`modelgate: The account ${name} is new and has no balance yet: modelgate account top-up ${shellName} 10\n`);
  if (nearestName !== undefined)
    stderr.write(`modelgate: --account: did you mean ${nearestName}? Then revoke this key: modelgate key revoke ${id}\n`);
}
