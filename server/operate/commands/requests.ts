/** `modelgate requests …`: lists calls that ended, rejected ones included, and shows everything known about one. */
import type { Command } from 'commander';
import type { LoggedRequest } from '../../../contract/admin/requests.ts';
import { listAllPages } from './admin-client.ts';
import { type AdminOptions, addAdminCommand, addCommandGroup, withAdmin } from './admin-command.ts';
import { explainRequest } from './explain-request.ts';
import { parseCount, parseDollars } from './option-values.ts';
import { parseMoment } from './parse-time.ts';
import { formatTable, printResult } from './print-result.ts';

export function addRequestCommands(program: Command): void {
  const requests = addCommandGroup(program, 'requests', 'list completed calls, including rejected ones');
  addListCommand(requests);
  addAdminCommand(requests, 'show <request>', {
    description: 'show everything about a request, by the x-request-id of its response',
    examples: ['modelgate requests show req_1aff280100214a538edcd9deebd45cab'],
  }).action((id: string, options: AdminOptions) => explainRequest(id, options));
}

interface ListOptions extends AdminOptions {
  readonly from?: string;
  readonly to?: string;
  readonly account?: string;
  readonly key?: string;
  readonly model?: string;
  readonly operation?: string;
  readonly upstream?: string;
  readonly status?: number;
  readonly code?: string;
  readonly outcome?: LoggedRequest['outcome'];
  readonly slowerThan?: number;
  readonly costsOver?: string;
  readonly limit: number;
  readonly after?: string;
  readonly csv?: boolean;
}

function addListCommand(requests: Command): void {
  addAdminCommand(requests, 'list', {
    description: 'list completed calls of up to 31 days, newest first',
    examples: ['modelgate requests list --outcome rejected', 'modelgate requests list --key key_0aB3dE5gH7jK9mN1p --from 2027-01-31 --csv'],
  })
    .option('--from <time>', 'calls that ended from this date or time', parseMoment)
    .option('--to <time>', 'calls that ended before this date or time', parseMoment)
    .option('--account <id>', 'only calls of this account')
    .option('--key <id>', 'only calls of this key')
    .option('--model <id>', 'only calls of this model')
    .option('--operation <name>', 'only calls of this operation, such as createResponse')
    .option('--upstream <name>', 'only calls whose last attempt used this upstream')
    .option('--status <status>', 'only responses with this HTTP status', parseCount)
    .option('--code <code>', 'only responses with this error code')
    .option('--outcome <outcome>', 'completed, incomplete, rejected, failed, or client_disconnected')
    .option('--slower-than <milliseconds>', 'only calls that took longer than this', parseCount)
    .option('--costs-over <dollars>', 'only calls that were charged more than this', parseDollars)
    .option('--limit <number>', 'maximum number of calls', parseCount, 100)
    .option('--after <id>', 'continue after this request')
    .option('--csv', 'all calls as CSV, ignoring --limit')
    .action((options: ListOptions) => withAdmin(options, (client) => listRequests(client, options)));
}

type Client = Parameters<Parameters<typeof withAdmin>[1]>[0];

async function listRequests(client: Client, options: ListOptions): Promise<void> {
  const { from, to, account, key, model, operation, upstream, status, code, outcome, slowerThan, costsOver, limit, after } = options;
  const filters = { from, to, account_id: account, key_id: key, model, operation, upstream, status, code, outcome };
  const query = { ...filters, slower_than: slowerThan, costs_over: costsOver };
  if (options.csv) {
    const { formatCsvLine, requestHeadings, formatRequestLine } = await import('../../api/admin/csv.ts');
    const { data } = await listAllPages(client, 'listRequests', { query });
    return void options.shell.stdout.write([formatCsvLine(requestHeadings), ...data.map(formatRequestLine)].join(''));
  }
  const page = await client.call('listRequests', { query: { ...query, limit, after } });
  const nextPageHint = page.has_more ? `More: --after ${page.last_id}\n` : '';
  printResult(options, page, page.data.length === 0 ? 'No calls.\n' : formatTable(headings, page.data.map(toRequestRow)) + nextPageHint);
}

const headings = ['REQUEST', 'TIME', 'STATUS', 'MODEL', 'KEY', 'UPSTREAM', 'MS', 'INPUT', 'OUTPUT', 'CHARGED', 'CODE'];

function toRequestRow({
  request_id: id,
  at,
  status,
  model,
  key_id: key,
  upstream,
  total_ms: ms,
  tokens,
  charged,
  code,
  repeats,
}: LoggedRequest): string[] {
  const input = tokens.input + tokens.cached_input + tokens.cache_write;
  const codeText = code === null ? '-' : `${code}${repeats > 0 ? ` (and ${repeats} more like it)` : ''}`;
  return [
    id,
    at.slice(0, 19),
    String(status),
    model ?? '-',
    key ?? '-',
    upstream ?? '-',
    String(ms),
    String(input),
    String(tokens.output),
    charged ?? '-',
    codeText,
  ];
}
