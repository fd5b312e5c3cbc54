/** `modelgate account entries`: the statement of an account, each line with the balance after it. */
import type { Command } from 'commander';
import { type StatementEntry, statementKinds } from '../../contract/admin/money.ts';
import { type AdminOptions, addAdminCommand, callAll, print, withAdmin } from './administration.ts';
import { parseCount, parseMoment } from './settings.ts';
import { formatTable } from './table.ts';

interface EntriesOptions extends AdminOptions {
  readonly from?: string;
  readonly to?: string;
  readonly kind?: StatementEntry['kind'];
  readonly limit: number;
  readonly after?: string;
  readonly csv?: boolean;
}

export function addEntries(account: Command): void {
  addAdminCommand(account, 'entries <account>', {
    description: 'list what came into an account and what went out, newest first',
    examples: ['modelgate account entries research', 'modelgate account entries research --from 2027-01-01 --to 2027-02-01 --csv'],
  })
    .option('--from <time>', 'entries from this date or time on', parseMoment)
    .option('--to <time>', 'entries before this date or time', parseMoment)
    .option('--kind <kind>', statementKinds.join(', '))
    .option('--limit <number>', 'the most entries to list', parseCount, 100)
    .option('--after <id>', 'continue after this entry')
    .option('--csv', 'for spreadsheets: all entries as CSV, without --limit')
    .action((name: string, options: EntriesOptions) => withAdmin(options, (client) => list(client, name, options)));
}

type Client = Parameters<Parameters<typeof withAdmin>[1]>[0];

async function list(client: Client, account: string, options: EntriesOptions): Promise<void> {
  const { from, to, kind, limit, after } = options;
  const params = { account_id: account };
  const query = { from, to, kind };
  if (options.csv) {
    const { csvLine, entryHeadings, entryLine } = await import('../admin/csv.ts');
    const { data } = await callAll(client, 'listEntries', { params, query });
    return void options.shell.stdout.write([csvLine(entryHeadings), ...data.map(entryLine)].join(''));
  }
  const page = await client.call('listEntries', { params, query: { ...query, limit, after } });
  const more = page.has_more ? `There is more: --after ${page.last_id}\n` : '';
  print(options, page, page.data.length === 0 ? 'No entries.\n' : formatTable(headings, page.data.map(lineOf)) + more);
}

const headings = ['ID', 'TIME', 'KIND', 'AMOUNT', 'BALANCE', 'REQUEST OR TRANSFER', 'NOTE'];
const lineOf = (entry: StatementEntry): string[] => [
  entry.id,
  entry.at.slice(0, 19),
  entry.kind,
  entry.amount,
  entry.balance_after,
  entry.request_id ?? entry.transfer_id ?? '',
  entry.note ?? '',
];
