/** Finds a Node on this machine that is too old for the gateway. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const isOld = (program: string): boolean => {
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) < 22 || (Number(major) === 22 && Number(minor) < 19);
};

const found = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));

/** Path of that Node; null when there is none. */
export const oldNode = found.find((program) => existsSync(program) && isOld(program)) ?? null;
