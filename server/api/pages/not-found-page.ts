/** Renders the 404 page of the documentation, with links to pages of similar names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trimSlashes } from './relative-url.ts';

/** The built page has links from the site's root, and a list of all pages. */
export const NOT_FOUND_PAGE = '404.html';

/** Maximum suggested pages. */
const MAX_SUGGESTIONS = 6;

/** Callers choose the path, and it's compared with each page's path. */
const MAX_COMPARED_CHARACTERS = 100;

/** Renders the page for a path. `root` is the relative URL of the site's root. */
type RenderNotFound = (path: string, root: string) => string;

export function openNotFoundPage(folder: string): RenderNotFound {
  const [head = '', list = '', tail = ''] = readFileSync(join(folder, NOT_FOUND_PAGE), 'utf8').split(/<!-- \/?pages -->/);
  const items = list.split(/(?=<li>)/).map((html): IndexItem => ({ html, path: /href="([^"]*)"/.exec(html)?.[1] ?? '' }));
  const findNearestItems = (path: string): readonly IndexItem[] => {
    const pathPairs = getLetterPairs(path);
    const rankedItems = items.map((item) => ({ item, likeness: computeSimilarity(pathPairs, getLetterPairs(item.path)) }));
    return rankedItems
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, MAX_SUGGESTIONS)
      .map(({ item }) => item);
  };
  return (path, root) => {
    // For a folder without a page, lists all its pages.
    const childItems = items.filter((item) => item.path.startsWith(`${trimSlashes(path)}/`));
    const suggestions = childItems.length > 0 ? childItems : findNearestItems(path);
    return prefixLinks([head, ...suggestions.map(({ html }) => html), tail].join(''), root);
  };
}

interface IndexItem {
  readonly html: string;
  readonly path: string;
}

/** Leaves anchors and absolute URLs unchanged. */
const prefixLinks = (html: string, root: string): string => html.replace(/(?<= (?:href|src|data-root)=")(?![#/]|[a-z]+:)(?:\.\/)?/g, root);

/** Returns pairs of adjacent letters: a typo changes few of them. */
function getLetterPairs(path: string): ReadonlySet<string> {
  const pathEnd = path.slice(-MAX_COMPARED_CHARACTERS).toLowerCase();
  return new Set(Array.from({ length: Math.max(0, pathEnd.length - 1) }, (_, index) => pathEnd.slice(index, index + 2)));
}

/** Returns the share of common pairs (Dice coefficient). */
function computeSimilarity(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  const sharedCount = [...first].filter((pair) => second.has(pair)).length;
  return (2 * sharedCount) / (first.size + second.size || 1);
}
