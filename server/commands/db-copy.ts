/** `modelgate db copy` checks the conditions, copies, compares every row, reconciles both ledgers, and prints the next steps (promises G2 to G4). */
import { hasPepper, isOther, openPepper } from '../access/pepper.ts';
import { type CopySide, compare, copy, PEPPER_TABLE, tables } from '../storage/copy/copy.ts';
import { hasDatabase } from '../storage/sqlite/database.ts';
import { findData, type LocationOptions, print } from './administration.ts';
import {
  type Address,
  labelOf,
  type OpenDatabase,
  openAddress,
  openProgress,
  parseAddress,
  runningGatewaysAt,
  SILENT_MS,
} from './db-address.ts';
import { asJson, type CopyOutcome, describeCopy, describeFaults, isSound, nextSteps } from './db-backup.ts';
import { CommandError, ReportedError, type Shell } from './serving.ts';

export interface CopyOptions extends LocationOptions {
  readonly from: string;
  readonly to: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export async function runCopy(options: CopyOptions): Promise<void> {
  const [from, to] = [parseAddress(options.from, options, '--from'), parseAddress(options.to, options, '--to')];
  if (from.kind === 'sqlite' && !hasDatabase(from.folder)) {
    throw new CommandError(`No database found in ${from.folder}. Specify the gateway's data folder with --data or --from.`);
  }
  const { shell } = options;
  const folder = from.kind === 'sqlite' ? from.folder : findData(options);
  // Checked first: a wrong variable must be corrected in any case.
  const found = findPepper(folder, shell);
  // Both checks come before the database is opened, because opening migrates it, and that must not happen under a running gateway of an older version.
  const living = await rejectRunning(from, options.force === true);
  await rejectRunning(to, false);
  const outcome = await withDatabases(from, to, async (source, target) => {
    const pepper = (await isPepperOther(source.side, folder, shell)) ? 'other' : found;
    const done = await copyAndCompare({ source, target, shell, isQuiet: options.json === true });
    if (done.isVerified) await target.side.dropNotes();
    return { from, to, folder, workingFolder: shell.folder, pepper, living, ...done };
  });
  print(options, asJson(outcome), outcome.isVerified ? describeCopy(outcome) + nextSteps(outcome) : '');
  if (outcome.isVerified) return;
  shell.stderr.write(describeFaults(outcome));
  throw new ReportedError();
}

async function withDatabases<T>(from: Address, to: Address, work: (source: OpenDatabase, target: OpenDatabase) => Promise<T>): Promise<T> {
  const source = await openAddress(from);
  try {
    const target = await openAddress(to);
    try {
      return await work(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function findPepper(folder: string, { env }: Shell): CopyOutcome['pepper'] {
  if (!hasPepper(folder, env)) return 'missing';
  return env.MODELGATE_PEPPER?.trim() ? 'variable' : 'file';
}

/** Whether the keys of the source were made with a different pepper than the one here. */
async function isPepperOther(source: CopySide, folder: string, { env }: Shell): Promise<boolean> {
  const table = tables.find(({ name }) => name === PEPPER_TABLE);
  if (!table || !hasPepper(folder, env)) return false;
  const [row = []] = await source.readConsistently((reader) => reader.read(table, null));
  return isOther(
    row.find((cell) => Buffer.isBuffer(cell)),
    openPepper(folder, env),
  );
}

async function rejectRunning(address: Address, isForced: boolean): Promise<readonly string[]> {
  const living = await runningGatewaysAt(address, SILENT_MS);
  if (living.length === 0 || isForced) return living;
  throw new CommandError(
    `A gateway is running on ${labelOf(address)} (${living.join(', ')}). Stop it first; a killed gateway counts as stopped after ${SILENT_MS / 1_000} s.`,
  );
}

interface CopyParts {
  readonly source: OpenDatabase;
  readonly target: OpenDatabase;
  readonly shell: Shell;
  readonly isQuiet: boolean;
}

async function copyAndCompare({
  source,
  target,
  shell,
  isQuiet,
}: CopyParts): Promise<Omit<CopyOutcome, 'from' | 'to' | 'folder' | 'workingFolder' | 'pepper' | 'living'>> {
  const bar = openProgress(shell.stderr, Date.now);
  const onProgress = isQuiet ? () => undefined : bar.show;
  try {
    // One snapshot of the source for the whole copy, whatever a gateway does meanwhile.
    return await source.side.readConsistently(async (from) => {
      const copied = await copy({ source: from, target: target.side, onProgress });
      const compared = await target.side.readConsistently((to) => compare({ source: from, target: to, onProgress }));
      const [sourceBooks, targetBooks] = [await source.reconcile(), await target.reconcile()];
      const isVerified = compared.isEqual && isSound(sourceBooks) && isSound(targetBooks);
      return { copied, compared, sourceBooks, targetBooks, isVerified };
    });
  } finally {
    if (!isQuiet) bar.end();
  }
}
