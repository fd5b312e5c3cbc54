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
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { ConfigFile, Recipe, ToolModel } from '../../client/connect/recipe.ts';
import { editDocument, UnreadableFile } from './edit.ts';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly workingFolder: string;
  readonly platform: NodeJS.Platform;
}

export interface Change {
  readonly path: string;
  /** The path with `~`, for people. */
  readonly shownPath: string;
  readonly before: Buffer | null;
  readonly after: Buffer;
}

/** Where the file of a tool is on this machine. */
export function pathOf(file: ConfigFile, around: Surroundings): string {
  const path = usualPath(file, around);
  const names = [basename(path), ...(file.otherNames ?? [])];
  return names.map((name) => join(dirname(path), name)).find((one) => existsSync(one)) ?? path;
}

function usualPath({ path, otherPaths, folderVariable }: ConfigFile, { env, home, workingFolder, platform }: Surroundings): string {
  const folder = folderVariable === undefined ? undefined : env[folderVariable];
  if (folder) return join(resolve(workingFolder, folder), basename(path));
  const own = (platform === 'darwin' || platform === 'win32' ? otherPaths?.[platform] : undefined) ?? path;
  if (own.startsWith('~/.config/')) return join(absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config'), own.slice('~/.config/'.length));
  if (own.startsWith('~/')) return join(home, own.slice(2));
  return own.startsWith('%APPDATA%')
    ? join(env.APPDATA ?? join(home, 'AppData/Roaming'), own.slice('%APPDATA%'.length))
    : resolve(workingFolder, own);
}

/** Relative paths in XDG's variables are ignored, as their specification says. */
const absolute = (path: string | undefined): string | undefined => (path !== undefined && isAbsolute(path) ? path : undefined);

export function shownPath(path: string, { home }: Surroundings): string {
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

/** The texts of a tool's files that exist. Where they are depends on no model. */
export function readPresent({ files }: Recipe, around: Surroundings): readonly string[] {
  const model: ToolModel = { id: '', contextWindow: null, maxOutput: 0, tools: false, images: false, reasoning: false };
  const paths = files({ baseUrl: '', key: '', model, models: [], hasImages: false }).map((file) => pathOf(file, around));
  return paths.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8'));
}

/** What would be written. Nothing is changed yet. */
export function planChanges(files: readonly ConfigFile[], around: Surroundings): readonly Change[] {
  return files.map((file) => {
    const path = pathOf(file, around);
    const name = shownPath(path, around);
    const before = existsSync(path) ? readOrExplain(path, name) : null;
    return { path, shownPath: name, before, after: Buffer.from(edit(before, file, name)) };
  });
}

function readOrExplain(path: string, name: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UnreadableFile(`Can't read ${name}: ${error instanceof Error ? error.message : String(error)}. Nothing was changed.`);
  }
}

function edit(before: Buffer | null, file: ConfigFile, name: string): string {
  try {
    return editDocument(before === null ? '' : utf8.decode(before), file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadableFile(`Can't edit ${name}: ${reason}. Nothing was changed. Correct the file, then run the command again.`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const isChange = ({ before, after }: Change): boolean => before === null || !before.equals(after);

/** As `diff -u` prints it, without secrets. */
export function diffOf({ shownPath: name, before, after }: Change): string {
  const text = createTwoFilesPatch(before === null ? '/dev/null' : name, name, before?.toString() ?? '', after.toString());
  return hideSecrets(text.slice(text.indexOf('--- ')));
}

const ownKeys = /\bmg-[\w-]{4,}(?=[\w-]{4})/g;
/** A name that ends in key, token, secret or password, and its value, unless that only refers to a variable. */
const others = /((?:key|token|secret|password)["']?\s*[:=]\s*["']?)(?!mg-|MODELGATE_|\$|\{|os\.environ|process\.env)([^\s"',}]{6,})/gi;

/** The last four characters stay. */
export const hideKeys = (text: string): string => text.replaceAll(ownKeys, 'mg-…');
export const hideSecrets = (text: string): string => hideKeys(text).replaceAll(others, '$1…');

/** One file as it was before the first connection. */
interface Original {
  readonly path: string;
  /** Name of the copy beside the list; null if there was no file. */
  readonly copy: string | null;
  readonly mode: number;
  /** SHA-256 of what was written last: a file that differs was changed since. */
  readonly written: string;
  /** Names of copies of what others had changed before it was written again. */
  readonly changed: readonly string[];
}

/** What a tool was connected to. */
export interface Earlier {
  readonly baseUrl: string;
  readonly model: string;
  /** Whether the tool reads the key from the environment. */
  readonly keyFromEnv: boolean;
  /** ID of the key that the command created; null if the user specified one. */
  readonly createdKey: string | null;
}

interface Memory {
  readonly earlier: Earlier | null;
  readonly files: readonly Original[];
  /** Folders that were created, each after the one that it is in. */
  readonly folders: readonly string[];
}

interface Undone {
  readonly restored: readonly string[];
  readonly deleted: readonly string[];
  /** Copies of files that were changed after they were written. */
  readonly kept: readonly string[];
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
/** Only the user can read it: the key may be in the file. */
const PRIVATE = 0o600;

/** The original files of one tool, in a separate folder. */
export class Backups {
  readonly folder: string;
  readonly #list: string;

  constructor(tool: string, { env, home }: Surroundings) {
    this.folder = join(absolute(env.XDG_STATE_HOME) ?? join(home, '.local/state'), 'modelgate/connect', tool);
    this.#list = join(this.folder, 'originals.json');
  }

  #read(): Memory {
    // Only this program writes the list.
    return existsSync(this.#list) ? (JSON.parse(readFileSync(this.#list, 'utf8')) as Memory) : { earlier: null, files: [], folders: [] };
  }

  #save(memory: Memory): void {
    replaceFile(this.#list, Buffer.from(`${JSON.stringify(memory, null, 2)}\n`), PRIVATE);
  }

  earlier(): Earlier | null {
    return this.#read().earlier;
  }

  /** Takes what the tool wrote to its files during the test as ours: undo makes no copy of it. */
  accept(): void {
    const memory = this.#read();
    const files = memory.files.map((file) => (existsSync(file.path) ? { ...file, written: sha256(readFileSync(file.path)) } : file));
    if (files.length > 0) this.#save({ ...memory, files });
  }

  /** Copies each file before it is changed, and only then changes it: an interruption loses nothing. */
  write(changes: readonly Change[], earlier: Earlier): void {
    const { files, folders } = this.#read();
    if (changes.length === 0 && files.length === 0) return;
    const targets = changes.map((change) => ({ ...change, path: targetOf(change.path) }));
    const missing = [this.folder, ...targets.map(({ path }) => dirname(path))].flatMap(missingFolders);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const formers = new Map(files.map((file) => [file.path, file]));
    const written = targets.map((change, index) => this.#keep(change, formers.get(change.path), files.length + index));
    const others = files.filter((one) => written.every(({ path }) => path !== one.path));
    this.#save({ earlier, files: [...others, ...written], folders: [...new Set([...folders, ...missing])] });
    for (const { path, after } of targets) {
      mkdirSync(dirname(path), { recursive: true });
      replaceFile(path, after, PRIVATE);
    }
  }

  #keep({ path, before, after }: Change, former: Original | undefined, number: number): Original {
    if (former) {
      const isOthers = before !== null && sha256(before) !== former.written;
      const changed = isOthers
        ? [...former.changed, this.#copy(before, path, `changed-${former.changed.length}-${number}`)]
        : former.changed;
      return { ...former, written: sha256(after), changed };
    }
    const mode = before === null ? PRIVATE : statSync(path).mode & 0o777;
    return { path, copy: before && this.#copy(before, path, `${number}`), mode, written: sha256(after), changed: [] };
  }

  #copy(bytes: Buffer, path: string, prefix: string): string {
    const name = `${prefix}-${basename(path)}`;
    writeFileSync(join(this.folder, name), bytes, { mode: PRIVATE });
    return name;
  }

  /** Restores each file byte for byte, and deletes those that weren't there. Null if nothing was written. */
  undo(): Undone | null {
    const { files, folders } = this.#read();
    if (files.length === 0) return null;
    const changed = files.flatMap((file) => [...file.changed, ...this.#copyChanged(file)]);
    for (const { path, copy, mode } of files) {
      if (copy === null && existsSync(path)) rmSync(path);
      else if (copy !== null) {
        mkdirSync(dirname(path), { recursive: true });
        replaceFile(path, readFileSync(join(this.folder, copy)), mode);
      }
    }
    // Without the list, what is left of an interrupted undo is only copies.
    rmSync(this.#list);
    for (const { copy } of files) if (copy !== null) rmSync(join(this.folder, copy), { force: true });
    for (const folder of [...folders, this.folder].toReversed()) removeIfEmpty(folder);
    const pathsOf = (isRestored: boolean) => files.filter(({ copy }) => (copy !== null) === isRestored).map(({ path }) => path);
    return { restored: pathsOf(true), deleted: pathsOf(false), kept: changed.map((name) => join(this.folder, name)) };
  }

  /** Keeps what the user or the tool changed later. */
  #copyChanged({ path, written }: Original): readonly string[] {
    const now = existsSync(path) ? readFileSync(path) : null;
    return now === null || sha256(now) === written ? [] : [this.#copy(now, path, `changed-${Date.now()}`)];
  }
}

/** Where a symbolic link leads, even if nothing is there. */
function targetOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? targetOf(resolve(dirname(path), readlinkSync(path))) : path;
}

/** Never leaves half a file. */
function replaceFile(path: string, bytes: Buffer, mode: number): void {
  const draft = `${path}.modelgate-${process.pid}`;
  writeFileSync(draft, bytes, { mode });
  // The umask reduces the mode of a new file.
  chmodSync(draft, mode);
  renameSync(draft, path);
}

/** Outermost first. */
function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder)), folder];
}

function removeIfEmpty(folder: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder && readdirSync(folder).length === 0) rmdirSync(folder);
}
