/** `modelgate admin-key …`: creates, lists, and revokes keys of the admin API. */
import type { Command } from 'commander';
import { adminRoleNames } from '../../../contract/admin/roles.ts';
import { addCommandGroup } from './admin-command.ts';
import { parseName } from './option-values.ts';
import { formatShortTime } from './print-result.ts';
import { addRequestCommand } from './request-command.ts';

export function addAdminKeyCommands(program: Command): void {
  const key = addCommandGroup(program, 'admin-key');
  addRequestCommand(key, 'create', {
    description: "create an admin key; it's printed once, on stdout",
    examples: [
      'modelgate admin-key create --name alice',
      'modelgate admin-key create --name dashboard --role viewer',
      'export MODELGATE_ADMIN_KEY=$(modelgate admin-key create --name alice)',
    ],
    makesFolder: true,
    operation: 'createAdminKey',
    options: {
      name: ['-n, --name <name>', 'the owner of the key', parseName, 'unnamed'],
      role: [
        '-r, --role <role>',
        'permissions: read (viewer), also change balances and prices (billing), or everything (admin)',
        adminRoleNames,
        'admin',
      ],
    },
    print: ({ key: secret }) => `${secret}\n`,
    note: ({ id, name, role }) => `${id} "${name}", ${role}. Save the key: it won't be shown again.\n`,
  });
  addRequestCommand(key, 'list', {
    description: 'list admin keys, without their secrets',
    examples: ['modelgate admin-key list'],
    operation: 'listAdminKeys',
    print: {
      ID: 'id',
      NAME: 'name',
      ROLE: 'role',
      STATE: (one) => (one.revoked_at === null ? 'active' : 'revoked'),
      CREATED: (one) => formatShortTime(one.created_at),
    },
    emptyText: 'No admin keys yet. Create one: modelgate admin-key create\n',
  });
  addRequestCommand(key, 'revoke <id>', {
    description: 'revoke an admin key immediately',
    examples: ['modelgate admin-key revoke admin_0aB3dE5gH7jK9mN1p'],
    operation: 'revokeAdminKey',
    arguments: ['key_id'],
    print: (_, { key_id: id }) => `${id} is revoked.\n`,
  });
}
