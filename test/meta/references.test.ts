/** What comments and pages refer to is in the repository: numbers of failures, pages, decisions and files. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSources, root } from './architecture/sources.ts';
import { commentsOf } from './references/comments.ts';
import { linksOf, namedNumbers, rowsOfPage } from './references/numbers.ts';
import { deadReferences } from './references/targets.ts';

const sources = readSources();
const paths = sources.map(({ path }) => path);
const comments = sources.flatMap(commentsOf);
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = textOf('docs/failures.md');
const rows = rowsOfPage(page);

describe('the page of known failures', () => {
  test('explains every number that a test title or a comment names', () => {
    const named = namedNumbers(sources, comments);
    expect(named.size).toBeGreaterThan(90);
    expect([...named].filter(([number]) => !rows.has(number))).toEqual([]);
  });

  test('links to files that exist', () => {
    expect(linksOf(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('links each row to tests that name its number', () => {
    const strangers = [...rows].flatMap(([number, paths]) =>
      paths
        .filter((path) => path.startsWith('test/') && !new RegExp(`\\b${number}\\b`).test(textOf(path)))
        .map((path) => `${number}: ${path}`),
    );
    expect(strangers).toEqual([]);
    expect([...rows].filter(([, paths]) => !paths.some((path) => path.startsWith('test/')))).toEqual([]);
  });
});

describe('the glossary', () => {
  const glossary = textOf('docs/glossary.md');

  test('names files that exist', () => {
    const files = linksOf(glossary);
    expect(files.length).toBeGreaterThan(80);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('names for each word of this repository a file that contains it', () => {
    const words = [...glossary.matchAll(/^\| (\w+) \| .* \| \[[^\]]+\]\(\.\.\/([^)]+)\) \|$/gm)];
    expect(words.length).toBeGreaterThan(30);
    const missing = words.filter(([, word = '', path = '']) => !new RegExp(word, 'i').test(path + textOf(path)));
    expect(missing.map(([row]) => row)).toEqual([]);
  });
});

describe('what is found in a source', () => {
  const text = [
    '/** One (A1). */',
    "test('F02, G3: two', () => {}); // B3",
    `const no = 'F04: no title', none = \`// F05 \${/* C6 */ no} // F07\`, pattern = /[/*] F08 [*/]/;`,
    'const list = [',
    '  no, // F09 to F11',
    '  /* D12 */ none,',
    '];',
  ].join('\n');

  test('are its comments, without strings that look like comments', () => {
    const found = commentsOf({ path: 'test/a.ts', text }).map(({ line, text: comment }) => `${line}: ${comment}`);
    expect(found).toEqual(['1: /** One (A1). */', '2: // B3', '3: /* C6 */', '5: // F09 to F11', '6: /* D12 */']);
  });

  test('are the numbers in its titles and comments, also those within a range', () => {
    const source = { path: 'test/a.ts', text };
    const found = namedNumbers([source], commentsOf(source));
    expect([...found.keys()].sort()).toEqual(['A1', 'B3', 'C6', 'D12', 'F02', 'F09', 'F10', 'F11']);
  });
});

describe('a comment', () => {
  test('refers to nothing outside of the repository', () => {
    expect(comments.length).toBeGreaterThan(5_000);
    expect(deadReferences(comments, paths)).toEqual([]);
  });

  test.each([
    '(specification part 4; status 413)',
    'in the order of the specification',
    '(specification 4.6)',
    '(product rule: lossless or loud)',
    'see the product page',
    '(promise: nobody guesses an id)',
    '(part 9)',
    'promise G77',
    'docs/decisions/0999',
    'decision 999',
    'see `request/nowhere.ts`',
    'docs/nothing.md says why',
  ])('that refers to %j is found', (text) => {
    expect(deadReferences([{ path: 'server/a.ts', line: 1, text: `/** One ${text}. */` }], paths)).toHaveLength(1);
  });

  test.each([
    'promise G1',
    'docs/decisions/0037',
    'decision 28',
    '(0013)',
    'request/failover.ts',
    'failover.ts',
    'docs/translation.md',
    'as `*.both-stores.test.ts` says',
    'part of a product, in parts',
  ])('that refers to %j is fine', (text) => {
    expect(deadReferences([{ path: 'server/a.ts', line: 1, text: `/** One ${text}. */` }], paths)).toEqual([]);
  });
});
