/** Words and phrases that docs/writing.md replaces, and where people read them. `node test/meta/wording/patterns.ts [path]` lists what is found. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

type Pattern = readonly [found: RegExp, instead: string];

/** Terms, in texts and in comments. */
const terms: readonly Pattern[] = [
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
  [/\banew\b/gi, 'again'],
  [/\b(?:colour|behaviour|favour|honour|neighbour|grey|spelt|learnt|catalogue)s?\b/gi, 'the American spelling'],
  [/\b\w+(?:ognis|alis|imis|aris|erialis)(?:e|es|ed|ing|ation)\b/gi, 'the American spelling'],
];

/** Phrases, in texts: a comment may say that there is no key. */
const phrases: readonly Pattern[] = [
  [/\b(?:nobody|somebody|whoever)\b/gi, 'name the person, or use the passive'],
  [/\bthere (?:is|are) (?:no|nothing|none)\b/gi, "begin with the object: No keys yet. Model 'x' not found."],
  [/\b(?:has|have) to be\b/gi, 'must be'],
  [/\bmay not\b/gi, "can't"],
  [/\b(?:is|are|was|were) told\b/gi, 'is notified, is reported, shows'],
  [/\b(?:of its own|of their own)\b/gi, 'own, separate, overrides'],
  [/\bAbsent:/g, 'Optional. Defaults to …, or: Omit to …'],
];

const under = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/(?:^|\/)(?:dist|node_modules|decisions)\//.test(name))
    .map((name) => join(folder, name));

/** Files of which people read a part: pages, API descriptions, messages, the command line, guides. */
const readers: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...under('client', /\.(?:ts|tsx|md)$/),
  ...under('contract', /\.(?:ts|md)$/),
  ...under('server', /\.ts$/),
  ...under('docs', /^(?!writing\.md).*\.(?:md|ts)$/),
].toSorted();

const comment = /^\s*(?:\/\*\*|\*|\/\/).*|(?<=[\s;,{])\/\/ .*|\/\*\*.*/;
const literal = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`?/g;
const sql = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|VALUES|ON CONFLICT)\b/;

/** A prompt that the simulator knows, columns, and the name of a migration. */
const values = ["'please refuse'", "'hour first_entry booked summed'", "'closing of the books'"];
const isText = (quoted: string): boolean => quoted.includes(' ') && !sql.test(quoted) && !values.includes(quoted);

const find = (text: string, patterns: readonly Pattern[]): readonly (readonly [word: string, instead: string])[] =>
  patterns.flatMap(([pattern, instead]) => [...text.matchAll(pattern)].map(([word]) => [word, instead] as const));

/** The words that have a better one. Of Markdown: all but code and links to files. Of TypeScript: what is quoted, and comments. */
export function matchesIn(text: string, isMarkdown = true): readonly (readonly [word: string, instead: string])[] {
  if (isMarkdown) return find(text.replaceAll(/`[^`\n]+`|(?:\[[\w.-]+\/[\w./-]+)?\]\([^)\s]+\)/g, ''), [...terms, ...phrases]);
  return text.split('\n').flatMap((line) => {
    const said = comment.exec(line)?.[0] ?? '';
    const quoted = line.slice(0, line.length - said.length).match(literal) ?? [];
    return [...find(quoted.filter(isText).join('\n'), [...terms, ...phrases]), ...find(said, terms)];
  });
}

/** Each file with such words, as `path: word → better word`. */
export const wordsToReplace = (): readonly string[] =>
  readers.flatMap((path) => {
    const found = matchesIn(readFileSync(join(root, path), 'utf8'), path.endsWith('.md'));
    return found.map(([word, instead]) => `${path}: ${word} → ${instead}`);
  });

if (import.meta.main) console.log(wordsToReplace().join('\n'));
