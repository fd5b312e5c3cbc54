/** Links, files, and functions that Markdown files name exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './architecture/sources.ts';

const ofRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
const ofDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !name.startsWith('site/dist'))
  .map((name) => join('docs', name));

/** Code shows links as examples: they lead nowhere. */
const withoutCode = (page: string): string => page.replace(/^( *)```[\s\S]*?^\1```/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors of a page as GitHub makes them from its headings; a second heading with the same text gets a number. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>([...page.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id = '']) => id));
  for (const [, heading = ''] of page.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again++) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** `page` is a path from the root. */
function deadLinksIn(page: string, text: string): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)|^\[[^\]]+\]: (\S+)$/gm)].map(
    ([, one, other]) => one ?? other ?? '',
  );
  return links.filter((link) => {
    // Addresses on the web, and paths of a running gateway.
    if (/^([a-z]+:|\/)/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? join(root, page) : join(root, dirname(page), file);
    if (!existsSync(target) || relative(root, target).startsWith('..')) return true;
    const isPage = target.endsWith('.md');
    return anchor !== undefined && isPage && !anchorsOf(file === '' ? text : readFileSync(target, 'utf8')).has(anchor);
  });
}

test.each([...ofRoot, 'client/sdk/README.md', ...ofDocs])('finds no dead link in %s', (page) => {
  expect(deadLinksIn(page, readFileSync(join(root, page), 'utf8'))).toEqual([]);
});

const pageText = (page: string): string => readFileSync(join(root, page), 'utf8');

test('names each function in docs/lifecycle.md beside the file that has it', () => {
  const named = [...pageText('docs/lifecycle.md').matchAll(/(server\/[\w./-]+) \(([\w, ]+)\)/g)].flatMap(([, file = '', names = '']) =>
    names.split(', ').map((name) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ file, name }) => !new RegExp(`\\b${name}\\b`).test(pageText(file)))).toEqual([]);
});

test('finds a file for every term of the code in docs/architecture.md', () => {
  const terms = [...pageText('docs/architecture.md').matchAll(/^\| ([A-Z][\w ]+) \|.*\/([\w-]+)\.ts\)/gm)];
  expect(terms.length).toBeGreaterThan(10);
  const elsewhere = terms.filter(
    ([, term = '', file = '']) =>
      !term
        .toLowerCase()
        .split(' ')
        .every((word) => file.includes(word)),
  );
  expect(elsewhere.map(([row]) => row)).toEqual([]);
});
