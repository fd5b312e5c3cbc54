/** `modelgate limit list`: which limits are in use, and what they refused. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LimitInUse } from '../../contract/admin/limits.ts';
import { type AdminOptions, addAdminCommand, addGroup, print, withAdmin } from './administration.ts';
import { formatTable } from './table.ts';

interface ListOptions extends AdminOptions {
  readonly scope?: LimitInUse['scope'];
  readonly over?: number;
}

export function addLimit(program: Command): void {
  const limit = addGroup(program, 'limit', 'see which limits are in use');
  addAdminCommand(limit, 'list', {
    description: 'list limits of a running gateway (--url) that are near, and those that refused, the nearest first',
    examples: [
      'modelgate limit list --url http://127.0.0.1:8081',
      'modelgate limit list --scope key --over 0.9 --url http://127.0.0.1:8081',
    ],
  })
    .addOption(new Option('--scope <scope>', 'only limits of these').choices(['key', 'account', 'group', 'model']))
    .option('--over <share>', 'leave out limits that are used less, from 0 to 1 (default: 0.5)', parseShare)
    .action(async (options: ListOptions) => {
      await withAdmin(options, async (client) => {
        const list = await client.call('listLimitsInUse', { query: { scope: options.scope, over: options.over } });
        const hint = options.url === undefined ? ' No gateway runs here: give the admin listener of one with --url.' : '';
        print(options, list, list.data.length === 0 ? `No limit is near.${hint}\n` : describeLimits(list.data));
      });
    });
}

function parseShare(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share >= 0 && share <= 1) return share;
  throw new InvalidArgumentError('It must be a number from 0 to 1.');
}

const describeLimits = (limits: readonly LimitInUse[]): string =>
  formatTable(
    ['LIMIT OF', 'NAME', 'COUNTS', 'USED', 'LEFT', 'MODE', 'REFUSED 1 H'],
    limits.map((one) => [
      one.scope,
      one.name ?? one.subject,
      one.quantity,
      `${Math.round(one.used * 100)} %`,
      `${one.remaining} of ${one.limit}`,
      one.mode,
      refusedText(one),
    ]),
  );

const refusedText = ({ refused_1h: calls, mode, refused_accounts: accounts }: LimitInUse): string => {
  const whom = accounts.map(({ name, account_id: id, calls: own }) => `${name ?? id} ${own}`).join(', ');
  return `${calls}${mode === 'observe' && calls > 0 ? ' would have been' : ''}${whom === '' ? '' : ` (${whom})`}`;
};
