/** `modelgate usage sum` and `modelgate usage rebuild`: show and rebuild call totals over time, by model, key, and other dimensions. */

import type { Command } from 'commander';
import type { Activity } from '../../../contract/admin/activity.ts';
import { EXIT_CODE_HELP } from './exit-codes.ts';
import { addConfigOption, addDataOption, getDataFolder, LOCATION_HELP, type LocationOptions, readConfig } from './location-options.ts';
import { parseCount } from './option-values.ts';
import { parseMoment } from './parse-time.ts';
import { formatRows, formatTable } from './print-result.ts';

const DIMENSIONS = 'model, upstream, operation, code, account, key, session, end_user, or tag';

export const activityRequest = {
  operation: 'getActivity',
  options: {
    from: [
      '--from <time>',
      'calls that ended from this date or time (default: 30 days ago, or the longest range that the dimensions allow)',
      parseMoment,
    ],
    to: ['--to <time>', 'calls that ended before this date or time (default: now)', parseMoment],
    bucket: ['--bucket <length>', 'hour, day, week, or month (default: depends on the range)'],
    group_by: ['--by <dimension>', `one row per ${DIMENSIONS}`],
    then_by: ['--then-by <dimension>', 'split each row by a second dimension'],
    account_id: ['--account <id>', 'only calls of this account'],
    key_id: ['--key <id>', 'only calls of this key'],
    model: ['--model <id>', 'only calls to this model'],
    upstream: ['--upstream <name>', 'only calls whose last attempt used this upstream'],
    end_user: ['--end-user <id>', 'only calls of this end user'],
    tag: ['--tag <value>', 'only calls with this value of the header activity.tagHeader'],
    top: ['--top <number>', 'maximum number of rows in addition to "other", up to 100', parseCount],
  },
  print: formatActivity,
  csv: {
    description: 'print CSV, one row per value and bucket',
    format: async (activity: Activity) => (await import('../../api/admin/csv.ts')).writeActivityCsv(activity),
  },
} as const;

const headings = ['NAME', 'REQUESTS', 'ERRORS', 'REJECTED', 'INPUT', 'OUTPUT', 'CHARGED', 'P95 MS'];

function toActivityRow(label: string, { requests, errors, rejected, tokens, charged, total_ms: total }: Activity['total']): string[] {
  const input = tokens.input + tokens.cached_input + tokens.cache_write;
  return [label, ...[requests, errors, rejected, input, tokens.output].map(String), charged, total === null ? '-' : String(total.p95)];
}

const formatId = ({ key, then_key: thenKey }: Activity['series'][number]): string =>
  [key, thenKey].flatMap((one) => (one === null ? [] : one || 'none')).join(', ');

function formatActivity({ series, total, from, to, complete_until: until, reconciled }: Activity): string {
  // Accounts and keys have their IDs beside their names.
  const hasIds = series.some((one) => formatId(one) !== '' && formatId(one) !== one.label);
  const toRow = (label: string, id: string, sums: Activity['total']) => toActivityRow(label, sums).toSpliced(1, 0, ...(hasIds ? [id] : []));
  const lines = series.map((one) => toRow(one.label, formatId(one), one.total));
  const table = formatTable(
    headings.toSpliced(1, 0, ...(hasIds ? ['ID'] : [])),
    series.length === 1 ? lines : [...lines, toRow('total', '', total)],
  );
  const summary = formatRows([
    ['Range', `${from} to ${to}`],
    ['Complete until', until],
    ['Ledger', reconciled && formatReconciliation(reconciled)],
  ]);
  return `${table}\n${summary}`;
}

function formatReconciliation({ difference, until }: NonNullable<Activity['reconciled']>): string {
  const amount = difference.replace('-', '');
  const comparison = difference === amount ? 'more' : 'less';
  return `${Number(amount) === 0 ? 'matches these totals' : `$${amount} ${comparison} than these totals`} (compared until ${until})`;
}

const WEEK_MS = 7 * 86_400_000;

export function addRebuildCommand(usage: Command): void {
  addDataOption(addConfigOption(usage.command('rebuild')))
    .description('rebuild hourly and daily totals from the request log; safe while a gateway is running')
    .option(
      '--from <time>',
      'first day to rebuild (default: seven days ago, because rows of unknown callers are kept that long)',
      parseMoment,
    )
    .addHelpText('after', `\nExample:\n  modelgate usage rebuild --from 2026-01-01\n${LOCATION_HELP}\n${EXIT_CODE_HELP}`)
    .action(runRebuild);
}

async function runRebuild(options: LocationOptions & { from?: string }): Promise<void> {
  const { shell, from } = options;
  const now = Date.now();
  const { openOperations } = await import('../../api/admin/operations.ts');
  const { activity, close } = await openOperations({
    folder: getDataFolder(options),
    env: shell.env,
    loadConfig: () => readConfig(options),
  });
  try {
    const { rebuildRollups } = await import('../../records/rebuild-rollups.ts');
    const result = await rebuildRollups(activity, from === undefined ? now - WEEK_MS : Date.parse(from), now);
    const since = result.from === null ? '' : ` since ${new Date(result.from).toISOString().slice(0, 10)}`;
    shell.stdout.write(`Rebuilt the totals of ${result.days} ${result.days === 1 ? 'day' : 'days'}${since}.\n`);
  } finally {
    await close();
  }
}
