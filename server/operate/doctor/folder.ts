/** Checks the data folder: permissions, free space, and the duration of an fsync. */

import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CheckResult, formatMilliseconds, getErrorCode, measureTime, reportFault, reportOk, reportWarning } from './check-result.ts';

const MEBIBYTE = 1_048_576;

/** Less free space is a fault. Less than `LITTLE_FREE` is a warning. */
const MIN_FREE_BYTES = 100 * MEBIBYTE;

const LOW_FREE_BYTES = 1024 * MEBIBYTE;

/** A slower fsync is a warning, because every durable commit waits for one. */
const SLOW_FSYNC_MS = 50;

const FSYNC_PROBES = 5;

export async function examineFolder(folder: string): Promise<CheckResult> {
  if (!existsSync(folder)) return examineMissingFolder(folder);
  if (!statSync(folder).isDirectory())
    return reportFault(`${folder} isn't a folder`, 'Move the file, or specify another folder with --data.');
  const freeBytes = getFreeBytes(folder);
  if (freeBytes < MIN_FREE_BYTES)
    return reportFault(`${formatBytes(freeBytes)} free in ${folder}`, 'Free up disk space: a full disk stops every paid call.');
  const fsyncResult = await measureFsync(folder);
  if (typeof fsyncResult !== 'number') return fsyncResult;
  const detail = `${folder}, ${formatBytes(freeBytes)} free, fsync ${formatMilliseconds(fsyncResult)}`;
  const exposedFile = findExposedFile(folder);
  if (exposedFile !== undefined)
    return reportWarning(
      `${detail}; other users of this machine can read ${exposedFile}`,
      `Remove that permission: chmod go-rwx '${exposedFile}'`,
    );
  if (freeBytes < LOW_FREE_BYTES) return reportWarning(detail, 'Free up disk space soon: a full disk stops every paid call.');
  if (fsyncResult > SLOW_FSYNC_MS)
    return reportWarning(detail, 'Use a faster disk: with durability: strict, every paid call waits for it.');
  return reportOk(detail);
}

/** Checks that the first start can create the folder. */
function examineMissingFolder(folder: string): CheckResult {
  let parent = dirname(folder);
  while (!existsSync(parent)) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK);
    if (!statSync(parent).isDirectory()) throw new Error(`${parent} isn't a folder`);
    return reportOk(`${folder} doesn't exist yet; the first start creates it`);
  } catch {
    return reportFault(
      `${folder} doesn't exist, and this user can't create it`,
      `Create it for the gateway's user, or specify another folder with --data.`,
    );
  }
}

const getFreeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

const formatBytes = (bytes: number): string =>
  bytes >= LOW_FREE_BYTES ? `${Math.floor(bytes / LOW_FREE_BYTES)} GiB` : `${Math.floor(bytes / MEBIBYTE)} MiB`;

/** Returns the median time of several fsyncs of a small file. */
async function measureFsync(folder: string): Promise<number | CheckResult> {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      const times: number[] = [];
      for (let index = 0; index < FSYNC_PROBES; index++) {
        writeSync(descriptor, Buffer.alloc(4096));
        times.push((await measureTime(() => fsyncSync(descriptor))).ms);
      }
      return times.toSorted((one, other) => one - other)[Math.floor(FSYNC_PROBES / 2)] ?? 0;
    } finally {
      closeSync(descriptor);
      rmSync(file, { force: true });
    }
  } catch (error) {
    const hint = "Make the gateway's user its owner, or specify another folder with --data.";
    return reportFault(`${folder} isn't writable (${getErrorCode(error) ?? 'unknown'})`, hint);
  }
}

/** Returns the first of folder, database, and pepper that other users can read. */
function findExposedFile(folder: string): string | undefined {
  const files = [folder, join(folder, 'modelgate.sqlite'), join(folder, 'pepper')];
  return files.find((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0);
}
