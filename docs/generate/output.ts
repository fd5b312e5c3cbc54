/** Writes a generated file, or checks with `--check` that the file on disk is up to date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A generated file. */
export interface Output {
  /** Path relative to docs/generate. */
  readonly path: string;
  readonly text: string;
}

const place = (path: string) => new URL(path, import.meta.url);

/** Whether the file on disk equals the generated text. */
export const isFresh = ({ path, text }: Output) => existsSync(place(path)) && readFileSync(place(path), 'utf8') === text;

/** Replaces the generated blocks of a handwritten page, between their markers. */
export function withBlocks(path: string, generator: string, blocks: Readonly<Record<string, string>>): Output {
  const text = Object.entries(blocks).reduce(
    (before, [name, block]) => {
      const [open, close] = [`<!-- ${name}: made by docs/generate/${generator}; do not edit -->`, `<!-- end of ${name} -->`];
      const [from, to] = [before.indexOf(open), before.indexOf(close)];
      if (from < 0 || to < from) throw new Error(`${path} has no place for '${name}' between its marks.`);
      return `${before.slice(0, from + open.length)}\n\n${block}\n\n${before.slice(to)}`;
    },
    readFileSync(place(path), 'utf8'),
  );
  return { path, text };
}

/** Runs a generator: writes the file, or sets the exit code to 1 if `--check` finds it stale. */
export function publish(output: Output, isCheck = process.argv.includes('--check')): void {
  const fresh = isFresh(output);
  if (isCheck && !fresh) process.exitCode = 1;
  if (!isCheck && !fresh) writeFileSync(place(output.path), output.text);
  const state = fresh ? 'is fresh' : isCheck ? 'is stale: run `npm run generate`' : 'written';
  console.log(`${posix.join('docs/generate', output.path)} ${state}`);
}
