/** Words and phrases that docs/writing.md replaces, and the files whose readers see them. `node test/meta/wording/patterns.ts` lowers the counts that have fallen. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const file = new URL('counts.json', import.meta.url);

/** What to look for, and what to write instead. */
export const patterns: readonly (readonly [RegExp, string])[] = [
  [/\brefus(?:e|es|ed|ing)\b/gi, 'reject (a refusal is what a model does)'],
  [/\bvendors?\b/gi, 'provider'],
  [/\bpictures?\b/gi, 'image'],
  [/\bholders?\b/gi, 'key owner'],
  [/\b(?:books|booked)\b/gi, 'ledger, posted'],
  [/\b(?:rests|rested|resting)\b/gi, 'cooling down, unavailable'],
  [/\b(?:wakes?|waked|awake)\b/gi, 'reset'],
  [/\bweigh(?:s|ed|ing)?\b/gi, 'estimate'],
  [/\bset-up\b/gi, 'setup'],
  [/\b(?:handed|hands|hand) (?:it )?on\b/gi, 'forward'],
  [/\b(?:left|leaves?|leaving) (?:it )?out\b/gi, 'omit (fields), skip (checks)'],
  [/\b(?:broke|broken|breaks?) off\b/gi, 'closed the connection, aborted'],
  [/\b(?:nobody|somebody|whoever)\b/gi, 'name the person, or use the passive'],
  [/\bthere (?:is|are) (?:no|nothing|none)\b/gi, "begin with the object: No keys yet. Model 'x' not found."],
  [/\b(?:has|have) to be\b/gi, 'must be'],
  [/\bmay not\b/gi, "can't"],
  [/\b(?:is|are|was|were) told\b/gi, 'is notified, is reported, shows'],
  [/\b(?:of its own|of their own)\b/gi, 'own, separate, overrides'],
  [/\banew\b/gi, 'again'],
  [/\bAbsent:/g, 'Optional. Defaults to …, or: Omit to …'],
  [/\b(?:colour|behaviour|favour|honour|neighbour|grey|spelt|learnt|catalogue)s?\b/gi, 'the American spelling'],
  [/\b\w+(?:ognis|alis|imis|aris|erialis)(?:e|es|ed|ing|ation)\b/gi, 'the American spelling'],
];

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const under = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/(?:^|\/)(?:dist|node_modules|decisions)\//.test(name))
    .map((name) => join(folder, name));

/** Files of which people read a part: pages, API descriptions, messages, the command line, guides. */
export const readers: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'client/sdk/README.md'],
  ...under('client/pages/src/texts', /\.ts$/),
  ...under('contract', /\.ts$/),
  ...under('server', /\.ts$/),
  ...under('docs', /^(?!writing\.md).*\.md$/),
  ...under('docs/site/errors', /\.ts$/),
].toSorted();

export const matchesIn = (text: string): readonly (readonly [string, string])[] =>
  patterns.flatMap(([pattern, instead]) => [...text.matchAll(pattern)].map(([found]) => [found, instead] as const));

/** Each word of the file that has a better one, with that one. */
export const insteadIn = (path: string): string =>
  [...new Set(matchesIn(read(path)).map(([found, instead]) => `${found} → ${instead}`))].join('; ');

export type Counts = Readonly<Record<string, number>>;

export function countAll(): Counts {
  const counts = readers.map((path) => [path, matchesIn(read(path)).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

export const readCounts = (): Counts => JSON.parse(readFileSync(file, 'utf8'));

if (import.meta.main) {
  const before = readCounts();
  const now = Object.entries(countAll()).map(([path, count]) => [path, Math.min(count, before[path] ?? 0)] as const);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(now.filter(([, count]) => count > 0)), null, 2)}\n`);
}
