/** `modelgate activity` and `modelgate usage --by …`: sums of calls over time, by model, key and other dimensions. */
import type { Command } from 'commander';
import type { Activity, ActivityQuery } from '../../contract/admin/activity.ts';
import type { Receipt, Usage } from '../../contract/admin/usage.ts';
import {
  type AdminOptions,
  addAdminCommand,
  addGroup,
  describe,
  findData,
  formatTable,
  LOCATION_HELP,
  type LocationOptions,
  print,
  readConfig,
  shortTime,
  withAdmin,
  withConfigOption,
  withDataOption,
} from './administration.ts';
import { EXIT_CODE_HELP } from './serving.ts';
import { parseCount, parseMoment } from './settings.ts';

interface ActivityOptions extends AdminOptions {
  readonly from?: string;
  readonly to?: string;
  readonly bucket?: ActivityQuery['bucket'];
  readonly by?: ActivityQuery['group_by'];
  readonly thenBy?: ActivityQuery['then_by'];
  readonly account?: string;
  readonly key?: string;
  readonly model?: string;
  readonly upstream?: string;
  readonly top?: number;
  readonly csv?: boolean;
}

export function addActivity(program: Command): void {
  const activity = addGroup(program, 'activity', 'show totals of calls: requests, errors, tokens, charges, and latency');
  const command = addAdminCommand(activity, 'show', {
    description: 'show totals of calls (default subcommand)',
    isDefault: true,
    examples: ['modelgate activity --by model', 'modelgate activity --by account --then-by model --from 2027-01-01 --csv'],
  });
  withDimensions(command).action((options: ActivityOptions) => showActivity(options));
  addRebuild(activity);
}

const DIMENSIONS = 'model, upstream, operation, code, account, key, or session';

function withDimensions(command: Command): Command {
  return command
    .option('--from <time>', 'calls that ended from this date or time (default: a day before --to)', parseMoment)
    .option('--to <time>', 'calls that ended before this date or time (default: now)', parseMoment)
    .option('--bucket <length>', 'hour, day, week, or month (default: depends on the range)')
    .option('--by <dimension>', `one row per ${DIMENSIONS}`)
    .option('--then-by <dimension>', 'a second dimension')
    .option('--account <id>', 'only calls of this account')
    .option('--key <id>', 'only calls of this key')
    .option('--model <id>', 'only calls of this model')
    .option('--upstream <name>', 'only calls whose last attempt used this upstream')
    .option('--top <number>', 'maximum number of rows in addition to "other", up to 12', parseCount)
    .option('--csv', 'CSV with one row per value and bucket');
}

async function showActivity(options: ActivityOptions): Promise<void> {
  const { from, to, bucket, by, thenBy, account, key, model, upstream, top } = options;
  const query = { from, to, bucket, group_by: by, then_by: thenBy, account_id: account, key_id: key, model, upstream, top };
  await withAdmin(options, async (client) => {
    const activity = await client.call('getActivity', { query });
    if (!options.csv) return print(options, activity, activityText(activity));
    const { activityCsv } = await import('../admin/csv.ts');
    options.shell.stdout.write(activityCsv(activity));
  });
}

const headings = ['NAME', 'REQUESTS', 'ERRORS', 'REJECTED', 'INPUT', 'OUTPUT', 'CHARGED', 'P95 MS'];

function lineOf(label: string, { requests, errors, rejected, tokens, charged, total_ms: total }: Activity['total']): string[] {
  const input = tokens.input + tokens.cached_input + tokens.cache_write;
  return [label, ...[requests, errors, rejected, input, tokens.output].map(String), charged, total === null ? '-' : String(total.p95)];
}

function activityText({ series, total, from, to, complete_until: until, reconciled }: Activity): string {
  const lines = series.map((one) => lineOf(one.label, one.total));
  const table = formatTable(headings, series.length === 1 ? lines : [...lines, lineOf('total', total)]);
  const facts = describe([
    ['Range', `${from} to ${to}`],
    ['Complete until', until],
    ['Ledger', reconciled && ledgerText(reconciled)],
  ]);
  return `${table}\n${facts}`;
}

function ledgerText({ difference, until }: NonNullable<Activity['reconciled']>): string {
  const amount = difference.replace('-', '');
  const excess = difference === amount ? 'more' : 'less';
  return `${Number(amount) === 0 ? 'matches these totals' : `$${amount} ${excess} than these totals`} (compared until ${until})`;
}

export function addUsage(program: Command): void {
  const usage = addGroup(program, 'usage', 'list requests and their costs, or totals');
  const sum = addAdminCommand(usage, 'sum', {
    description: 'show totals for the last 30 days (default subcommand)',
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
        const more = list.has_more ? `More: --after ${list.last_id}\n` : '';
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
    description: 'show the itemized receipt of a request, by the x-request-id of its response',
    examples: ['modelgate usage show req_1aff280100214a538edcd9deebd45cab'],
  }).action(async (id: string, options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const receipt = await client.call('getUsage', { params: { request_id: id } });
      print(options, receipt, describeReceipt(receipt));
    });
  });
}

export const attemptText = ({ upstream, protocol, status, code, ms }: Receipt['attempts'][number]): string =>
  `${upstream} ${[protocol && `over ${protocol}`, status ?? 'no response', code].filter((part) => part !== null).join(' ')} (${ms} ms)`;

function describeReceipt(receipt: Receipt): string {
  const { lines, multiplier, subtotal, rounding, cost } = receipt;
  const unit = { million_tokens: 'million tokens', image: 'image', call: 'call' };
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

interface RebuildOptions extends LocationOptions {
  readonly from?: string;
}

const WEEK_MS = 7 * 86_400_000;

function addRebuild(activity: Command): void {
  withDataOption(withConfigOption(activity.command('rebuild')))
    .description('rebuild hourly and daily totals from the request log; safe while a gateway is running')
    .option(
      '--from <time>',
      'first day to rebuild (default: seven days ago, because rows of unknown callers are kept that long)',
      parseMoment,
    )
    .addHelpText('after', `\nExample:\n  modelgate activity rebuild --from 2027-01-01\n${LOCATION_HELP}\n${EXIT_CODE_HELP}`)
    .action(rebuild);
}

async function rebuild(options: RebuildOptions): Promise<void> {
  const { shell, from } = options;
  const now = Date.now();
  const { openOperations } = await import('../admin/operations.ts');
  const { activity, close } = await openOperations({ folder: findData(options), env: shell.env, loadConfig: () => readConfig(options) });
  try {
    const { rebuildSums } = await import('../activity/sums.ts');
    const rebuilt = await rebuildSums(activity, from === undefined ? now - WEEK_MS : Date.parse(from), now);
    const since = rebuilt.from === null ? '' : ` since ${new Date(rebuilt.from).toISOString().slice(0, 10)}`;
    shell.stdout.write(`Rebuilt the totals of ${rebuilt.days} ${rebuilt.days === 1 ? 'day' : 'days'}${since}.\n`);
  } finally {
    await close();
  }
}
