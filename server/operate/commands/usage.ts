/** `modelgate usage …`: lists requests and their costs, and shows receipts and the totals of the last 30 days. */
import type { Command } from 'commander';
import type { Receipt, Usage } from '../../../contract/admin/usage.ts';
import { getLastDaysStart } from '../../money/period.ts';
import { addDimensionOptions, showActivity } from './activity.ts';
import { type AdminOptions, addAdminCommand, addCommandGroup, withAdmin } from './admin-command.ts';
import { parseCount } from './option-values.ts';
import { parseMoment } from './parse-time.ts';
import { formatRows, formatShortTime, formatTable, printResult } from './print-result.ts';

export function addUsageCommands(program: Command): void {
  const usage = addCommandGroup(program, 'usage', 'list requests and their costs, or totals');
  const sumCommand = addAdminCommand(usage, 'sum', {
    description: 'show totals for the last 30 days (default subcommand)',
    examples: ['modelgate usage --by model --from 2027-01-01 --csv'],
    isDefault: true,
  });
  addDimensionOptions(sumCommand).action((options: AdminOptions & { readonly from?: string }) =>
    showActivity({ ...options, from: options.from ?? getDefaultFrom() }),
  );
  addListCommand(usage);
  addShowCommand(usage);
}

const DEFAULT_DAYS = 30;

const getDefaultFrom = (): string => new Date(getLastDaysStart(DEFAULT_DAYS, Date.now())).toISOString();

interface ListOptions extends AdminOptions {
  readonly from?: string;
  readonly to?: string;
  readonly key?: string;
  readonly limit: number;
  readonly after?: string;
}

function addListCommand(usage: Command): void {
  addAdminCommand(usage, 'list <account>', {
    description: 'list the paid requests of an account, newest first',
    examples: ['modelgate usage list research', 'modelgate usage list research --from 2027-01-01 --to 2027-02-01 --json'],
  })
    .option('--from <time>', 'requests from this date or time', parseMoment)
    .option('--to <time>', 'requests before this date or time', parseMoment)
    .option('--key <id>', 'only requests of this key')
    .option('--limit <number>', 'maximum number of requests', parseCount, 100)
    .option('--after <id>', 'continue after this request')
    .action(async (account: string, options: ListOptions) => {
      const { from, to, key, limit, after } = options;
      await withAdmin(options, async (client) => {
        const query = { from, to, key_id: key, limit, after };
        const list = await client.call('listUsage', { params: { account_id: account }, query });
        const nextPageHint = list.has_more ? `More: --after ${list.last_id}\n` : '';
        const emptyText = 'No paid requests.\n';
        printResult(options, list, list.data.length === 0 ? emptyText : formatTable(listHeadings, list.data.map(toListRow)) + nextPageHint);
      });
    });
}

const listHeadings = ['REQUEST', 'TIME', 'MODEL', 'STATE', 'INPUT', 'OUTPUT', 'CHARGED', 'PAID FROM'];

function toListRow({ request_id: id, created_at: at, model, state, tokens, charged, source, estimated }: Usage): string[] {
  const input = tokens ? String(tokens.input + tokens.cached_input + tokens.cache_write) : '-';
  const output = tokens ? `${tokens.output}${estimated ? ' (estimated)' : ''}` : '-';
  return [id, formatShortTime(at), model, state, input, output, charged, source];
}

function addShowCommand(usage: Command): void {
  addAdminCommand(usage, 'show <request>', {
    description: 'show the itemized receipt of a request, by the x-request-id of its response',
    examples: ['modelgate usage show req_1aff280100214a538edcd9deebd45cab'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const receipt = await client.call('getUsage', { params: { request_id: id } });
      printResult(options, receipt, describeReceipt(receipt));
    });
  });
}

export const formatAttempt = ({ upstream, protocol, status, code, ms }: Receipt['attempts'][number]): string =>
  `${upstream} ${[protocol && `over ${protocol}`, status ?? 'no response', code].filter((part) => part !== null).join(' ')} (${ms} ms)`;

function describeReceipt(receipt: Receipt): string {
  const { lines, multiplier, subtotal, rounding, cost } = receipt;
  const unit = { million_tokens: 'million tokens', image: 'image', call: 'call' };
  const rows = lines.map((line) => [line.class, String(line.quantity), `${line.price} per ${unit[line.per]}`, line.amount]);
  const details = formatRows([
    ['Request', receipt.request_id],
    ['Key', receipt.key_id],
    ['Model', receipt.model],
    ['Operation', receipt.operation],
    ['State', `${receipt.state}${receipt.outcome === null ? '' : `, ${receipt.outcome}`}`],
    ['Time', receipt.created_at],
    ['Prices', `version ${receipt.price_version}${receipt.price_list === null ? '' : ` of ${receipt.price_list}`}`],
    ['Held', receipt.held],
    ['Attempts', receipt.attempts.map(formatAttempt).join(', ') || null],
  ]);
  const totals = formatRows([
    ['Subtotal', subtotal],
    ['× multiplier', multiplier],
    ['+ rounding', rounding],
    ['Cost', cost],
    ['Charged', `${receipt.charged}${receipt.estimated ? ', tokens estimated' : ''}`],
    ['Overrun', receipt.overrun === '0.000000' ? null : receipt.overrun],
  ]);
  return `${details}\n${rows.length === 0 ? '' : `${formatTable(['CLASS', 'QUANTITY', 'PRICE', 'AMOUNT'], rows)}\n`}${totals}`;
}
