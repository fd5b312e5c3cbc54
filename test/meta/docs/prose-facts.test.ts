/** Facts in prose: each command that is named exists, and each status beside an error code is that of the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorTable } from '../../../contract/errors.ts';
import { modelgate } from '../../harness/command-line.ts';

const root = new URL('../../../', import.meta.url);
const below = (folder: string, ending: RegExp): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !name.includes('dist/'))
    .map((name) => `${folder}${name}`);
const files = [
  'README.md',
  'docs/generated/errors.md',
  ...below('docs/guides/', /\.md$/),
  ...below('docs/site/errors/', /\.ts$/),
  ...below('client/pages/src/texts/', /\.ts$/),
];
const texts = files.map((file) => ({ file, text: readFileSync(new URL(file, root), 'utf8') }));

/** The names of the commands in the help of a program or a group. */
async function commandsIn(words: readonly string[]): Promise<ReadonlySet<string>> {
  const { stdout } = await modelgate([...words, '--help']);
  const [, list = ''] = stdout.split(/\nCommands:\n/);
  return new Set([...(list.split(/\n\n/, 1)[0] ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => name));
}

test('every command in prose exists', async () => {
  const named = new Map<string, string>();
  for (const { file, text } of texts)
    for (const [, words = ''] of text.matchAll(/`modelgate ((?:[a-z][a-z-]+)(?: [a-z][a-z-]+)?)(?=[ `])/g)) named.set(words, file);
  const programs = await commandsIn([]);
  const unknown: string[] = [];
  const groups = new Map<string, ReadonlySet<string>>();
  for (const [words, file] of named) {
    const [first = '', second] = words.split(' ');
    if (!programs.has(first)) unknown.push(`${file}: modelgate ${words}`);
    else if (second !== undefined) {
      const group = groups.get(first) ?? (await commandsIn([first]));
      groups.set(first, group);
      if (group.size > 0 && !group.has(second)) unknown.push(`${file}: modelgate ${words}`);
    }
  }
  expect(named.size).toBeGreaterThan(20);
  expect(unknown).toEqual([]);
});

test('every status beside an error code is the one of the table', () => {
  const wrong = texts.flatMap(({ file, text }) =>
    [...text.matchAll(/\b([45]\d\d)[`]?,? `?([a-z]+(?:_[a-z]+)+)\b/g)].flatMap(([pair, status, code = '']) => {
      const row = Object.hasOwn(errorTable, code) ? errorTable[code as keyof typeof errorTable] : undefined;
      return row === undefined || row.status === Number(status) ? [] : [`${file}: ${pair}`];
    }),
  );
  expect(wrong).toEqual([]);
});
