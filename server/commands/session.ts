/** `modelgate session …`: who is signed in at the console, and how to end that. */
import type { Command } from 'commander';
import { type AdminOptions, addAdminCommand, addGroup, callAll, print, shortTime, withAdmin } from './administration.ts';
import { formatTable } from './table.ts';

export function addSession(program: Command): void {
  const session = addGroup(program, 'session', 'list and revoke sessions of the console');
  addList(session);
  addRevoke(session);
}

function addList(session: Command): void {
  addAdminCommand(session, 'list', {
    description: 'list sessions of the console that have not ended',
    examples: ['modelgate session list'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const list = await callAll(client, 'listSessions', {});
      const rows = list.data.map(({ id, actor, name, created_at: created, expires_at: expires }) => [
        id,
        `${actor} ${name}`,
        shortTime(created),
        shortTime(expires),
      ]);
      print(options, list, rows.length === 0 ? 'Nobody is signed in.\n' : formatTable(['ID', 'ADMIN KEY', 'SINCE', 'UNTIL'], rows));
    });
  });
}

function addRevoke(session: Command): void {
  addAdminCommand(session, 'revoke <id>', {
    description: 'end a session of the console, at once',
    examples: ['modelgate session revoke sess_4f1d2c3b4a5948378695a4b3'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const ended = await client.call('revokeSession', { params: { session_id: id } });
      print(options, ended, `${id} has ended.\n`);
    });
  });
}
