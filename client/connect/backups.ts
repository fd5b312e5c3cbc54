/** Writes a tool's files, keeps the original ones, and restores them. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Change, type HostEnvironment, toAbsolute } from './plan-changes.ts';

/** A file as it was before the first connection. */
interface OriginalFile {
  readonly path: string;
  /** Name of the backup copy. Null if the file didn't exist. */
  readonly copy: string | null;
  readonly mode: number;
  /** SHA-256 of the content that was last written. If the file's hash differs, the file was changed since. */
  readonly written: string;
  /** Names of the copies of later changes by the user or the tool, made before the file was written again. */
  readonly changed: readonly string[];
}

/** The gateway and model that a tool was connected to. */
export interface PreviousConnection {
  readonly baseUrl: string;
  readonly model: string;
  /** Whether the tool reads the key from the environment. */
  readonly keyFromEnv: boolean;
  /** ID of the key that the command created. Null if the user specified a key. */
  readonly createdKey: string | null;
}

interface BackupIndex {
  readonly earlier: PreviousConnection | null;
  readonly files: readonly OriginalFile[];
  /** Created folders, parents first. */
  readonly folders: readonly string[];
}

interface UndoResult {
  readonly restored: readonly string[];
  readonly deleted: readonly string[];
  /** Paths of the copies of files that were changed after they were written. */
  readonly kept: readonly string[];
}

const computeSha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Only the user can read these files, because they may contain the key. */
const PRIVATE_FILE_MODE = 0o600;

/** Backups of one tool's original files, in a separate folder. */
export class Backups {
  readonly folder: string;
  readonly #indexPath: string;

  constructor(tool: string, { env, home }: HostEnvironment) {
    this.folder = join(toAbsolute(env.XDG_STATE_HOME) ?? join(home, '.local/state'), 'modelgate/connect', tool);
    this.#indexPath = join(this.folder, 'originals.json');
  }

  #readIndex(): BackupIndex {
    // `as`: only this program writes the list.
    return existsSync(this.#indexPath)
      ? (JSON.parse(readFileSync(this.#indexPath, 'utf8')) as BackupIndex)
      : { earlier: null, files: [], folders: [] };
  }

  #saveIndex(backupIndex: BackupIndex): void {
    replaceFile(this.#indexPath, Buffer.from(`${JSON.stringify(backupIndex, null, 2)}\n`), PRIVATE_FILE_MODE);
  }

  findEarlier(): PreviousConnection | null {
    return this.#readIndex().earlier;
  }

  /** Treats changes that the tool made to its files during the test as ours, so that undo doesn't copy them. */
  accept(): void {
    const backupIndex = this.#readIndex();
    const files = backupIndex.files.map((file) =>
      existsSync(file.path) ? { ...file, written: computeSha256(readFileSync(file.path)) } : file,
    );
    if (files.length > 0) this.#saveIndex({ ...backupIndex, files });
  }

  /** Backs up all files before it changes the first one, so that an interruption loses nothing. */
  write(changes: readonly Change[], earlier: PreviousConnection): void {
    const { files, folders } = this.#readIndex();
    if (changes.length === 0 && files.length === 0) return;
    const targets = changes.map((change) => ({ ...change, path: resolveTarget(change.path) }));
    const newFolders = [this.folder, ...targets.map(({ path }) => dirname(path))].flatMap(listMissingFolders);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const originalsByPath = new Map(files.map((file) => [file.path, file]));
    const backedUpFiles = targets.map((change, index) => this.#backUp(change, originalsByPath.get(change.path), files.length + index));
    const otherFiles = files.filter((one) => backedUpFiles.every(({ path }) => path !== one.path));
    this.#saveIndex({ earlier, files: [...otherFiles, ...backedUpFiles], folders: [...new Set([...folders, ...newFolders])] });
    for (const { path, after } of targets) {
      mkdirSync(dirname(path), { recursive: true });
      replaceFile(path, after, PRIVATE_FILE_MODE);
    }
  }

  #backUp({ path, before, after }: Change, original: OriginalFile | undefined, number: number): OriginalFile {
    if (original) {
      const wasChangedByOthers = before !== null && computeSha256(before) !== original.written;
      const changed = wasChangedByOthers
        ? [...original.changed, this.#writeCopy(before, path, `changed-${original.changed.length}-${number}`)]
        : original.changed;
      return { ...original, written: computeSha256(after), changed };
    }
    const mode = before === null ? PRIVATE_FILE_MODE : statSync(path).mode & 0o777;
    return { path, copy: before && this.#writeCopy(before, path, `${number}`), mode, written: computeSha256(after), changed: [] };
  }

  #writeCopy(bytes: Buffer, path: string, prefix: string): string {
    const name = `${prefix}-${basename(path)}`;
    writeFileSync(join(this.folder, name), bytes, { mode: PRIVATE_FILE_MODE });
    return name;
  }

  /** Restores each file byte for byte, and deletes created files. Null if nothing was written. */
  undo(): UndoResult | null {
    const { files, folders } = this.#readIndex();
    if (files.length === 0) return null;
    const changedCopies = files.flatMap((file) => [...file.changed, ...this.#copyChangedFile(file)]);
    for (const { path, copy, mode } of files) {
      if (copy === null && existsSync(path)) rmSync(path);
      else if (copy !== null) {
        mkdirSync(dirname(path), { recursive: true });
        replaceFile(path, readFileSync(join(this.folder, copy)), mode);
      }
    }
    // The list is removed before the copies, so that an interruption from here on leaves only unused copies.
    rmSync(this.#indexPath);
    for (const { copy } of files) if (copy !== null) rmSync(join(this.folder, copy), { force: true });
    for (const folder of [...folders, this.folder].toReversed()) removeIfEmpty(folder);
    const listPaths = (isRestored: boolean) => files.filter(({ copy }) => (copy !== null) === isRestored).map(({ path }) => path);
    return { restored: listPaths(true), deleted: listPaths(false), kept: changedCopies.map((name) => join(this.folder, name)) };
  }

  /** Copies the file if the user or the tool changed it after it was written. */
  #copyChangedFile({ path, written }: OriginalFile): readonly string[] {
    const currentBytes = existsSync(path) ? readFileSync(path) : null;
    return currentBytes === null || computeSha256(currentBytes) === written
      ? []
      : [this.#writeCopy(currentBytes, path, `changed-${Date.now()}`)];
  }
}

/** Follows symbolic links, even if the target doesn't exist. */
function resolveTarget(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? resolveTarget(resolve(dirname(path), readlinkSync(path))) : path;
}

/** Writes to a draft and renames it, so that the file is never half written. */
function replaceFile(path: string, bytes: Buffer, mode: number): void {
  const draftPath = `${path}.modelgate-${process.pid}`;
  writeFileSync(draftPath, bytes, { mode });
  // The umask can remove permissions from a new file, so set them again.
  chmodSync(draftPath, mode);
  renameSync(draftPath, path);
}

/** Returns the missing folders, parents first. */
function listMissingFolders(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [...listMissingFolders(dirname(folder)), folder];
}

function removeIfEmpty(folder: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder && readdirSync(folder).length === 0) rmdirSync(folder);
}
