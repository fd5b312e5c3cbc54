/** `modelgate usage …`: lists requests and their costs, and shows the receipt of one request. */
import type { Command } from 'commander';
import type { Receipt, Usage } from '../../contract/admin/usage.ts';
import { showActivity, withDimensions } from './activity.ts';
import { type AdminOptions, addAdminCommand, addGroup, describe, print, shortTime, withAdmin } from './administration.ts';
import { parseCount, parseMoment } from './settings.ts';
import { formatTable } from './table.ts';

export function addUsage(program: Command): void {
  const usage = addGroup(program, 'usage', 'list requests and their costs, or sums of them');
  const sum = addAdminCommand(usage, 'sum', {
    description: 'show sums of the last 30 days; what usage does without a subcommand',
    examples: ['modelgate usage --by model --from 2027-01-01 --csv'],
    isDefault: true,
  });
  withDimensions(sum).action((options: AdminOptions & { readonly from?: string }) =>
    showActivity({ ...options, from: options.from ?? monthAgo() }),
  );
  addList(usage);
  addShow(usage);
}

const MONTH_MS = 30 * 86_400_000;
const monthAgo = (): string => new Date(Date.now() - MONTH_MS).toISOString();

interface ListOptions extends AdminOptions {
  readonly from?: string;
  readonly to?: string;
  readonly key?: string;
  readonly limit: number;
  readonly after?: string;
}

function addList(usage: Command): void {
  addAdminCommand(usage, 'list <account>', {
    description: 'list paid requests of an account, newest first',
    examples: ['modelgate usage list research', 'modelgate usage list research --from 2027-01-01 --to 2027-02-01 --json'],
  })
    .option('--from <time>', 'requests from this date or time on', parseMoment)
    .option('--to <time>', 'requests before this date or time', parseMoment)
    .option('--key <id>', 'only those of this key')
    .option('--limit <number>', 'the most requests to list', parseCount, 100)
    .option('--after <id>', 'continue after this request')
    .action(async (account: string, options: ListOptions) => {
      const { from, to, key, limit, after } = options;
      await withAdmin(options, async (client) => {
        const query = { from, to, key_id: key, limit, after };
        const list = await client.call('listUsage', { params: { account_id: account }, query });
        const more = list.has_more ? `There is more: --after ${list.last_id}\n` : '';
        const none = 'No paid requests.\n';
        print(options, list, list.data.length === 0 ? none : formatTable(listHeadings, list.data.map(listRow)) + more);
      });
    });
}

const listHeadings = ['REQUEST', 'TIME', 'MODEL', 'STATE', 'INPUT', 'OUTPUT', 'CHARGED', 'PAID FROM'];

function listRow({ request_id: id, created_at: at, model, state, tokens, charged, source, estimated }: Usage): string[] {
  const input = tokens ? String(tokens.input + tokens.cached_input + tokens.cache_write) : '-';
  const output = tokens ? `${tokens.output}${estimated ? ' (estimated)' : ''}` : '-';
  return [id, shortTime(at), model, state, input, output, charged, source];
}

function addShow(usage: Command): void {
  addAdminCommand(usage, 'show <request>', {
    description: 'show the itemised receipt of a request, by the x-request-id of its answer',
    examples: ['modelgate usage show req_1aff280100214a538edcd9deebd45cab'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const receipt = await client.call('getUsage', { params: { request_id: id } });
      print(options, receipt, describeReceipt(receipt));
    });
  });
}

export const attemptText = ({ upstream, status, code, ms }: Receipt['attempts'][number]): string =>
  `${upstream} ${[status ?? 'no answer', code].filter((part) => part !== null).join(' ')} (${ms} ms)`;

function describeReceipt(receipt: Receipt): string {
  const { lines, multiplier, subtotal, rounding, cost } = receipt;
  const unit = { million_tokens: 'million tokens', picture: 'picture', call: 'call' };
  const rows = lines.map((line) => [line.class, String(line.quantity), `${line.price} per ${unit[line.per]}`, line.amount]);
  const head = describe([
    ['Request', receipt.request_id],
    ['Key', receipt.key_id],
    ['Model', receipt.model],
    ['Operation', receipt.operation],
    ['State', `${receipt.state}${receipt.outcome === null ? '' : `, ${receipt.outcome}`}`],
    ['Time', receipt.created_at],
    ['Prices', `version ${receipt.price_version}${receipt.price_list === null ? '' : ` of ${receipt.price_list}`}`],
    ['Held', receipt.held],
    ['Attempts', receipt.attempts.map(attemptText).join(', ') || null],
  ]);
  const sum = describe([
    ['Subtotal', subtotal],
    ['× multiplier', multiplier],
    ['+ rounding', rounding],
    ['Cost', cost],
    ['Charged', `${receipt.charged}${receipt.estimated ? ', tokens estimated' : ''}`],
    ['Overrun', receipt.overrun === '0.000000' ? null : receipt.overrun],
  ]);
  return `${head}\n${rows.length === 0 ? '' : `${formatTable(['CLASS', 'QUANTITY', 'PRICE', 'AMOUNT'], rows)}\n`}${sum}`;
}
