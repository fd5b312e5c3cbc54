/** Writes a generated file, or with `--check` says whether the one on disk is fresh. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A file that a generator makes. */
export interface Output {
  /** Its place, seen from this folder. */
  readonly path: string;
  readonly text: string;
}

const place = (path: string) => new URL(path, import.meta.url);

/** Whether the file on disk is exactly what the generator makes now. */
export const isFresh = ({ path, text }: Output) => existsSync(place(path)) && readFileSync(place(path), 'utf8') === text;

/** Runs a generator from the command line: writes its file, or fails with `--check` where the file is stale. */
export function publish(output: Output, isCheck = process.argv.includes('--check')): void {
  const fresh = isFresh(output);
  if (isCheck && !fresh) process.exitCode = 1;
  if (!isCheck && !fresh) writeFileSync(place(output.path), output.text);
  const state = fresh ? 'is fresh' : isCheck ? 'is stale: run `npm run generate`' : 'written';
  console.log(`${posix.join('docs/generate', output.path)} ${state}`);
}
