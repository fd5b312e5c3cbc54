/** `modelgate activity` and `modelgate usage --by …`: sums of calls over time, by model, key and other dimensions. */
import type { Command } from 'commander';
import type { Activity, ActivityQuery } from '../../contract/admin/activity.ts';
import { addRebuild } from './activity-rebuild.ts';
import { type AdminOptions, addAdminCommand, addGroup, describe, print, withAdmin } from './administration.ts';
import { parseCount, parseMoment } from './settings.ts';
import { formatTable } from './table.ts';

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
  const activity = addGroup(program, 'activity', 'show sums of calls: requests, errors, tokens, charges and times');
  const command = addAdminCommand(activity, 'show', {
    description: 'show sums of calls; what activity does without a subcommand',
    isDefault: true,
    examples: ['modelgate activity --by model', 'modelgate activity --by account --then-by model --from 2027-01-01 --csv'],
  });
  withDimensions(command).action((options: ActivityOptions) => showActivity(options));
  addRebuild(activity);
}

const DIMENSIONS = 'model, upstream, operation, code, account or key';

export function withDimensions(command: Command): Command {
  return command
    .option('--from <time>', 'calls that ended from this date or time on (default: a day before --to)', parseMoment)
    .option('--to <time>', 'calls that ended before this date or time (default: now)', parseMoment)
    .option('--bucket <length>', 'hour, day, week or month (default: one that suits the range)')
    .option('--by <dimension>', `a line for each ${DIMENSIONS}`)
    .option('--then-by <dimension>', 'a second dimension')
    .option('--account <id>', 'only calls of this account')
    .option('--key <id>', 'only calls of this key')
    .option('--model <id>', 'only calls of this model')
    .option('--upstream <name>', 'only calls whose last attempt was at this upstream')
    .option('--top <number>', 'the most lines apart from the rest, up to 12', parseCount)
    .option('--csv', 'for spreadsheets: a line for each value and bucket');
}

export async function showActivity(options: ActivityOptions): Promise<void> {
  const { from, to, bucket, by, thenBy, account, key, model, upstream, top } = options;
  const query = { from, to, bucket, group_by: by, then_by: thenBy, account_id: account, key_id: key, model, upstream, top };
  await withAdmin(options, async (client) => {
    const activity = await client.call('getActivity', { query });
    if (!options.csv) return print(options, activity, activityText(activity));
    const { activityCsv } = await import('../admin/csv.ts');
    options.shell.stdout.write(activityCsv(activity));
  });
}

const headings = ['WHAT', 'REQUESTS', 'ERRORS', 'REFUSED', 'INPUT', 'OUTPUT', 'CHARGED', 'P95 MS'];

function lineOf(label: string, { requests, errors, refused, tokens, charged, total_ms: total }: Activity['total']): string[] {
  const input = tokens.input + tokens.cached_input + tokens.cache_write;
  return [label, ...[requests, errors, refused, input, tokens.output].map(String), charged, total === null ? '-' : String(total.p95)];
}

function activityText({ series, total, from, to, complete_until: until, reconciled }: Activity): string {
  const lines = series.map((one) => lineOf(one.label, one.total));
  const table = formatTable(headings, series.length === 1 ? lines : [...lines, lineOf('total', total)]);
  const facts = describe([
    ['Range', `${from} to ${to}`],
    ['Complete until', until],
    ['Ledger', reconciled && `${reconciled.difference} more than these sums, until ${reconciled.until}`],
  ]);
  return `${table}\n${facts}`;
}
