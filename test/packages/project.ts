/** A fresh project of somebody else, with our packages unpacked into it as npm does it where a package depends on no other. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { consumers } from '../harness/tools.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
export const theirs = join(consumers.folder, 'node_modules');

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Project {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs a program in the folder, and resolves however it ends. */
  run(program: string, words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>;
  /** What the compiler says; empty where all is well. */
  compile(compiler: Compiler, options: CompilerOptions): Promise<string>;
  remove(): Promise<void>;
}

/** By version: two as packages of the apps, one our own. */
export const compilers = {
  '5.9': join(theirs, 'typescript-5.9/bin/tsc'),
  '6.0': join(root, 'node_modules/typescript/bin/tsc'),
  '7.0': join(theirs, 'typescript-7.0/bin/tsc'),
};
export type Compiler = keyof typeof compilers;

export interface CompilerOptions extends Readonly<Record<string, unknown>> {
  readonly files: readonly string[];
}

export const bun = join(theirs, '@oven/bun-linux-x64-baseline/bin/bun');

/** `packages`: ours. `others`: of those that `npm run test:tools` has installed. `here`: of those that this repository has. */
export async function openProject(
  packages: readonly string[],
  others: readonly string[] = [],
  here: readonly string[] = [],
): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-project-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  for (const name of packages) await unpack(name, join(folder, 'node_modules', name));
  for (const name of others) await link(join(theirs, name), join(folder, 'node_modules', name));
  for (const name of here) await link(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  return {
    folder,
    async write(files) {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), text);
      }
    },
    run: (program, words, env) => execute(program, words, { cwd: folder, env: env ?? {} }),
    async compile(compiler, { files, ...options }) {
      const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, target: 'es2022' };
      const compilerOptions = { ...strict, lib: ['es2022'], types: ['node'], outDir: 'out', rootDir: '.', ...options };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const { code, stdout, stderr } = await execute(process.execPath, [compilers[compiler], '-p', folder], { cwd: folder, env: {} });
      return code === 0 ? '' : `${stdout}${stderr}`;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function link(to: string, place: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  await symlink(to, place);
}

async function unpack(name: string, folder: string): Promise<void> {
  const tarball = inject('tarballs')[name];
  if (tarball === undefined) throw new Error(`${name} was not packed`);
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
}

/** Node 22 says of its SQLite that it may change. */
const experimental = /^\(node:\d+\) ExperimentalWarning: .*\n(?:\(Use .*--trace-warnings.*\n)?/gm;

interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

function execute(program: string, words: readonly string[], { cwd, env }: Surroundings): Promise<Outcome> {
  const own = { PATH: process.env.PATH ?? '', HOME: cwd, ...env };
  return new Promise((resolve) => {
    execFile(program, words, { cwd, env: own, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr: stderr.replaceAll(experimental, '') });
    });
  });
}
