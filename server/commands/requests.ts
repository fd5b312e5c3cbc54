/** `modelgate requests …`: lists calls that ended, refused ones included, and shows all that is known of one. */
import type { Command } from 'commander';
import type { LoggedRequest } from '../../contract/admin/requests.ts';
import { type AdminOptions, addAdminCommand, addGroup, callAll, print, withAdmin } from './administration.ts';
import { explainRequest } from './explain-request.ts';
import { parseCount, parseDollars, parseMoment } from './settings.ts';
import { formatTable } from './table.ts';

export function addRequests(program: Command): void {
  const requests = addGroup(program, 'requests', 'list calls that ended, refused ones included');
  addList(requests);
  addAdminCommand(requests, 'show <request>', {
    description: 'show all that is known of a request, by the x-request-id of its answer',
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

function addList(requests: Command): void {
  addAdminCommand(requests, 'list', {
    description: 'list calls that ended, newest first, of the last 31 days at most',
    examples: ['modelgate requests list --outcome refused', 'modelgate requests list --key key_0aB3dE5gH7jK9mN1p --from 2027-01-31 --csv'],
  })
    .option('--from <time>', 'calls that ended from this date or time on', parseMoment)
    .option('--to <time>', 'calls that ended before this date or time', parseMoment)
    .option('--account <id>', 'only calls of this account')
    .option('--key <id>', 'only calls of this key')
    .option('--model <id>', 'only calls of this model')
    .option('--operation <name>', 'only calls of this operation, such as createResponse')
    .option('--upstream <name>', 'only calls whose last attempt was at this upstream')
    .option('--status <status>', 'only answers with this HTTP status', parseCount)
    .option('--code <code>', 'only answers with this error code')
    .option('--outcome <outcome>', 'completed, incomplete, refused, failed or client_gone')
    .option('--slower-than <milliseconds>', 'only calls that took longer', parseCount)
    .option('--costs-over <dollars>', 'only calls that were charged more', parseDollars)
    .option('--limit <number>', 'the most calls to list', parseCount, 100)
    .option('--after <id>', 'continue after this request')
    .option('--csv', 'for spreadsheets: all calls as CSV, without --limit')
    .action((options: ListOptions) => withAdmin(options, (client) => list(client, options)));
}

type Client = Parameters<Parameters<typeof withAdmin>[1]>[0];

async function list(client: Client, options: ListOptions): Promise<void> {
  const { from, to, account, key, model, operation, upstream, status, code, outcome, slowerThan, costsOver, limit, after } = options;
  const filters = { from, to, account_id: account, key_id: key, model, operation, upstream, status, code, outcome };
  const query = { ...filters, slower_than: slowerThan, costs_over: costsOver };
  if (options.csv) {
    const { csvLine, requestHeadings, requestLine } = await import('../admin/csv.ts');
    const { data } = await callAll(client, 'listRequests', { query });
    return void options.shell.stdout.write([csvLine(requestHeadings), ...data.map(requestLine)].join(''));
  }
  const page = await client.call('listRequests', { query: { ...query, limit, after } });
  const more = page.has_more ? `There is more: --after ${page.last_id}\n` : '';
  print(options, page, page.data.length === 0 ? 'No calls.\n' : formatTable(headings, page.data.map(lineOf)) + more);
}

const headings = ['REQUEST', 'TIME', 'STATUS', 'MODEL', 'KEY', 'UPSTREAM', 'MS', 'INPUT', 'OUTPUT', 'CHARGED', 'CODE'];

function lineOf({
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
  const why = code === null ? '-' : `${code}${repeats > 0 ? ` (and ${repeats} more like it)` : ''}`;
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
    why,
  ];
}
