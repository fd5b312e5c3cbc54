/** The data-folder check of `modelgate doctor`: it exists, is private, writable and not full. */
import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, fault, milliseconds, ok, timed, type Verdict, warning } from './finding.ts';

const MEBIBYTE = 1_048_576;
/** Below the first value it is a fault, below the second a warning. */
const LEAST_FREE = 100 * MEBIBYTE;
const LITTLE_FREE = 1024 * MEBIBYTE;
/** Slower than this is a warning: every durable commit waits for an fsync. */
const SLOW_FSYNC_MS = 50;
const PROBES = 5;

export async function examineFolder(folder: string): Promise<Verdict> {
  if (!existsSync(folder)) return absent(folder);
  if (!statSync(folder).isDirectory()) return fault(`${folder} is not a folder`, 'Move the file away, or name another folder with --data.');
  const free = freeBytes(folder);
  if (free < LEAST_FREE) return fault(`${mebibytes(free)} are free in ${folder}`, 'Make room: a full disk stops every paid call.');
  const written = await probe(folder);
  if (typeof written !== 'number') return written;
  const facts = `${folder}, ${mebibytes(free)} free, fsync ${milliseconds(written)}`;
  const open = openToOthers(folder);
  if (open !== undefined)
    return warning(`${facts}; other users of this machine may read ${open}`, `Remove that permission: chmod go-rwx '${open}'`);
  if (free < LITTLE_FREE) return warning(facts, 'Make room before it is full: a full disk stops every paid call.');
  if (written > SLOW_FSYNC_MS) return warning(facts, 'The disk is slow to sync; with durability: strict every paid call waits for it.');
  return ok(facts);
}

/** The first start creates it, if it may. */
function absent(folder: string): Verdict {
  let parent = dirname(folder);
  while (!existsSync(parent)) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK);
    if (!statSync(parent).isDirectory()) throw new Error(`${parent} is not a folder`);
    return ok(`${folder} does not exist yet; the first start creates it`);
  } catch {
    return fault(
      `${folder} does not exist, and this user may not create it`,
      `Create it for the user of the gateway, or name another with --data.`,
    );
  }
}

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};
const mebibytes = (bytes: number): string =>
  bytes >= LITTLE_FREE ? `${Math.floor(bytes / LITTLE_FREE)} GiB` : `${Math.floor(bytes / MEBIBYTE)} MiB`;

/** The median time of several fsyncs of a small file. */
async function probe(folder: string): Promise<number | Verdict> {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      const times: number[] = [];
      for (let index = 0; index < PROBES; index++) {
        writeSync(descriptor, Buffer.alloc(4096));
        times.push((await timed(() => fsyncSync(descriptor))).ms);
      }
      return times.toSorted((one, other) => one - other)[Math.floor(PROBES / 2)] ?? 0;
    } finally {
      closeSync(descriptor);
      rmSync(file, { force: true });
    }
  } catch (error) {
    const hint = 'Make the user of the gateway its owner, or name another folder with --data.';
    return fault(`${folder} cannot be written (${codeOf(error) ?? 'unknown'})`, hint);
  }
}

/** The first of folder, database and pepper that other users may read. */
function openToOthers(folder: string): string | undefined {
  const files = [folder, join(folder, 'modelgate.sqlite'), join(folder, 'pepper')];
  return files.find((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0);
}
