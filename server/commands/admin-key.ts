/** `modelgate admin-key …`: keys of operators, for the admin API. */
import { type Command, Option } from 'commander';
import { type AdminRole, adminRoleNames } from '../../contract/admin-roles.ts';
import { type AdminOptions, addAdminCommand, addGroup, print, shortTime, withAdmin } from './administration.ts';
import { parseName } from './settings.ts';
import { formatTable } from './table.ts';

export function addAdminKey(program: Command): void {
  const key = addGroup(program, 'admin-key', 'create, list and revoke keys of operators');
  addCreate(key);
  addList(key);
  addRevoke(key);
}

interface CreateOptions extends AdminOptions {
  readonly name: string;
  readonly role: AdminRole;
}

function addCreate(key: Command): void {
  addAdminCommand(key, 'create', {
    description: 'create a key of an operator; it is printed once, on stdout',
    examples: [
      'modelgate admin-key create --name alice',
      'modelgate admin-key create --name dashboard --role viewer',
      'export MODELGATE_ADMIN_KEY=$(modelgate admin-key create --name alice)',
    ],
  })
    .option('-n, --name <name>', 'the owner of the key', parseName, 'unnamed')
    .addOption(
      new Option('-r, --role <role>', 'what the key may do: read, also change money and prices, or everything')
        .choices(adminRoleNames)
        .default('admin'),
    )
    .action(async (options: CreateOptions) => {
      await withAdmin(
        options,
        async (client) => {
          const made = await client.call('createAdminKey', { body: { name: options.name, role: options.role } });
          print(options, made, `${made.key}\n`);
          if (!options.json) options.shell.stderr.write(`${made.id} "${made.name}", ${made.role}. Keep the key: it is not shown again.\n`);
        },
        { makesFolder: true },
      );
    });
}

function addList(key: Command): void {
  addAdminCommand(key, 'list', {
    description: 'list keys of operators, without the keys themselves',
    examples: ['modelgate admin-key list'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await client.call('listAdminKeys', {});
      const rows = list.data.map(({ id, name, role, created_at: created, revoked_at: revoked }) => [
        id,
        name,
        role,
        revoked === null ? 'active' : 'revoked',
        shortTime(created),
      ]);
      const none = 'There are no admin keys. Create one: modelgate admin-key create\n';
      print(options, list, rows.length === 0 ? none : formatTable(['ID', 'NAME', 'ROLE', 'STATE', 'CREATED'], rows));
    });
  });
}

function addRevoke(key: Command): void {
  addAdminCommand(key, 'revoke <id>', {
    description: 'revoke a key of an operator, at once',
    examples: ['modelgate admin-key revoke admin_0aB3dE5gH7jK9mN1p'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const revoked = await client.call('revokeAdminKey', { params: { key_id: id } });
      print(options, revoked, `${id} is revoked.\n`);
    });
  });
}
