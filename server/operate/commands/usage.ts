/** `modelgate usage …`: lists requests and their costs, and shows receipts and the totals of the last 30 days. */
import type { Command } from 'commander';
import type { Receipt } from '../../../contract/admin/usage.ts';
import { getLastDaysStart } from '../../money/period.ts';
import { activityRequest } from './activity.ts';
import { addCommandGroup } from './admin-command.ts';
import { parseMoment } from './parse-time.ts';
import { formatRows, formatShortTime, formatTable } from './print-result.ts';
import { addRequestCommand, createPageOptions } from './request-command.ts';

export function addUsageCommands(program: Command): void {
  const usage = addCommandGroup(program, 'usage', 'list requests and their costs, or totals');
  addRequestCommand(usage, 'sum', {
    description: 'show totals for the last 30 days (default subcommand)',
    examples: ['modelgate usage --by model --from 2027-01-01 --csv'],
    isDefault: true,
    ...activityRequest,
    send: (client, fields) => client.call('getActivity', { ...fields, from: fields.from ?? getDefaultFrom() }),
  });
  addListCommand(usage);
  addRequestCommand(usage, 'show <request>', {
    description: 'show the itemized receipt of a request, by the x-request-id of its response',
    examples: ['modelgate usage show req_1aff280100214a538edcd9deebd45cab'],
    operation: 'getUsage',
    arguments: ['request_id'],
    print: describeReceipt,
  });
}

const DEFAULT_DAYS = 30;

const getDefaultFrom = (): string => new Date(getLastDaysStart(DEFAULT_DAYS, Date.now())).toISOString();

function addListCommand(usage: Command): void {
  addRequestCommand(usage, 'list <account>', {
    description: 'list the paid requests of an account, newest first',
    examples: ['modelgate usage list research', 'modelgate usage list research --from 2027-01-01 --to 2027-02-01 --json'],
    operation: 'listUsage',
    arguments: ['account_id'],
    options: {
      from: ['--from <time>', 'requests from this date or time', parseMoment],
      to: ['--to <time>', 'requests before this date or time', parseMoment],
      key_id: ['--key <id>', 'only requests of this key'],
      ...createPageOptions('requests', 'request'),
    },
    print: {
      REQUEST: 'request_id',
      TIME: (one) => formatShortTime(one.created_at),
      MODEL: 'model',
      STATE: 'state',
      INPUT: ({ tokens }) => (tokens ? String(tokens.input + tokens.cached_input + tokens.cache_write) : '-'),
      OUTPUT: ({ tokens, estimated }) => (tokens ? `${tokens.output}${estimated ? ' (estimated)' : ''}` : '-'),
      CHARGED: 'charged',
      'PAID FROM': 'source',
    },
    emptyText: 'No paid requests.\n',
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
