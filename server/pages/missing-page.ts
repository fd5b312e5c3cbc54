/** The page of an address of the documentation that has none: the built frame with its search, and the pages with the most similar addresses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutSlashesBehind } from './address.ts';

/** It is built with links from the root of the site, and with a list of all pages. */
export const MISSING = '404.html';

/** How many pages are offered. */
const MAX_OFFERED = 6;
/** Callers choose the address, and it is compared with that of each page. */
const MAX_COMPARED_CHARS = 100;

/** Draws the page for a path; `root` leads from there to the root of the site. */
export type DrawMissing = (path: string, root: string) => string;

export function openMissingPage(folder: string): DrawMissing {
  const [before = '', list = '', behind = ''] = readFileSync(join(folder, MISSING), 'utf8').split(/<!-- \/?pages -->/);
  const items = list.split(/(?=<li>)/).map((html): Item => ({ html, path: /href="([^"]*)"/.exec(html)?.[1] ?? '' }));
  const nearestTo = (path: string): readonly Item[] => {
    const wanted = pairsIn(path);
    const ranked = items.map((item) => ({ item, likeness: likenessOf(wanted, pairsIn(item.path)) }));
    return ranked
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, MAX_OFFERED)
      .map(({ item }) => item);
  };
  return (path, root) => {
    // A folder without a page of its own has all of its pages.
    const below = items.filter((item) => item.path.startsWith(`${withoutSlashesBehind(path)}/`));
    const offered = below.length > 0 ? below : nearestTo(path);
    return withRoot([before, ...offered.map(({ html }) => html), behind].join(''), root);
  };
}

interface Item {
  readonly html: string;
  readonly path: string;
}

/** Anchors and addresses of other places stay. */
const withRoot = (html: string, root: string): string => html.replace(/(?<= (?:href|src|data-root)=")(?![#/]|[a-z]+:)(?:\.\/)?/g, root);

/** Pairs of letters that follow each other: a typo changes few of them. */
function pairsIn(path: string): ReadonlySet<string> {
  const plain = path.slice(-MAX_COMPARED_CHARS).toLowerCase();
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, index) => plain.slice(index, index + 2)));
}

/** The share of pairs that both have (Dice). */
function likenessOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const both = [...some].filter((pair) => others.has(pair)).length;
  return (2 * both) / (some.size + others.size || 1);
}
