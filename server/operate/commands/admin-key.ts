/** `modelgate admin-key …`: creates, lists, and revokes keys of the admin API. */
import { type Command, Option } from 'commander';
import { type AdminRole, adminRoleNames } from '../../../contract/admin/roles.ts';
import { type AdminOptions, addAdminCommand, addCommandGroup, withAdmin } from './admin-command.ts';
import { parseName } from './option-values.ts';
import { formatShortTime, formatTable, printResult } from './print-result.ts';

export function addAdminKeyCommands(program: Command): void {
  const key = addCommandGroup(program, 'admin-key', 'create, list, and revoke admin keys');
  addCreateCommand(key);
  addListCommand(key);
  addRevokeCommand(key);
}

function addCreateCommand(key: Command): void {
  addAdminCommand(key, 'create', {
    description: "create an admin key; it's printed once, on stdout",
    examples: [
      'modelgate admin-key create --name alice',
      'modelgate admin-key create --name dashboard --role viewer',
      'export MODELGATE_ADMIN_KEY=$(modelgate admin-key create --name alice)',
    ],
  })
    .option('-n, --name <name>', 'the owner of the key', parseName, 'unnamed')
    .addOption(
      new Option('-r, --role <role>', 'permissions: read only, also change balances and prices, or everything')
        .choices(adminRoleNames)
        .default('admin'),
    )
    .action(async (options: AdminOptions & { name: string; role: AdminRole }) => {
      await withAdmin(
        options,
        async (client) => {
          const adminKey = await client.call('createAdminKey', { body: { name: options.name, role: options.role } });
          printResult(options, adminKey, `${adminKey.key}\n`);
          if (!options.json)
            options.shell.stderr.write(`${adminKey.id} "${adminKey.name}", ${adminKey.role}. Save the key: it won't be shown again.\n`);
        },
        { makesFolder: true },
      );
    });
}

function addListCommand(key: Command): void {
  addAdminCommand(key, 'list', {
    description: 'list admin keys, without their secrets',
    examples: ['modelgate admin-key list'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listAdminKeys', {});
      const rows = list.data.map(({ id, name, role, created_at: created, revoked_at: revoked }) => [
        id,
        name,
        role,
        revoked === null ? 'active' : 'revoked',
        formatShortTime(created),
      ]);
      const emptyText = 'No admin keys yet. Create one: modelgate admin-key create\n';
      printResult(options, list, rows.length === 0 ? emptyText : formatTable(['ID', 'NAME', 'ROLE', 'STATE', 'CREATED'], rows));
    });
  });
}

function addRevokeCommand(key: Command): void {
  addAdminCommand(key, 'revoke <id>', {
    description: 'revoke an admin key immediately',
    examples: ['modelgate admin-key revoke admin_0aB3dE5gH7jK9mN1p'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const result = await client.call('revokeAdminKey', { params: { key_id: id } });
      printResult(options, result, `${id} is revoked.\n`);
    });
  });
}
