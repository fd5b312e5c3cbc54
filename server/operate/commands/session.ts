/** `modelgate session …`: lists and revokes sessions of the console. */
import type { Command } from 'commander';
import { listAllPages } from './admin-client.ts';
import { type AdminOptions, addAdminCommand, addCommandGroup, withAdmin } from './admin-command.ts';
import { formatShortTime, formatTable, printResult } from './print-result.ts';

export function addSessionCommands(program: Command): void {
  const session = addCommandGroup(program, 'session', 'list and revoke console sessions');
  addListCommand(session);
  addRevokeCommand(session);
}

function addListCommand(session: Command): void {
  addAdminCommand(session, 'list', {
    description: 'list active console sessions',
    examples: ['modelgate session list'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await listAllPages(client, 'listSessions', {});
      const rows = list.data.map(({ id, actor, name, created_at: created, expires_at: expires }) => [
        id,
        `${actor} ${name}`,
        formatShortTime(created),
        formatShortTime(expires),
      ]);
      printResult(options, list, rows.length === 0 ? 'No active sessions.\n' : formatTable(['ID', 'ADMIN KEY', 'SINCE', 'UNTIL'], rows));
    });
  });
}

function addRevokeCommand(session: Command): void {
  addAdminCommand(session, 'revoke <id>', {
    description: 'end a console session immediately',
    examples: ['modelgate session revoke sess_4f1d2c3b4a5948378695a4b3'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const result = await client.call('revokeSession', { params: { session_id: id } });
      printResult(options, result, `${id} has ended.\n`);
    });
  });
}
