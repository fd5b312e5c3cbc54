/** `modelgate session …`: lists and revokes sessions of the console. */
import type { Command } from 'commander';
import { addCommandGroup } from './admin-command.ts';
import { formatShortTime } from './print-result.ts';
import { addRequestCommand } from './request-command.ts';

export function addSessionCommands(program: Command): void {
  const session = addCommandGroup(program, 'session');
  addRequestCommand(session, 'list', {
    description: 'list active console sessions',
    examples: ['modelgate session list'],
    operation: 'listSessions',
    allPages: true,
    print: {
      ID: 'id',
      'ADMIN KEY': ({ actor, name }) => `${actor} ${name}`,
      BROWSER: 'browser',
      ADDRESS: 'address',
      SINCE: (one) => formatShortTime(one.created_at),
      UNTIL: (one) => formatShortTime(one.expires_at),
    },
    emptyText: 'No active sessions.\n',
  });
  addRequestCommand(session, 'revoke <id>', {
    description: 'end a console session immediately',
    examples: ['modelgate session revoke sess_4f1d2c3b4a5948378695a4b3'],
    operation: 'revokeSession',
    arguments: ['session_id'],
    print: (_, { session_id: id }) => `${id} has ended.\n`,
  });
}
