/** Programs of others that some tests run. `npm run test:tools` installs them outside the tree; tests only look whether they are there. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Tool {
  /** For people. */
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** There as soon as all of it is. */
  readonly program: string;
}

/** Of this user: what others could write to must not be run. */
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'modelgate-test-tools');

function toolOf(name: string, version: string, [short, program]: readonly [string, string]): Tool {
  const folder = join(cache, `${short}-${version}`);
  return { name, version, folder, program: join(folder, program) };
}

export const codex = toolOf('The Codex CLI', '0.169.0', ['codex', 'node_modules/.bin/codex']);
/** Of the apps that use our packages; the tree has one folder with what to install, and its lock file is the version. */
export const consumerLock = join(import.meta.dirname, '../fixtures/consumers/package-lock.json');
const consumerVersion = createHash('sha256').update(readFileSync(consumerLock)).digest('hex').slice(0, 12);
export const consumers = toolOf('What apps with our packages are made of', consumerVersion, [
  'consumers',
  'node_modules/typescript-7.0/bin/tsc',
]);
export const python = toolOf('The openai package for Python', '3.52.0', ['openai-python', 'bin/python']);

/** What is installed for it; another list is another folder. */
export const generatorPackages = join(import.meta.dirname, '../generators/requirements.txt');
const listed = createHash('sha256').update(readFileSync(generatorPackages)).digest('hex').slice(0, 12);
export const generators = toolOf('The set of code generators in Python and Java', listed, ['generators', 'bin/python']);
export const goGenerator = toolOf('oapi-codegen', 'v2.8.2', ['oapi-codegen', 'bin/oapi-codegen']);

/** Why it cannot be tested with here, or null; to be told with every test that is left out. */
export const codexMissing: string | null = missing(codex);
export const pythonMissing: string | null = missing(python);
export const consumersMissing: string | null = missing(consumers);
export const generatorsMissing: string | null = missing(generators);
export const goGeneratorMissing: string | null = missing(goGenerator);

function missing({ name, version, program }: Tool): string | null {
  return existsSync(program) ? null : `${name} ${version} is not installed here; npm run test:tools does it.`;
}

/** For the name of a test. */
export const leftOut = (reason: string | null): string => (reason === null ? '' : `, LEFT OUT: ${reason}`);
