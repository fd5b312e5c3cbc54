/** The options for key settings, and warnings about a key that can't be used. */

import type { Key } from '../../../contract/admin/keys.ts';
import { matchesPattern } from '../../access/pattern.ts';
import { findNearest } from '../../primitives/nearest.ts';
import { type AdminClient, type Input, listAllPages } from './admin-client.ts';
import { capOption } from './cap-option.ts';
import { limitOptions } from './limit-options.ts';
import { createListParser, parseYesNo } from './option-values.ts';
import type { Shell } from './shell.ts';

export const keyOptions = {
  ...limitOptions,
  'permissions.models': ['--models <list>', 'model IDs or patterns such as gpt-5*, separated by commas; or all', createListParser('all')],
  'permissions.operations': ['--operations <list>', 'operations such as createResponse,generateImages; or all', createListParser('all')],
  'permissions.may_store': ['--may-store <yes|no>', "whether the key's responses can be stored", parseYesNo],
  'permissions.manage_keys': [
    '--manage-keys <yes|no>',
    'whether the key can create keys in the portal, within its own permissions',
    parseYesNo,
  ],
  ip_ranges: [
    '--ip-ranges <list>',
    'IP addresses or ranges that can use the key, such as 192.0.2.0/24; or anywhere',
    createListParser('anywhere'),
  ],
  spending_caps: capOption,
} as const;

/** Warns about settings that have no effect now: they may be meant for later. */
export async function warnAboutSettings(
  client: AdminClient,
  key: Key,
  fields: Pick<Input<'editKey'>, 'permissions' | 'spending_caps'>,
  shell: Shell,
): Promise<void> {
  await warnAboutModels(client, key, fields, shell);
  if (!fields.spending_caps?.length) return;
  const { balance } = await client.call('getAccount', { account_id: key.account.id });
  if (balance === null) shell.stderr.write(`modelgate: --cap: has no effect while billing is off in the configuration.\n`);
}

async function warnAboutModels(
  client: AdminClient,
  { account, permissions }: Key,
  fields: Pick<Input<'editKey'>, 'permissions'>,
  shell: Shell,
): Promise<void> {
  if (!fields.permissions?.models || !permissions.models) return;
  const { group } = await client.call('getAccount', { account_id: account.id });
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

export async function warnAboutNewAccount(client: AdminClient, { id, account: { id: accountId, name } }: Key, { stderr }: Shell) {
  const { data } = await listAllPages(client, 'listAccounts', {});
  const newAccount = data.find((one) => one.id === accountId);
  const others = data.flatMap((one) => (one.id === accountId ? [] : [one.name]));
  const [nearestName, shellName] = [findNearest(name, others), /^[\w.@-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`];
  // Without billing, accounts have no balance.
  if (newAccount?.balance)
    stderr.write(`modelgate: The account ${name} is new and has no balance yet: modelgate account top-up ${shellName} 10\n`);
  if (nearestName !== undefined)
    stderr.write(`modelgate: --account: did you mean ${nearestName}? Then revoke this key: modelgate key revoke ${id}\n`);
}
