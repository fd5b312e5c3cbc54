/** The numbers of known failures and faults (`F29`, `A3`) that tests and comments name, and the rows of the page that explains them. */
import type { Source } from '../architecture/sources.ts';
import { rowsInTitles } from '../failure-rows/titles.ts';
import type { Comment } from './comments.ts';

const number = /\b[A-F]\d{1,2}\b/;

/** Each number with the files that name it in the title of a test or in a comment. */
export function namedNumbers(sources: readonly Source[], comments: readonly Comment[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (name: string, path: string): void => void found.set(name, (found.get(name) ?? new Set()).add(path));
  for (const [name, paths] of rowsInTitles(sources)) {
    if (number.test(name)) for (const path of paths) add(name, path);
  }
  for (const { path, text } of comments) {
    for (const name of numbersOf(text)) add(name, path);
  }
  return found;
}

/** `F31 to F36` names all between, too. */
function numbersOf(comment: string): string[] {
  const ranges = [...comment.matchAll(/\b([A-F])(\d{1,2}) to \1(\d{1,2})\b/g)];
  const between = ranges.flatMap(([, letter = '', from, to]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => nameOf(letter, Number(from) + at)),
  );
  return [...between, ...(comment.match(new RegExp(number, 'g')) ?? [])];
}

/** The known failures of other gateways have two digits, faults have as many as they need. */
const nameOf = (letter: string, value: number): string => letter + String(value).padStart(letter === 'F' ? 2 : 1, '0');

/** Each row of a page's tables that begins with a number, with the files that it links to, from the root of the project. */
export function rowsOfPage(page: string): Map<string, readonly string[]> {
  const rows = page.split('\n').flatMap((line) => {
    const [, name, rest = ''] = /^\| ([A-F]\d{1,2}) \|(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, linksOf(rest)] as const];
  });
  return new Map(rows);
}

/** Files of the repository that a page in `docs` links to, from the root of the project; addresses on the web are left out. */
export const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => (target?.startsWith('../') ? target.slice(3) : `docs/${target}`));
