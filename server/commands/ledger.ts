/** `modelgate ledger …`: checks the books, and lists who changed what. */
import type { Command } from 'commander';
import type { AuditEntry } from '../../contract/admin/operators.ts';
import { type AdminOptions, addAdminCommand, addGroup, describe, print, withAdmin } from './administration.ts';
import { ToldFailure } from './failure.ts';
import { parseCount } from './settings.ts';
import { formatTable } from './table.ts';

export function addLedger(program: Command): void {
  const ledger = addGroup(program, 'ledger', 'check the books, and see who changed what');
  addReconcile(ledger);
  addAudit(ledger);
}

function addReconcile(ledger: Command): void {
  addAdminCommand(ledger, 'reconcile', {
    description: 'recompute every balance from its entries; exit code 1 if anything differs',
    examples: ['modelgate ledger reconcile', 'modelgate ledger reconcile --json'],
  }).action(async (options: AdminOptions) => {
    await withAdmin(options, async (client) => {
      const found = await client.call('reconcileLedger', {});
      const faults = [
        ...found.differences.map(({ book, kept, counted }) => `${book}: stored total ${kept}, sum of its entries ${counted}\n`),
        ...found.unbalanced.map((transfer) => `${transfer}: its two entries do not add up to zero\n`),
        ...found.contradictions.map((request) => `${request}: state, hold and entries contradict each other\n`),
      ];
      const counts = describe([
        ['Accounts', String(found.accounts)],
        ['Entries', String(found.entries)],
        ['Overrun', found.overrun],
      ]);
      print(options, found, `${found.sound ? 'The books are sound.' : 'The books are NOT sound.'}\n${faults.join('')}${counts}`);
      if (!found.sound) throw new ToldFailure();
    });
  });
}

interface AuditOptions extends AdminOptions {
  readonly limit: number;
  readonly after?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly target?: string;
  readonly from?: string;
  readonly to?: string;
}

function addAudit(ledger: Command): void {
  addAdminCommand(ledger, 'audit', {
    description: 'list who changed what, newest first',
    examples: ['modelgate ledger audit', 'modelgate ledger audit --limit 20 --json'],
  })
    .option('--limit <number>', 'the most entries to list', parseCount, 100)
    .option('--after <id>', 'continue after this entry')
    .option('--actor <id>', 'only changes by this admin key, or by cli or system')
    .option('--action <name>', 'only this action, such as key.create')
    .option('--target <id>', 'only changes of what has this id')
    .option('--from <time>', 'only changes from this time on, such as 2027-01-31T00:00:00Z')
    .option('--to <time>', 'only changes before this time')
    .action(async (options: AuditOptions) => {
      const { limit, after, actor, action, target, from, to } = options;
      await withAdmin(options, async (client) => {
        const list = await client.call('listAudit', { query: { limit, after, actor, action, target, from, to } });
        const more = list.has_more ? `There is more: --after ${list.last_id}\n` : '';
        print(options, list, formatTable(['ID', 'TIME', 'ACTOR', 'ACTION', 'TARGET', 'DETAILS'], list.data.map(auditRow)) + more);
      });
    });
}

const auditRow = ({ id, at, actor, action, target, details }: AuditEntry): string[] => [
  id,
  at.slice(0, 19),
  actor,
  action,
  target,
  JSON.stringify(details),
];
