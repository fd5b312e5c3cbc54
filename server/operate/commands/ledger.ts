/** `modelgate ledger …`: checks and closes the ledger, and shows the audit log. */
import type { Command } from 'commander';
import type { Output } from './admin-client.ts';
import { type AdminOptions, addCommandGroup } from './admin-command.ts';
import { databaseHelp } from './db.ts';
import { EXIT_CODE_HELP } from './exit-codes.ts';
import type { CloseOptions } from './ledger-close.ts';
import { addConfigOption, addDataOption } from './location-options.ts';
import { parseMoment } from './parse-time.ts';
import { formatRows } from './print-result.ts';
import { addRequestCommand, createPageOptions } from './request-command.ts';

export function addLedgerCommands(program: Command): void {
  const ledger = addCommandGroup(program, 'ledger');
  addReconcileCommand(ledger);
  addAuditCommand(ledger);
  addCloseCommand(ledger);
  addCheckArchiveCommand(ledger);
}
const CLOSE_EXPLANATION = `
The command writes every call before that time to compressed CSV files and verifies them. Then it replaces these calls in the database
with monthly totals per key, model, and price. Balances don't change. It's safe while a gateway is running. If it's interrupted, run the
same command again.`;
function addCloseCommand(ledger: Command): void {
  addDataOption(addConfigOption(ledger.command('close')))
    .description('archive past calls and keep their monthly totals')
    .requiredOption('--before <time>', 'archive calls before this date or time, at least 35 days ago', parseMoment)
    .requiredOption('--archive <folder>', 'a new folder for the archive')
    .option('--json', 'print the manifest as JSON')
    .addHelpText(
      'after',
      `${CLOSE_EXPLANATION}\n\nExamples:\n  modelgate ledger close --before 2027-01-01 --archive ledger/2026\n${databaseHelp}\n${EXIT_CODE_HELP}`,
    )
    .action(async (options: CloseOptions) => (await import('./ledger-close.ts')).runLedgerClose(options));
}
function addCheckArchiveCommand(ledger: Command): void {
  ledger
    .command('check-archive <folder>')
    .description('verify the checksums and totals of an archive')
    .option('--json', 'print the manifest as JSON')
    .addHelpText('after', `\nExamples:\n  modelgate ledger check-archive ledger/2026\n${EXIT_CODE_HELP}`)
    .action(async (folder: string, options: AdminOptions) => (await import('./ledger-archive.ts')).runCheckArchive(folder, options));
}

function addReconcileCommand(ledger: Command): void {
  addRequestCommand(ledger, 'reconcile', {
    description: 'recompute every balance from its entries; exit code 1 if anything differs',
    examples: ['modelgate ledger reconcile', 'modelgate ledger reconcile --full --json'],
    operation: 'reconcileLedger',
    options: { full: ['--full', 'check all entries again, not only new ones'] },
    print: describeReconciliation,
    isFailed: (reconciliation) => !reconciliation.is_consistent,
  });
}

function describeReconciliation(reconciliation: Output<'reconcileLedger'>): string {
  return [
    reconciliation.is_consistent ? 'The ledger is consistent.\n' : 'The ledger has differences.\n',
    ...reconciliation.differences.map(
      ({ ledger_account: book, stored, computed }) => `${book}: stored total ${stored}, but its entries total ${computed}\n`,
    ),
    ...reconciliation.unbalanced.map((transfer) => `${transfer}: its two entries don't add up to zero\n`),
    ...reconciliation.inconsistent_requests.map((request) => `${request}: its state, hold, and entries contradict each other\n`),
    formatRows([
      ['Accounts', String(reconciliation.accounts)],
      ['Entries', String(reconciliation.entries)],
      ['Overrun', reconciliation.overrun],
    ]),
  ].join('');
}

function addAuditCommand(ledger: Command): void {
  addRequestCommand(ledger, 'audit', {
    description: 'list changes and who made them, newest first',
    examples: ['modelgate ledger audit', 'modelgate ledger audit --limit 20 --json'],
    operation: 'listAudit',
    options: {
      ...createPageOptions('entries', 'entry'),
      actor: ['--actor <id>', 'only changes by this admin key, or by cli or system'],
      action: ['--action <name>', 'only this action, such as key.create'],
      target: ['--target <id>', 'only changes to the object with this ID'],
      from: ['--from <time>', 'only changes from this time, such as 2027-01-31T00:00:00Z'],
      to: ['--to <time>', 'only changes before this time'],
    },
    print: {
      ID: 'id',
      TIME: ({ at }) => at.slice(0, 19),
      ACTOR: 'actor',
      ACTION: 'action',
      TARGET: 'target',
      DETAILS: ({ details }) => JSON.stringify(details),
    },
  });
}
