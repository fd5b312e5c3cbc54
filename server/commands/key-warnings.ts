/** Warnings about a key that was created or changed. On stderr, because scripts read the key from stdout. */
import type { Key } from '../../contract/admin/keys.ts';
import { matchesPattern } from '../access/pattern.ts';
import { nearest } from '../config/suggestion.ts';
import type { AdminClient } from './admin-client.ts';
import { type AdminOptions, callAll } from './administration.ts';
import type { KeyOptions } from './key-options.ts';

/** A pattern may be meant for future models, so this is only a warning. */
export async function warnOfModels(client: AdminClient, { account, permissions }: Key, { models, shell }: KeyOptions): Promise<void> {
  if (!models?.value || !permissions.models) return;
  const { group } = await client.call('getAccount', { params: { account_id: account.id } });
  // When the configuration cannot be read, its models are unknown.
  const groups = await client.call('listGroups', {}).catch(() => undefined);
  const callable = groups?.data.find(({ name }) => name === group)?.models;
  const lost = permissions.models.filter((pattern) => callable?.every((id) => !matchesPattern(pattern, id)));
  if (!callable || lost.length === 0) return;
  const quoted = lost.map((pattern) => `'${pattern}'`).join(', ');
  const fit = lost.length === 1 ? 'fits' : 'fit';
  shell.stderr.write(
    `modelgate: --models: ${quoted} ${fit} no model that accounts of the group ${group} may call: ${callable.join(', ')}.\n`,
  );
}

export async function warnOfNewAccount(client: AdminClient, { id, account: { id: accountId, name } }: Key, options: AdminOptions) {
  const { data } = await callAll(client, 'listAccounts', {});
  const made = data.find((one) => one.id === accountId);
  const others = data.flatMap((one) => (one.id === accountId ? [] : [one.name]));
  const [near, word] = [nearest(name, others), /^[\w.@-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`];
  // Without billing there is no balance.
  const { stderr } = options.shell;
  if (made?.balance) stderr.write(`modelgate: The account ${name} is new and has no money yet: modelgate account top-up ${word} 10\n`);
  if (near !== undefined) stderr.write(`modelgate: --account: did you mean ${near}? Then revoke this key: modelgate key revoke ${id}\n`);
}
