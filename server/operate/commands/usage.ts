/** `modelgate usage …`: shows totals of calls, lists calls and charges, and shows one call and its receipt. */
import type { Command } from 'commander';
import type { Receipt } from '../../../contract/admin/usage.ts';
import { getLastDaysStart } from '../../money/period.ts';
import { activityRequest, addRebuildCommand } from './activity.ts';
import { addCommandGroup } from './admin-command.ts';
import { formatAttempt, formatRequest } from './explain-request.ts';
import { addListRequestsCommand } from './list-requests.ts';
import { parseMoment } from './parse-time.ts';
import { formatRows, formatShortTime, formatTable } from './print-result.ts';
import { addRequestCommand, createPageOptions } from './request-command.ts';

export function addUsageCommands(program: Command): void {
  const usage = addCommandGroup(program, 'usage');
  addRequestCommand(usage, 'sum', {
    description: 'show call totals for the last 30 days (default subcommand)',
    examples: ['modelgate usage --by model --from 2027-01-01 --csv', 'modelgate usage --by account --then-by model'],
    isDefault: true,
    ...activityRequest,
    send: (client, fields) => client.call('getActivity', { ...fields, from: fields.from ?? getDefaultFrom() }),
  });
  addListRequestsCommand(usage);
  addRequestCommand(usage, 'show <request>', {
    description: 'show everything about a call, by the x-request-id of its response',
    examples: ['modelgate usage show req_1aff280100214a538edcd9deebd45cab'],
    operation: 'getRequest',
    arguments: ['request_id'],
    print: formatRequest,
  });
  addListChargesCommand(usage);
  addRequestCommand(usage, 'receipt <request>', {
    description: 'show the itemized receipt of a call, by the x-request-id of its response',
    examples: ['modelgate usage receipt req_1aff280100214a538edcd9deebd45cab'],
    operation: 'getUsage',
    arguments: ['request_id'],
    print: describeReceipt,
  });
  addRebuildCommand(usage);
}

const DEFAULT_DAYS = 30;

const getDefaultFrom = (): string => new Date(getLastDaysStart(DEFAULT_DAYS, Date.now())).toISOString();

function addListChargesCommand(usage: Command): void {
  addRequestCommand(usage, 'charges <account>', {
    description: 'list the paid calls of an account in the ledger, newest first',
    examples: ['modelgate usage charges research', 'modelgate usage charges research --from 2027-01-01 --to 2027-02-01 --json'],
    operation: 'listUsage',
    arguments: ['account_id'],
    options: {
      from: ['--from <time>', 'calls from this date or time', parseMoment],
      to: ['--to <time>', 'calls before this date or time', parseMoment],
      key_id: ['--key <id>', 'only calls of this key'],
      ...createPageOptions('calls', 'request'),
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
    emptyText: 'No paid calls.\n',
  });
}

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
