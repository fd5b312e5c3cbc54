/** What a copy came to, for people and for scripts, and what its operator has to do next. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatDollars } from '../ledger/money.ts';
import type { Reconciliation } from '../ledger/store.ts';
import type { Comparison } from '../storage/copy/compare.ts';
import type { Copied } from '../storage/copy/copy.ts';
import { readRecordsOf } from '../storage/outbox/file.ts';
import { outboxFiles } from '../storage/outbox/outbox.ts';
import { type Address, labelOf } from './db-address.ts';
import { dataHint } from './location.ts';

/** The facts at the end of a copy. */
export interface CopyOutcome {
  readonly from: Address;
  readonly to: Address;
  /** The data folder that the gateway has used so far. */
  readonly folder: string;
  /** The working directory of the operator. */
  readonly workingFolder: string;
  /** Where the pepper of the keys is; no database contains it. */
  readonly pepper: 'variable' | 'file' | 'missing' | 'other';
  readonly copied: Copied;
  readonly compared: Comparison;
  readonly sourceBooks: Reconciliation;
  readonly targetBooks: Reconciliation;
  /** Gateways that ran on the source. */
  readonly living: readonly string[];
  readonly isVerified: boolean;
}

export function isSound({ differences, unbalanced, contradictions }: Reconciliation): boolean {
  return differences.length + unbalanced.length + contradictions.length === 0;
}

export function asJson({ living, from, to, copied, compared, sourceBooks, targetBooks, isVerified }: CopyOutcome): object {
  const side = (books: Reconciliation, balance: bigint) => ({
    sound: isSound(books),
    accounts: books.accounts,
    entries: books.entries,
    balance: formatDollars(balance),
    overrun: formatDollars(books.overrun),
  });
  return {
    from: labelOf(from),
    to: labelOf(to),
    verified: isVerified,
    resumed: copied.isResumed,
    rows: copied.rows,
    living,
    source: side(sourceBooks, compared.sourceBalance),
    target: side(targetBooks, compared.targetBalance),
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
    `  from  ${labelOf(from)}`,
    `  to    ${labelOf(to)}`,
    `All rows are equal, the books of both databases are sound, and the balances in each add up to ${formatDollars(targetBalance)} dollars.`,
    ...(living.length === 0
      ? []
      : [`A gateway ran on the source (${living.join(', ')}): its changes after the copy began are NOT in the copy.`]),
    '',
  ].join('\n');
}

/** The most differences to print of a book that may have thousands. */
const MOST_FAULTS = 10;

export function describeFaults({ from, to, compared, sourceBooks, targetBooks }: CopyOutcome): string {
  const sides = [
    { label: labelOf(from), books: sourceBooks },
    { label: labelOf(to), books: targetBooks },
  ];
  const balances = compared.sourceBalance === compared.targetBalance ? [] : [compared.sourceBalance, compared.targetBalance];
  return [
    `modelgate: The copy is NOT verified: do not start a gateway on ${labelOf(to)}.`,
    ...compared.tables.filter(({ isEqual }) => !isEqual).map(describeTable),
    ...(balances.length === 0 ? [] : [`  all balances: ${balances.map(formatDollars).join(' dollars on the source, ')} on the target`]),
    ...sides.filter(({ books }) => !isSound(books)).flatMap(({ label, books }) => describeBooks(label, books)),
    'Stop all gateways on both databases, and copy again into a new, empty database. If the books of the source are not sound, correct them first.\n',
  ].join('\n');
}

function describeTable({ name, sourceRows, targetRows }: Comparison['tables'][number]): string {
  const rows =
    sourceRows === targetRows
      ? `${sourceRows} rows on both sides, with different contents`
      : `${sourceRows} rows on the source, ${targetRows} on the target`;
  return `  ${name}: ${rows}`;
}

function describeBooks(label: string, { differences, unbalanced, contradictions }: Reconciliation): string[] {
  const faults = [
    ...differences.map(({ book, kept, counted }) => `${book}: stored total ${kept}, sum of its entries ${counted}`),
    ...unbalanced.map((transfer) => `${transfer}: its two entries do not add up to zero`),
    ...contradictions.map((request) => `${request}: state, hold and entries contradict each other`),
  ];
  const more = faults.length > MOST_FAULTS ? [`  … and ${faults.length - MOST_FAULTS} more`] : [];
  return [`  the books of ${label} are not sound:`, ...faults.slice(0, MOST_FAULTS).map((fault) => `    ${fault}`), ...more];
}

export function nextSteps(outcome: CopyOutcome): string {
  const { to, folder, workingFolder } = outcome;
  const waiting = outboxIn(folder);
  const steps = [
    pepperStep(outcome),
    ...(waiting.length === 0
      ? []
      : [`Charges wait in ${waiting.join(', ')} of ${folder}. Start the first gateway with that data folder, so that it posts them.`]),
    to.kind === 'postgres'
      ? `Set DATABASE_URL to the new database and start: modelgate serve${dataHint(folder, workingFolder)}`
      : `Unset DATABASE_URL and start: modelgate serve${dataHint(to.folder, workingFolder)}`,
    'Do not run a gateway on the source again. It is unchanged: keep it until you trust the new database.',
  ];
  return `\nNext steps:\n${steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`;
}

const WHY = 'without it no API key is recognised';

function pepperStep({ to, folder, pepper }: CopyOutcome): string {
  if (pepper === 'variable') return `Start every gateway with the same MODELGATE_PEPPER as before: ${WHY}.`;
  if (pepper === 'missing') {
    return `Find the file "pepper" of the old data folder (${folder} has none), and set MODELGATE_PEPPER to its content on every gateway: ${WHY}.`;
  }
  if (pepper === 'other') {
    return `Find the pepper that the keys were made with (the one here is different), and set MODELGATE_PEPPER to it on every gateway: ${WHY}.`;
  }
  if (to.kind === 'sqlite') return `Copy the file "pepper" from ${folder} to ${to.folder} before the first start there: ${WHY}.`;
  return `Start every gateway with the data folder ${folder}, or set MODELGATE_PEPPER to the content of the file "pepper" there: ${WHY}.`;
}

/** Files with settlements that found the store down and were not posted yet. */
function outboxIn(folder: string): readonly string[] {
  // No such folder on this machine: nothing waits here.
  if (!existsSync(folder)) return [];
  return outboxFiles(folder).filter((name) => {
    try {
      const { records, damaged } = readRecordsOf(join(folder, name));
      return records.length + damaged > 0;
    } catch {
      // What cannot be read may hold some.
      return true;
    }
  });
}
