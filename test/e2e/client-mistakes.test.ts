/** Mistakes in code that uses the typed client do not compile, with one short error each. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
/** What fits on a line or two of an editor. */
const shortCharacters = 400;

interface Mistake {
  readonly line: number;
  readonly code: string;
  readonly expected: string;
}
interface Diagnostic {
  readonly line: number;
  /** The error with its further lines. */
  readonly text: string;
}

let folder = '';
let mistakes: readonly Mistake[] = [];
let found: readonly Diagnostic[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modelgate-mistakes-'));
  const source = await readFile(join(root, 'test/fixtures/client-app/mistakes.txt'), 'utf8');
  mistakes = source.split('\n').flatMap((text, index) => {
    const [, code = '', expected] = /^ {2,}(\S.*) \/\/ (TS\d+: .*)$/.exec(text) ?? [];
    return expected ? [{ line: index + 1, code, expected }] : [];
  });
  await writeFile(join(folder, 'app.mts'), source.replace('@modelgate/client', join(root, 'client/sdk/src/index.ts')));
  found = readDiagnostics(await compile());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function compile(): Promise<string> {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true };
  const node = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
  const compilerOptions = { target: 'es2022', module: 'nodenext', noEmit: true, allowImportingTsExtensions: true, ...node, ...strict };
  const tsconfig = { compilerOptions, files: ['app.mts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', folder, '--pretty', 'false']).catch((failed) => failed);
  return stdout;
}

/** `app.mts(12,3): error TS2339: …`, and lines behind it that begin with blanks. */
function readDiagnostics(output: string): Diagnostic[] {
  const parts = output.trim().split(/\n(?=\S)/);
  return parts.map((part) => {
    const [, line, text = part] = /app\.mts\((\d+),\d+\): error (.*)$/s.exec(part) ?? [];
    return { line: Number(line), text };
  });
}

test('returns the one error in the fixture for each mistake', () => {
  expect(mistakes.length).toBeGreaterThan(30);
  expect(found.map(({ line }) => line)).toEqual(mistakes.map(({ line }) => line));
  const others = mistakes.flatMap(({ line, expected }, index) =>
    found[index]?.text.startsWith(expected) ? [] : [{ line, expected, found: found[index]?.text }],
  );
  expect(others).toEqual([]);
});

test('keeps each error within 400 characters', () => {
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ text }) => text.length > shortCharacters)).toEqual([]);
});
