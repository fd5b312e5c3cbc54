/** `modelgate requests …`: lists calls that ended, rejected ones included, and shows all that is known of one. */
import type { Command } from 'commander';
import type { Explanation } from '../../contract/admin/explanations.ts';
import type { GrantedOperation } from '../../contract/admin/fields.ts';
import type { Check, ExplainedRequest, LoggedRequest } from '../../contract/admin/requests.ts';
import { attemptText } from './activity.ts';
import {
  type AdminOptions,
  addAdminCommand,
  addGroup,
  callAll,
  describe,
  formatTable,
  print,
  shortTime,
  withAdmin,
} from './administration.ts';
import { priceText } from './price.ts';
import { parseCount, parseDollars, parseMoment } from './settings.ts';

export function addRequests(program: Command): void {
  const requests = addGroup(program, 'requests', 'list completed calls, including rejected ones');
  addList(requests);
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

function addList(requests: Command): void {
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
  const more = page.has_more ? `More: --after ${page.last_id}\n` : '';
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

interface ExplainOptions extends AdminOptions {
  readonly operation?: string;
  readonly request?: string;
}

export function addExplain(program: Command): void {
  addAdminCommand(program, 'explain [key] [model]', {
    description: 'show whether a key (or key ID) can call a model and which rule decides, or the result of a request',
    examples: [
      'modelgate explain key_0aB3dE5gH7jK9mN1p gpt-5.4',
      'modelgate explain key_0aB3dE5gH7jK9mN1p gpt-5.4 --url http://127.0.0.1:8081   # with the current state of each limit',
      'modelgate explain --request req_019b3a5c7e0f214a538edcd9deebd45c',
    ],
  })
    .option('--operation <name>', 'one operation, such as createResponse (default: any)')
    .option('--request <id>', `x-request-id of a response, instead of a key and a model. ${KEPT_HELP}`)
    .action(async (key: string | undefined, model: string | undefined, options: ExplainOptions, command: Command) => {
      if (options.request !== undefined && key === undefined) return await explainRequest(options.request, options);
      if (options.request !== undefined) return command.error('error: specify a key and a model, or a request, not both');
      if (key === undefined || model === undefined) return command.error('error: specify a key and a model, or a request with --request');
      // The API rejects an unknown operation, and lists the known ones.
      const operation = options.operation as GrantedOperation | undefined;
      await withAdmin(options, async (client) => {
        const explained = await client.call('explain', { body: { key, model, operation } });
        print(options, explained, explanationText(explained));
      });
    });
}

function explanationText(explained: Explanation): string {
  const { allowed, rule, reason, code, key, group, model, operations, limits } = explained;
  const verdict = allowed ? 'yes' : `no: ${reason}`;
  const rows = limits.map((one) => [
    one.scope,
    one.quantity,
    String(one.limit),
    one.mode,
    one.remaining === null ? '-' : String(one.remaining),
  ]);
  return [
    describe([
      ['Allowed', verdict],
      ['Rule', rule],
      ['Error code', code],
      ['Key', key && `${key.id} "${key.name}", ${key.state}`],
      ['Account', key && `${key.account.name}, group ${group}`],
      ['Model', model && `${model.id}, ${model.kind}, for groups ${model.groups.join(', ')}`],
      ['Operations', operations.length > 0 ? operations.join(', ') : null],
      ...moneyRows(explained),
      ['Output limit', outputText(explained)],
    ]),
    ...(rows.length === 0 ? [] : [formatTable(['LIMIT OF', 'QUANTITY', 'LIMIT', 'MODE', 'LEFT'], rows)]),
  ].join('\n');
}

function moneyRows({ price, balance, spending_cap: cap, subscription }: Explanation): [string, string | null | undefined][] {
  return [
    [
      'Price',
      price &&
        `${priceText(price.prices)} (${price.price_list}, ${price.version === null ? 'not active yet' : `version ${price.version}`})`,
    ],
    ['× multiplier', price && `${price.multiplier}${effectiveText(price)}`],
    ['Balance', balance && `${balance.balance}, available ${balance.available}`],
    ['Cap left', cap && `${cap.left} of ${cap.cap.amount}${cap.resets_at === null ? '' : `, resets ${shortTime(cap.resets_at)}`}`],
    [
      'Subscription',
      subscription &&
        `${subscription.plan}: ${subscription.left} of ${subscription.included} left, resets ${shortTime(subscription.resets_at)}`,
    ],
  ];
}

function outputText({ output_limit: given, highest_output_limit: highest }: Explanation): string | null {
  const said = [
    ...(given === null ? [] : [`${given} tokens if the call doesn't set one`]),
    ...(highest === null ? [] : [`up to ${highest} if it does`]),
  ];
  return said.length > 0 ? said.join(', ') : null;
}

function effectiveText({ effective }: NonNullable<Explanation['price']>): string {
  const rates = Object.entries(effective).map(([name, rate]) => `${name} ${rate}`);
  return rates.length === 0 ? '' : `: ${rates.join(', ')}`;
}

const KEPT_HELP = 'Requests are kept for 30 days (activity.days in the configuration), and charges permanently';

async function explainRequest(id: string, options: AdminOptions): Promise<void> {
  await withAdmin(options, async (client) => {
    const explained = await client.call('getRequest', { params: { request_id: id } });
    print(options, explained, requestText(explained));
  });
}

function requestText({ request_id: id, request, error, usage, ...explained }: ExplainedRequest): string {
  const failed = explained.checks.find(({ result }) => result === 'rejected');
  return describe([
    ['Request', id],
    ['Time', error?.created_at ?? usage?.created_at ?? request?.at],
    ['Status', statusText(request, error)],
    ['Message', error?.message],
    ['Field', error?.param],
    ['Rejected by', failed && ruleText(failed)],
    ['Operation', error?.operation ?? usage?.operation ?? request?.operation],
    ['Model', error?.model ?? usage?.model ?? request?.model],
    ['Account', error?.account_id ?? usage?.account_id ?? request?.account_id],
    ['Key', error?.key_id ?? usage?.key_id ?? request?.key_id],
    ['Attempts', explained.attempts.map(attemptText).join(', ') || null],
    ['Duration', request && timeText(request)],
    ['Ignored fields', explained.ignored.join(', ') || null],
    ['Ledger', explained.entries.map(({ book, amount }) => `${book} ${amount}`).join(', ') || null],
    ['Charge', usage && `${usage.state}${usage.outcome === null ? '' : `, ${usage.outcome}`}: ${usage.charged} of ${usage.held} held`],
  ]);
}

function statusText(request: ExplainedRequest['request'], error: ExplainedRequest['error']): string | null {
  if (error) return `${error.status} ${error.code}${error.status === 200 ? ', in the stream' : ''}`;
  return request && `${request.status} ${request.outcome}`;
}

const ruleText = ({ rule, scope, limit }: Check): string =>
  [rule, scope && `per ${scope}`, limit !== null && `limit ${limit}`].filter(Boolean).join(', ');

const timeText = ({ first_ms: first, total_ms: total }: LoggedRequest): string =>
  first === null ? `${total} ms` : `${total} ms, time to first event ${first} ms`;
