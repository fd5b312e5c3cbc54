/** `modelgate limit …`: lists limits that are nearly used up or reject calls. */

import { type Command, InvalidArgumentError } from 'commander';
import type { LimitInUse } from '../../../contract/admin/limits.ts';
import { addCommandGroup } from './admin-command.ts';
import { addRequestCommand } from './request-command.ts';

export function addLimitCommands(program: Command): void {
  const limit = addCommandGroup(program, 'limit');
  addRequestCommand(limit, 'list', {
    description: 'list the limits of a running gateway that are at least half used or rejected calls in the last hour, highest usage first',
    examples: ['modelgate limit list', 'modelgate limit list --scope key --over 0.9 --url http://127.0.0.1:8081'],
    needsRunningGateway: true,
    operation: 'listLimitsInUse',
    options: {
      scope: ['--scope <scope>', 'only limits of this scope', ['key', 'account', 'group', 'model']],
      over: ['--over <share>', 'minimum usage of limits that rejected no calls, from 0 to 1 (default: 0.5)', parseShare],
    },
    print: {
      SCOPE: 'scope',
      NAME: ({ name, subject }) => name ?? subject,
      QUANTITY: 'quantity',
      USED: ({ used }) => `${Math.round(used * 100)} %`,
      LEFT: (one) => `${one.remaining} of ${one.limit}`,
      MODE: 'mode',
      'REJECTED 1 H': formatRejections,
    },
    emptyText: 'No limits are nearly reached.\n',
  });
}

function parseShare(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('Enter a number from 0 to 1.');
}

function formatRejections({ rejected_1h: calls, mode, rejected_accounts: accounts }: LimitInUse): string {
  const accountTexts = accounts.map(({ name, account_id: id, calls: own }) => `${name ?? id} ${own}`).join(', ');
  return `${calls}${mode === 'observe' && calls > 0 ? ' would have been' : ''}${accountTexts === '' ? '' : ` (${accountTexts})`}`;
}
