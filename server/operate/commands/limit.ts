/** `modelgate limit …`: lists limits that are nearly used up or reject calls. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LimitInUse } from '../../../contract/admin/limits.ts';
import { type AdminOptions, addAdminCommand, addCommandGroup, withRunningGateway } from './admin-command.ts';
import { formatTable, printResult } from './print-result.ts';

export function addLimitCommands(program: Command): void {
  const limit = addCommandGroup(program, 'limit', 'show which limits are in use');
  addAdminCommand(limit, 'list', {
    description: 'list the limits of a running gateway that are nearly reached or rejected calls, highest usage first',
    examples: ['modelgate limit list', 'modelgate limit list --scope key --over 0.9 --url http://127.0.0.1:8081'],
  })
    .addOption(new Option('--scope <scope>', 'only limits of this scope').choices(['key', 'account', 'group', 'model']))
    .option('--over <share>', 'only limits with at least this usage, from 0 to 1 (default: 0.5)', parseShare)
    .action(async (options: AdminOptions & { scope?: LimitInUse['scope']; over?: number }) => {
      await withRunningGateway(options, async (client) => {
        const list = await client.call('listLimitsInUse', { query: { scope: options.scope, over: options.over } });
        printResult(options, list, list.data.length === 0 ? 'No limits are nearly reached.\n' : describeLimits(list.data));
      });
    });
}

function parseShare(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('Enter a number from 0 to 1.');
}

const describeLimits = (limits: readonly LimitInUse[]): string =>
  formatTable(
    ['SCOPE', 'NAME', 'QUANTITY', 'USED', 'LEFT', 'MODE', 'REJECTED 1 H'],
    limits.map((one) => [
      one.scope,
      one.name ?? one.subject,
      one.quantity,
      `${Math.round(one.used * 100)} %`,
      `${one.remaining} of ${one.limit}`,
      one.mode,
      formatRejections(one),
    ]),
  );

const formatRejections = ({ rejected_1h: calls, mode, rejected_accounts: accounts }: LimitInUse): string => {
  const accountTexts = accounts.map(({ name, account_id: id, calls: own }) => `${name ?? id} ${own}`).join(', ');
  return `${calls}${mode === 'observe' && calls > 0 ? ' would have been' : ''}${accountTexts === '' ? '' : ` (${accountTexts})`}`;
};
