/** The pages that lead through the repository name files that exist, and the tree of the architecture page has every folder of the server. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/sources.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Paths from the root; one with a `<name>` or a `*` in it stands for many. */
const pathsIn = (page: string): string[] =>
  [...page.matchAll(/(?<![\w./-])((?:client|contract|docs|server|test)\/[\w./<>*-]*\w\/?)(?![\w<*])/g)]
    .map(([, path = '']) => path)
    .filter((path) => !/[<*]/.test(path));

describe.each(['CONTRIBUTING.md', 'docs/architecture.md', 'docs/lifecycle.md'])('%s', (name) => {
  it('names files and folders that exist', () => {
    const paths = pathsIn(read(name));
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('the tree of the architecture page has each folder and each file of server/', () => {
  const page = read('docs/architecture.md');
  const tree = page.slice(page.indexOf('```text\n'), page.indexOf('\n```\n'));
  const drawn = new Set(tree.match(/(?<=\s)[\w.-]+\/|[\w-]+\.ts/g));
  const entries = readdirSync(join(root, 'server'), { withFileTypes: true }).map(
    (entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`,
  );
  expect(entries.length).toBeGreaterThan(20);
  expect(entries.filter((entry) => !drawn.has(entry))).toEqual([]);
});
