/** Describes the outcome of `modelgate db copy`: differences, the state of both ledgers, and the next steps. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatDollars } from '../../money/dollars.ts';
import type { Reconciliation } from '../../money/store.ts';
import type { Comparison, CopyResult } from '../../store/copy/copy.ts';
import { listOutboxFiles, readOutboxFile } from '../../store/outbox/outbox.ts';
import { type DatabaseAddress, formatAddress } from './database-address.ts';
import { isConsistent } from './inventory.ts';
import { formatDataOption } from './location-options.ts';

/** The result of a copy. */
export interface CopyOutcome {
  readonly from: DatabaseAddress;
  readonly to: DatabaseAddress;
  /** The data folder that the gateway used before the copy. */
  readonly folder: string;
  /** The working directory of the operator. */
  readonly workingFolder: string;
  /** Where the pepper of the keys is. No database contains it. */
  readonly pepper: 'variable' | 'file' | 'missing' | 'other';
  readonly copied: CopyResult;
  readonly compared: Comparison;
  readonly sourceBooks: Reconciliation;
  readonly targetBooks: Reconciliation;
  /** Gateways that were running on the source. */
  readonly living: readonly string[];
  readonly isVerified: boolean;
}

export function toJson({ living, from, to, copied, compared, sourceBooks, targetBooks, isVerified }: CopyOutcome): object {
  const toSide = (reconciliation: Reconciliation, balance: bigint) => ({
    is_consistent: isConsistent(reconciliation),
    accounts: reconciliation.accounts,
    entries: reconciliation.entries,
    balance: formatDollars(balance),
    overrun: formatDollars(reconciliation.overrun),
  });
  return {
    from: formatAddress(from),
    to: formatAddress(to),
    verified: isVerified,
    resumed: copied.isResumed,
    rows: copied.rows,
    living,
    source: toSide(sourceBooks, compared.sourceBalance),
    target: toSide(targetBooks, compared.targetBalance),
    tables: compared.tables.map(({ name, sourceRows, targetRows, isEqual }) => ({
      name,
      source_rows: sourceRows,
      target_rows: targetRows,
      equal: isEqual,
    })),
  };
}

export function describeCopy({ from, to, copied, compared, living }: CopyOutcome): string {
  const { tables, targetBalance } = compared;
  const rows = copied.rows.toLocaleString('en');
  return [
    `${copied.isResumed ? 'Resumed an earlier copy. ' : ''}Copied ${rows} rows in ${tables.length} tables.`,
    `  from  ${formatAddress(from)}`,
    `  to    ${formatAddress(to)}`,
    `All rows are equal, both ledgers are consistent, and the balances in each total $${formatDollars(targetBalance)}.`,
    ...(living.length === 0
      ? []
      : [`A gateway was running on the source (${living.join(', ')}): its changes after the copy started are NOT in the copy.`]),
    '',
  ].join('\n');
}

/** Maximum number of differences to print. A ledger may have thousands. */
const MAX_FAULTS = 10;

export function describeFaults({ from, to, compared, sourceBooks, targetBooks }: CopyOutcome): string {
  const sides = [
    { label: formatAddress(from), books: sourceBooks },
    { label: formatAddress(to), books: targetBooks },
  ];
  const balances = compared.sourceBalance === compared.targetBalance ? [] : [compared.sourceBalance, compared.targetBalance];
  return [
    `modelgate: The copy is NOT verified. Don't start a gateway on ${formatAddress(to)}.`,
    ...compared.tables.filter(({ isEqual }) => !isEqual).map(describeTable),
    ...(balances.length === 0 ? [] : [`  all balances: ${balances.map(formatDollars).join(' dollars on the source, ')} on the target`]),
    ...sides.filter(({ books }) => !isConsistent(books)).flatMap(({ label, books }) => describeReconciliation(label, books)),
    'Stop all gateways on both databases, and copy again into a new, empty database. If the ledger of the source has differences, correct them first.\n',
  ].join('\n');
}

function describeTable({ name, sourceRows, targetRows }: Comparison['tables'][number]): string {
  const rows =
    sourceRows === targetRows
      ? `${sourceRows} rows in both, with different contents`
      : `${sourceRows} rows in the source, ${targetRows} in the target`;
  return `  ${name}: ${rows}`;
}

function describeReconciliation(label: string, { differences, unbalanced, contradictions }: Reconciliation): string[] {
  const faults = [
    ...differences.map(({ book, kept, counted }) => `${book}: stored total ${kept}, but its entries total ${counted}`),
    ...unbalanced.map((transfer) => `${transfer}: its two entries don't add up to zero`),
    ...contradictions.map((request) => `${request}: its state, hold, and entries contradict each other`),
  ];
  const omittedLine = faults.length > MAX_FAULTS ? [`  … and ${faults.length - MAX_FAULTS} more`] : [];
  return [`  the ledger of ${label} has differences:`, ...faults.slice(0, MAX_FAULTS).map((fault) => `    ${fault}`), ...omittedLine];
}

export function formatNextSteps(outcome: CopyOutcome): string {
  const { to, folder, workingFolder } = outcome;
  const pendingOutboxes = listPendingOutboxes(folder);
  const steps = [
    formatPepperStep(outcome),
    ...(pendingOutboxes.length === 0
      ? []
      : [
          `Charges are pending in ${pendingOutboxes.join(', ')} of ${folder}. Start the first gateway with that data folder, so that it posts them.`,
        ]),
    to.kind === 'postgres'
      ? `Set DATABASE_URL to the new database and start: modelgate serve${formatDataOption(folder, workingFolder)}`
      : `Unset DATABASE_URL and start: modelgate serve${formatDataOption(to.folder, workingFolder)}`,
    "Don't run a gateway on the source again. It's unchanged: keep it until you trust the new database.",
  ];
  return `\nNext steps:\n${steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`;
}

const PEPPER_REASON = 'without it, no API key is recognized';

function formatPepperStep({ to, folder, pepper }: CopyOutcome): string {
  if (pepper === 'variable') return `Start every gateway with the same MODELGATE_PEPPER as before: ${PEPPER_REASON}.`;
  if (pepper === 'missing') {
    return `Find the file "pepper" of the old data folder (it isn't in ${folder}), and set MODELGATE_PEPPER to its content on every gateway: ${PEPPER_REASON}.`;
  }
  if (pepper === 'other') {
    return `Find the pepper that the keys were created with (the one here is different), and set MODELGATE_PEPPER to it on every gateway: ${PEPPER_REASON}.`;
  }
  if (to.kind === 'sqlite') return `Copy the file "pepper" from ${folder} to ${to.folder} before the first start there: ${PEPPER_REASON}.`;
  return `Start every gateway with the data folder ${folder}, or set MODELGATE_PEPPER to the content of the file "pepper" there: ${PEPPER_REASON}.`;
}

/** Returns the outbox files with settlements that couldn't be posted yet, because the store was down. */
function listPendingOutboxes(folder: string): readonly string[] {
  // If this machine doesn't have the folder, no charges are pending here.
  if (!existsSync(folder)) return [];
  return listOutboxFiles(folder).filter((name) => {
    try {
      const { records, damaged } = readOutboxFile(join(folder, name));
      return records.length + damaged > 0;
    } catch {
      // A file that can't be read may contain pending charges.
      return true;
    }
  });
}
