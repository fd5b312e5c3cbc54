/** What a copy came to, for people and for scripts, and what its operator has to do next. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatDollars } from '../ledger/money.ts';
import type { Reconciliation } from '../ledger/store.ts';
import type { Comparison } from '../storage/copy/compare.ts';
import type { Copied } from '../storage/copy/copy.ts';
import { readRecordsOf } from '../storage/outbox/file.ts';
import { outboxFiles } from '../storage/outbox/outbox.ts';
import { type Address, labelOf } from './db-place.ts';
import { dataHint } from './location.ts';

/** Everything that is known at the end. */
export interface CopyOutcome {
  readonly from: Address;
  readonly to: Address;
  /** The data folder of the gateway so far. */
  readonly folder: string;
  /** Where the operator stands. */
  readonly workingFolder: string;
  /** Where the secret of the keys is, which is in no database. */
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
    `${copied.isResumed ? 'Went on with a copy that was begun before. ' : ''}Copied ${rows} rows in ${tables.length} tables.`,
    `  from  ${labelOf(from)}`,
    `  to    ${labelOf(to)}`,
    `Every row is the same on both sides, the books of both are sound, and all balances together are ${formatDollars(targetBalance)} dollars on both.`,
    ...(living.length === 0
      ? []
      : [`A gateway ran on the source (${living.join(', ')}): what it did after the copy had begun is NOT in it.`]),
    '',
  ].join('\n');
}

/** Differences of a book that may have thousands: enough to look at. */
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
    'Copy again into a new, empty database, with no gateway on either side. Books of the source that are not sound have to be mended first.\n',
  ].join('\n');
}

function describeTable({ name, sourceRows, targetRows }: Comparison['tables'][number]): string {
  const rows =
    sourceRows === targetRows
      ? `${sourceRows} rows on both sides, not the same ones`
      : `${sourceRows} rows on the source, ${targetRows} on the target`;
  return `  ${name}: ${rows}`;
}

function describeBooks(label: string, { differences, unbalanced, contradictions }: Reconciliation): string[] {
  const faults = [
    ...differences.map(({ book, kept, counted }) => `${book}: kept ${kept}, its entries come to ${counted}`),
    ...unbalanced.map((transfer) => `${transfer}: its two sides are not opposite`),
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
      : [`Charges wait in ${waiting.join(', ')} of ${folder}: start the first gateway with that folder as its data, and it posts them.`]),
    to.kind === 'postgres'
      ? `Set DATABASE_URL to the new database and start: modelgate serve${dataHint(folder, workingFolder)}`
      : `Take DATABASE_URL away and start: modelgate serve${dataHint(to.folder, workingFolder)}`,
    'Let no gateway run on the source any more. It was left as it was: keep it until you trust the new one.',
  ];
  return `\nWhat is left to do:\n${steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')}`;
}

const WHY = 'without it no API key is recognised';

function pepperStep({ to, folder, pepper }: CopyOutcome): string {
  if (pepper === 'variable') return `Start every gateway with the same MODELGATE_PEPPER as before: ${WHY}.`;
  if (pepper === 'missing') {
    return `Find the file "pepper" of the old data folder (${folder} has none), and give every gateway what is in it as MODELGATE_PEPPER: ${WHY}.`;
  }
  if (pepper === 'other') {
    return `Find the pepper that the keys were made with (the one here is another), and give it to every gateway as MODELGATE_PEPPER: ${WHY}.`;
  }
  if (to.kind === 'sqlite') return `Copy the file "pepper" from ${folder} to ${to.folder} before the first start there: ${WHY}.`;
  return `Start every gateway with the data folder ${folder}, or give it what is in the file "pepper" there as MODELGATE_PEPPER: ${WHY}.`;
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
