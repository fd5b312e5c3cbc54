/** Words and phrases that docs/writing.md replaces, and where people read them. `node test/meta/wording/patterns.ts [path]` lists the matches. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

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

/** Words in names, besides the terms. */
const nameWords: readonly Pattern[] = [
  [/\b(?:asked|told|tells?|said|says|heard|hears?)\b/g, 'request, emit, report, handle'],
  [
    /\b(?:beat|foresee|foreseen|fates?|sightings?|complaints?|complain|nonsense|needless|nursery|whoever|nobody|surroundings)\b/g,
    "the industry's word",
  ],
  [/\b(?:thoughts?|left out|give back|gave back|go on|why not)\b/g, 'reasoning, omitted, release, resume, reason'],
  [/\w \bof$/g, 'getX, toX, findX, or a noun'],
];

const under = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/(?:^|\/)(?:dist|node_modules|assets)\//.test(name))
    .map((name) => join(folder, name));

/** Prose and programs of the whole repository. The page about writing names the words to replace. */
const files: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...['client', 'contract', 'server', 'docs', 'test'].flatMap((folder) => under(folder, /\.(?:tsx?|mjs|md)$/)),
]
  .filter((path) => path !== 'docs/writing.md' && !/\.gen\.|^test\/(?:meta\/wording|fixtures|fakes\/recorded)/.test(path))
  .toSorted();

const sql = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|VALUES|ON CONFLICT)\b/;

/** A prompt that the simulator knows, columns, and the name of a migration. */
const values = ['please refuse', 'hour first_entry booked summed', 'closing of the books'];
const isText = (text: string): boolean => text.includes(' ') && !sql.test(text) && !values.includes(text);

type Match = readonly [word: string, instead: string];
const find = (text: string, patterns: readonly Pattern[]): readonly Match[] =>
  patterns.flatMap(([pattern, instead]) => [...text.matchAll(pattern)].map(([word]) => [word, instead] as const));

/** The words of Markdown that have a better one. Skips code and links to files. */
export const matchesInMarkdown = (text: string): readonly Match[] =>
  find(text.replaceAll(/`[^`\n]+`|(?:\[[\w.-]+\/[\w./-]+)?\]\([^)\s]+\)/g, ''), [...terms, ...phrases]);

/** What a program says to people: quoted texts, comments, and the names that it declares. */
export function matchesInProgram(text: string, path = 'program.tsx'): { texts: readonly Match[]; names: readonly Match[] } {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const quoted: string[] = [];
  const names: string[] = [];
  let rest = text;
  const cut = (start: number, end: number): void => {
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  };
  const visit = (node: ts.Node): void => {
    const start = ts.isJsxText(node) ? node.pos : node.getStart(source);
    if (ts.isTemplateExpression(node))
      quoted.push([node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join('…'));
    else if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) quoted.push(node.text);
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isRegularExpressionLiteral(node) || ts.isJsxText(node))
      cut(start, node.end);
    const name = ts.isBindingElement(node) && node.propertyName ? undefined : nameOf(node);
    if (name !== undefined) names.push(name);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const comments = (rest.match(/\/\*[\s\S]*?\*\/|\/\/.*/g) ?? []).map((comment) => comment.replaceAll(/`[^`]+`/g, ''));
  return {
    texts: [...find(quoted.filter(isText).join('\n'), [...terms, ...phrases]), ...find(comments.join('\n'), terms)],
    names: find(names.map(toWords).join('\n'), [...terms, ...nameWords]),
  };
}

function nameOf(node: ts.Node): string | undefined {
  const isDeclared =
    ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
  const isMember =
    ts.isMethodDeclaration(node) || ts.isMethodSignature(node) || ts.isPropertyDeclaration(node) || ts.isPropertySignature(node);
  if (!isDeclared && !isMember && !ts.isVariableDeclaration(node) && !ts.isParameter(node) && !ts.isBindingElement(node)) return undefined;
  return node.name && (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name)) ? node.name.text : undefined;
}

/** `costInFrames` as `cost in frames`. */
const toWords = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[#_$]/g, ' ')
    .trim()
    .toLowerCase();

interface Found {
  /** What people read: each match as `path: word → better word`. */
  readonly texts: readonly string[];
  /** Matches in the texts of tests, by word. */
  readonly ofTests: Readonly<Record<string, number>>;
  /** Matches in names, by word. */
  readonly ofNames: Readonly<Record<string, number>>;
}

export function findWordsToReplace(): Found {
  const texts: string[] = [];
  const ofTests: Record<string, number> = {};
  const ofNames: Record<string, number> = {};
  const count = (counts: Record<string, number>, word: string) => {
    counts[word] = (counts[word] ?? 0) + 1;
  };
  for (const path of files) {
    const text = readFileSync(join(root, path), 'utf8');
    const found = path.endsWith('.md') ? { texts: matchesInMarkdown(text), names: [] } : matchesInProgram(text, path);
    for (const [word, instead] of found.texts) {
      if (path.startsWith('test/')) count(ofTests, word.toLowerCase());
      else texts.push(`${path}: ${word} → ${instead}`);
    }
    for (const [word] of found.names) count(ofNames, word.replace(/^\w (?=of$)/, ''));
  }
  return { texts, ofTests, ofNames };
}

if (import.meta.main) console.log(JSON.stringify(findWordsToReplace(), null, 2));
