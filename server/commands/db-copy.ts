/** What `modelgate db copy` does: checks the conditions, copies, compares every row, reconciles both books, and prints the next steps (promises G2 to G4). */
import { isOther } from '../access/fingerprint.ts';
import { hasPepper, openPepper } from '../access/pepper.ts';
import { compare } from '../storage/copy/compare.ts';
import { copy } from '../storage/copy/copy.ts';
import type { Place } from '../storage/copy/place.ts';
import { PEPPER_TABLE, tables } from '../storage/copy/tables.ts';
import { hasDatabase } from '../storage/sqlite/database.ts';
import { print } from './administration.ts';
import { type Address, labelOf, livingAt, type OpenPlace, openPlace, readPlace, SILENT_MS } from './db-place.ts';
import { openProgress } from './db-progress.ts';
import { asJson, type CopyOutcome, describeCopy, describeFaults, isSound, nextSteps } from './db-report.ts';
import { CommandError, ToldFailure } from './failure.ts';
import { findData, type LocationOptions } from './location.ts';
import type { Shell } from './shell.ts';

export interface CopyOptions extends LocationOptions {
  readonly from: string;
  readonly to: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export async function runCopy(options: CopyOptions): Promise<void> {
  const [from, to] = [readPlace(options.from, options, '--from'), readPlace(options.to, options, '--to')];
  if (from.kind === 'sqlite' && !hasDatabase(from.folder)) {
    throw new CommandError(`There is no database in ${from.folder}. Name the data folder of the gateway with --data or --from.`);
  }
  const { shell } = options;
  const folder = from.kind === 'sqlite' ? from.folder : findData(options);
  // Checked first: a wrong variable must be corrected in any case.
  const found = findPepper(folder, shell);
  // Both checks come before the database is opened, because opening migrates it, and that must not happen under a running gateway of an older version.
  const living = await refuseLiving(from, options.force === true);
  await refuseLiving(to, false);
  const outcome = await withPlaces(from, to, async (source, target) => {
    const pepper = (await isPepperOther(source.place, folder, shell)) ? 'other' : found;
    const done = await copyAndCompare({ source, target, shell, isQuiet: options.json === true });
    if (done.isVerified) await target.place.forget();
    return { from, to, folder, workingFolder: shell.folder, pepper, living, ...done };
  });
  print(options, asJson(outcome), outcome.isVerified ? describeCopy(outcome) + nextSteps(outcome) : '');
  if (outcome.isVerified) return;
  shell.stderr.write(describeFaults(outcome));
  throw new ToldFailure();
}

async function withPlaces<T>(from: Address, to: Address, work: (source: OpenPlace, target: OpenPlace) => Promise<T>): Promise<T> {
  const source = await openPlace(from);
  try {
    const target = await openPlace(to);
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
async function isPepperOther(source: Place, folder: string, { env }: Shell): Promise<boolean> {
  const table = tables.find(({ name }) => name === PEPPER_TABLE);
  if (!table || !hasPepper(folder, env)) return false;
  const [row = []] = await source.look((look) => look.read(table, null));
  return isOther(
    row.find((cell) => Buffer.isBuffer(cell)),
    openPepper(folder, env),
  );
}

async function refuseLiving(address: Address, isForced: boolean): Promise<readonly string[]> {
  const living = await livingAt(address, SILENT_MS);
  if (living.length === 0 || isForced) return living;
  throw new CommandError(
    `A gateway runs on ${labelOf(address)} (${living.join(', ')}). Stop it first; one that was killed counts as dead after ${SILENT_MS / 1_000} s.`,
  );
}

interface CopyParts {
  readonly source: OpenPlace;
  readonly target: OpenPlace;
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
    return await source.place.look(async (from) => {
      const copied = await copy({ source: from, target: target.place, onProgress });
      const compared = await target.place.look((to) => compare({ source: from, target: to, onProgress }));
      const [sourceBooks, targetBooks] = [await source.reconcile(), await target.reconcile()];
      const isVerified = compared.isEqual && isSound(sourceBooks) && isSound(targetBooks);
      return { copied, compared, sourceBooks, targetBooks, isVerified };
    });
  } finally {
    if (!isQuiet) bar.end();
  }
}
