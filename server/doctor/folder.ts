/** The data folder under `modelgate doctor`: there, private, writable, with room, and with the pepper of its keys. */
import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf, fault, milliseconds, ok, timed, type Verdict, warning } from './finding.ts';

const MEBIBYTE = 1_048_576;
/** Below the first nothing is safe to start, below the second it is time to look. */
const LEAST_FREE = 100 * MEBIBYTE;
const LITTLE_FREE = 1024 * MEBIBYTE;
/** Every durable commit waits this long. */
const SLOW_FSYNC_MS = 50;
const PROBES = 5;

export async function examineFolder(folder: string): Promise<Verdict> {
  if (!existsSync(folder)) return absent(folder);
  if (!statSync(folder).isDirectory()) return fault(`${folder} is no folder`, 'Move the file away, or name another folder with --data.');
  const free = freeBytes(folder);
  if (free < LEAST_FREE) return fault(`${mebibytes(free)} are free in ${folder}`, 'Make room: a full disk stops every paid call.');
  const written = await probe(folder);
  if (typeof written !== 'number') return written;
  const facts = `${folder}, ${mebibytes(free)} free, fsync ${milliseconds(written)}`;
  const open = openToOthers(folder);
  if (open !== undefined) return warning(`${facts}; others on this machine may read ${open}`, `Take that away: chmod go-rwx '${open}'`);
  if (free < LITTLE_FREE) return warning(facts, 'Make room before it is full: a full disk stops every paid call.');
  if (written > SLOW_FSYNC_MS)
    return warning(facts, 'The disk is slow to keep what it is given; with durability: strict every paid call waits for it.');
  return ok(facts);
}

/** Made at the first start, where that may be. */
function absent(folder: string): Verdict {
  let parent = dirname(folder);
  while (!existsSync(parent)) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK);
    if (!statSync(parent).isDirectory()) throw new Error(`${parent} is no folder`);
    return ok(`${folder} is not there yet; the first start makes it`);
  } catch {
    return fault(
      `${folder} is not there, and this user may not make it`,
      `Make it for the user of the gateway, or name another with --data.`,
    );
  }
}

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};
const mebibytes = (bytes: number): string =>
  bytes >= LITTLE_FREE ? `${Math.floor(bytes / LITTLE_FREE)} GiB` : `${Math.floor(bytes / MEBIBYTE)} MiB`;

/** The middle one of some times that a small file took to reach the disk. */
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
    const hint = 'Give the folder to the user that the gateway runs as, or name another with --data.';
    return fault(`${folder} cannot be written (${codeOf(error) ?? 'unknown'})`, hint);
  }
}

/** The first of folder, database and pepper that is not its owner's alone. */
function openToOthers(folder: string): string | undefined {
  const files = [folder, join(folder, 'modelgate.sqlite'), join(folder, 'pepper')];
  return files.find((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0);
}
