/** `modelgate usage …`: shows totals of calls, lists calls and charges, and shows one call and its receipt. */
import type { Command } from 'commander';
import type { Receipt } from '../../../contract/admin/usage.ts';
import { getLastDaysStart } from '../../money/period.ts';
import { activityRequest, addRebuildCommand } from './activity.ts';
import { type AdminClient, type Input, type Output, RejectedCall } from './admin-client.ts';
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
    examples: ['modelgate usage --by model --from 2026-01-01 --csv', 'modelgate usage --by account --then-by model'],
    isDefault: true,
    ...activityRequest,
    send: getTotals,
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

/** The default ranges, longest first. Some dimensions allow only the shorter ones. */
const DEFAULT_RANGES_DAYS = [30, 7];

async function getTotals(client: AdminClient, fields: Input<'getActivity'>): Promise<Output<'getActivity'>> {
  if (fields.from !== undefined) return client.call('getActivity', fields);
  const to = fields.to === undefined ? Date.now() : Date.parse(fields.to);
  for (const days of DEFAULT_RANGES_DAYS) {
    const from = new Date(getLastDaysStart(days, to)).toISOString();
    try {
      return await client.call('getActivity', { ...fields, from });
    } catch (error) {
      if (!(error instanceof RejectedCall) || !RANGE_FIELDS.includes(error.param)) throw error;
    }
  }
  // The API's own default, the last 24 hours before `to`, is the shortest range.
  return client.call('getActivity', fields);
}

/** The fields that the API names when a range is too long. */
const RANGE_FIELDS: readonly unknown[] = ['from', 'bucket'];

function addListChargesCommand(usage: Command): void {
  addRequestCommand(usage, 'charges <account>', {
    description: 'list the paid calls of an account in the ledger, newest first',
    examples: ['modelgate usage charges research', 'modelgate usage charges research --from 2026-01-01 --to 2026-02-01 --json'],
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
