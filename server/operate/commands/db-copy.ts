/** `modelgate db copy`: checks the conditions, copies, compares every row, reconciles both ledgers, and prints the next steps (promises G2 to G4). */
import { hasDifferentPepper, hasPepper, openPepper } from '../../access/pepper.ts';
import { type CopyDatabase, compareDatabases, copyTables, PEPPER_TABLE, tables } from '../../store/copy/copy.ts';
import { hasDatabase } from '../../store/sqlite/database.ts';
import { CommandError, ReportedError } from './command-error.ts';
import { type CopyOutcome, describeCopy, describeFaults, formatNextSteps, toJson } from './copy-outcome.ts';
import { type DatabaseAddress, type OpenDatabase, openAddress, parseAddress } from './database-address.ts';
import { isConsistent } from './inventory.ts';
import { getDataFolder, type LocationOptions } from './location-options.ts';
import { printResult } from './print-result.ts';
import { openProgressBar } from './progress-bar.ts';
import { assertNotRunning } from './running-gateways.ts';
import type { Shell } from './shell.ts';

export interface CopyOptions extends LocationOptions {
  readonly force?: boolean;
  readonly json?: boolean;
}

export async function runDbCopy(source: string, target: string, options: CopyOptions): Promise<void> {
  const [from, to] = [parseAddress(source, options, 'source'), parseAddress(target, options, 'target')];
  if (from.kind === 'sqlite' && !hasDatabase(from.folder)) {
    throw new CommandError(`No database found in ${from.folder}. Specify the gateway's data folder with --data or as the source.`);
  }
  const { shell } = options;
  const folder = from.kind === 'sqlite' ? from.folder : getDataFolder(options);
  // Checked first, because a wrong variable must be corrected in any case.
  const pepperSource = findPepper(folder, shell);
  // Both checks come before the databases are opened, because opening migrates them. That must not happen under a
  // running gateway of an older version.
  const living = await assertNotRunning(from, options.force === true);
  await assertNotRunning(to);
  const outcome = await withDatabases(from, to, async (source, target) => {
    const pepper = (await hasOtherPepper(source.side, folder, shell)) ? 'other' : pepperSource;
    const result = await copyAndCompare(source, target, shell, options.json === true);
    if (result.isVerified) await target.side.dropNotes();
    return { from, to, folder, workingFolder: shell.folder, pepper, living, ...result };
  });
  printResult(options, toJson(outcome), outcome.isVerified ? describeCopy(outcome) + formatNextSteps(outcome) : '');
  if (outcome.isVerified) return;
  shell.stderr.write(describeFaults(outcome));
  throw new ReportedError();
}

async function withDatabases<T>(
  from: DatabaseAddress,
  to: DatabaseAddress,
  work: (source: OpenDatabase, target: OpenDatabase) => Promise<T>,
): Promise<T> {
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

/** Whether the keys of the source were created with a different pepper than the one here. */
async function hasOtherPepper(source: CopyDatabase, folder: string, { env }: Shell): Promise<boolean> {
  const table = tables.find(({ name }) => name === PEPPER_TABLE);
  if (!table || !hasPepper(folder, env)) return false;
  const [row = []] = await source.readConsistently((reader) => reader.read(table, null));
  return hasDifferentPepper(
    row.find((cell) => Buffer.isBuffer(cell)),
    openPepper(folder, env),
  );
}

async function copyAndCompare(
  source: OpenDatabase,
  target: OpenDatabase,
  shell: Shell,
  isQuiet: boolean,
): Promise<Omit<CopyOutcome, 'from' | 'to' | 'folder' | 'workingFolder' | 'pepper' | 'living'>> {
  const bar = openProgressBar(shell.stderr, Date.now);
  const onProgress = isQuiet ? () => undefined : bar.show;
  try {
    // The whole copy reads one snapshot of the source, so that changes by a running gateway don't affect it.
    return await source.side.readConsistently(async (from) => {
      const copyResult = await copyTables({ source: from, target: target.side, onProgress });
      const comparison = await target.side.readConsistently((to) => compareDatabases({ source: from, target: to, onProgress }));
      const [sourceReconciliation, targetReconciliation] = [await source.reconcile(), await target.reconcile()];
      const isVerified = comparison.isEqual && isConsistent(sourceReconciliation) && isConsistent(targetReconciliation);
      return { copied: copyResult, compared: comparison, sourceBooks: sourceReconciliation, targetBooks: targetReconciliation, isVerified };
    });
  } finally {
    if (!isQuiet) bar.end();
  }
}
