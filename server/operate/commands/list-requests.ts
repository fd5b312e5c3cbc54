/** `modelgate usage list`: lists calls that ended, rejected ones included. */
import type { Command } from 'commander';
import type { LoggedRequest } from '../../../contract/admin/requests.ts';
import { parseCount, parseDollars } from './option-values.ts';
import { parseMoment } from './parse-time.ts';
import { addRequestCommand, createPageOptions } from './request-command.ts';

export function addListRequestsCommand(usage: Command): void {
  addRequestCommand(usage, 'list', {
    description: 'list ended calls of up to 31 days, newest first',
    examples: ['modelgate usage list --outcome rejected', 'modelgate usage list --key key_0aB3dE5gH7jK9mN1p --outcome failed --csv'],
    operation: 'listRequests',
    options: {
      from: ['--from <time>', 'calls that ended from this date or time', parseMoment],
      to: ['--to <time>', 'calls that ended before this date or time', parseMoment],
      account_id: ['--account <id>', 'only calls of this account'],
      key_id: ['--key <id>', 'only calls of this key'],
      model: ['--model <id>', 'only calls to this model'],
      operation: ['--operation <name>', 'only calls of this operation, such as createResponse'],
      upstream: ['--upstream <name>', 'only calls whose last attempt used this upstream'],
      end_user: ['--end-user <id>', 'only calls of this end user'],
      tag: ['--tag <value>', 'only calls with this value of the header activity.tagHeader'],
      status: ['--status <status>', 'only responses with this HTTP status', parseCount],
      code: ['--code <code>', 'only responses with this error code'],
      outcome: ['--outcome <outcome>', 'completed, incomplete, rejected, failed, or client_disconnected'],
      slower_than: ['--slower-than <milliseconds>', 'only calls that took longer than this', parseCount],
      costs_over: ['--costs-over <dollars>', 'only calls that were charged more than this', parseDollars],
      ...createPageOptions('calls', 'request'),
    },
    print: {
      REQUEST: 'request_id',
      TIME: ({ at }) => at.slice(0, 19),
      STATUS: 'status',
      MODEL: 'model',
      KEY: 'key_id',
      UPSTREAM: 'upstream',
      MS: 'total_ms',
      INPUT: ({ tokens }) => String(tokens.input + tokens.cached_input + tokens.cache_write),
      OUTPUT: ({ tokens }) => String(tokens.output),
      CHARGED: 'charged',
      CODE: formatCode,
    },
    emptyText: 'No calls.\n',
    csv: {
      description: 'print all calls as CSV, ignoring --limit',
      async format({ data }) {
        const { formatCsvLine, requestHeadings, formatRequestLine } = await import('../../api/admin/csv.ts');
        return [formatCsvLine(requestHeadings), ...data.map(formatRequestLine)].join('');
      },
    },
  });
}

const formatCode = ({ code, repeats }: LoggedRequest): string =>
  code === null ? '-' : `${code}${repeats > 0 ? ` (and ${repeats} more like it)` : ''}`;
