/** Checks out other commits of this repository, for gateways that are compared with those of today. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Parts of a commit that a gateway needs. Packages are those of today. */
const PATHS = ['server', 'contract', 'client', 'docs', 'package.json', 'package-lock.json'];
/** Where the command line is, or was. */
const PROGRAMS = ['server/operate/launch.mjs', 'server/commands/launch.mjs'];
const MAX_BYTES = 1_073_741_824;

const git = (...words: readonly string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/** Returns null for a revision that this clone doesn't have. */
export function findCommit(revision: string): string | null {
  try {
    return git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`);
  } catch {
    return null;
  }
}

/** Returns the newest version tag, or null before the first release. */
export const findRelease = (): string | null => git('tag', '--list', 'v[0-9]*', '--sort=-v:refname').split('\n')[0] || null;

/** Returns the command line of the commit. Its folder is below the repository, so that it finds the packages, and replaces the previous one for the same purpose. */
export function checkOut(commit: string, purpose: string): { readonly folder: string; readonly program: string } {
  const folder = join(root, '.cache/checkouts', purpose, commit);
  const findProgram = () => PROGRAMS.map((path) => join(folder, path)).find((path) => existsSync(path));
  const found = findProgram();
  if (found !== undefined) return { folder, program: found };
  rmSync(dirname(folder), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = execFileSync('git', ['archive', commit, ...PATHS], { cwd: root, maxBuffer: MAX_BYTES });
  execFileSync('tar', ['-x', '-C', folder], { input: files });
  const program = findProgram();
  if (program === undefined) throw new Error(`${commit} has no command line at ${PROGRAMS.join(' or ')}`);
  return { folder, program };
}
