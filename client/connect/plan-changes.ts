/** Finds a tool's files, plans the changes to them, and formats the changes as a diff without secrets. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { editDocument, findBypasses, UnreadableFileError } from './edit-document.ts';
import type { ConfigFile, Recipe, ToolModel } from './recipes/recipe.ts';

export interface HostEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly workingFolder: string;
  readonly platform: NodeJS.Platform;
}

export interface Change {
  readonly path: string;
  /** The path with `~`, for display. */
  readonly shownPath: string;
  readonly before: Buffer | null;
  readonly after: Buffer;
  /** Names in the file that can send calls elsewhere despite the settings. */
  readonly bypasses: readonly string[];
}

/** Returns the path of a tool's file on this machine. */
export function resolveConfigPath(file: ConfigFile, host: HostEnvironment): string {
  const path = getDefaultPath(file, host);
  const names = [basename(path), ...(file.otherNames ?? [])];
  return names.map((name) => join(dirname(path), name)).find((one) => existsSync(one)) ?? path;
}

function getDefaultPath({ path, otherPaths, folderVariable }: ConfigFile, { env, home, workingFolder, platform }: HostEnvironment): string {
  const folder = folderVariable === undefined ? undefined : env[folderVariable];
  if (folder) return join(resolve(workingFolder, folder), basename(path));
  const platformPath = (platform === 'darwin' || platform === 'win32' ? otherPaths?.[platform] : undefined) ?? path;
  if (platformPath.startsWith('~/.config/'))
    return join(toAbsolute(env.XDG_CONFIG_HOME) ?? join(home, '.config'), platformPath.slice('~/.config/'.length));
  if (platformPath.startsWith('~/')) return join(home, platformPath.slice(2));
  return platformPath.startsWith('%APPDATA%')
    ? join(env.APPDATA ?? join(home, 'AppData/Roaming'), platformPath.slice('%APPDATA%'.length))
    : resolve(workingFolder, platformPath);
}

/** Returns undefined for a relative path, because the XDG specification says to ignore relative paths in its variables. */
export const toAbsolute = (path: string | undefined): string | undefined => (path !== undefined && isAbsolute(path) ? path : undefined);

export function formatPath(path: string, { home }: HostEnvironment): string {
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

/** Returns the contents of a tool's existing files. Their paths don't depend on the model, so a placeholder is used. */
export function readExistingFiles({ files }: Recipe, host: HostEnvironment): readonly string[] {
  const model: ToolModel = { id: '', contextWindow: null, maxOutput: 0, tools: false, images: false, reasoning: false };
  const paths = files({ baseUrl: '', key: '', model, models: [], hasImages: false }).map((file) => resolveConfigPath(file, host));
  return paths.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8'));
}

/** Computes the changes without writing anything. */
export function planChanges(files: readonly ConfigFile[], host: HostEnvironment): readonly Change[] {
  return files.map((file) => {
    const path = resolveConfigPath(file, host);
    const name = formatPath(path, host);
    const before = existsSync(path) ? readFileOrThrow(path, name) : null;
    const after = editFile(before, file, name);
    return { path, shownPath: name, before, after: Buffer.from(after), bypasses: findBypasses(after, file) };
  });
}

function readFileOrThrow(path: string, name: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UnreadableFileError(`Can't read ${name}: ${error instanceof Error ? error.message : String(error)}. Nothing was changed.`);
  }
}

function editFile(before: Buffer | null, file: ConfigFile, name: string): string {
  try {
    return editDocument(before === null ? '' : utf8.decode(before), file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadableFileError(`Can't edit ${name}: ${reason}. Nothing was changed. Correct the file, then run the command again.`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const isChange = ({ before, after }: Change): boolean => before === null || !before.equals(after);

/** Formats the change like `diff -u`, without secrets. */
export function formatDiff({ shownPath: name, before, after }: Change): string {
  const text = createTwoFilesPatch(before === null ? '/dev/null' : name, name, before?.toString() ?? '', after.toString());
  return hideSecrets(text.slice(text.indexOf('--- ')));
}

const gatewayKeyPattern = /\bmg-[\w-]{4,}(?=[\w-]{4})/g;
/** A name that ends in key, token, secret, or password, with its value, unless the value only refers to a variable. */
const secretPattern =
  /((?:key|token|secret|password)["']?\s*[:=]\s*["']?)(?!mg-|MODELGATE_|\$|\{|os\.environ|process\.env)([^\s"',}]{6,})/gi;

/** Keeps the last four characters of each key. */
export const hideKeys = (text: string): string => text.replaceAll(gatewayKeyPattern, 'mg-…');
export const hideSecrets = (text: string): string => hideKeys(text).replaceAll(secretPattern, '$1…');
