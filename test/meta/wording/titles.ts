/** Titles of tests that don't begin with a verb. `node test/meta/wording/titles.ts [path]` lists them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Words that end like a verb in the third person, and aren't one at the start of a title. */
const OTHERS = new Set(
  `accounts across always arguments as bodies books bytes callers characters clients credentials deltas does entries events fields files frames
  has headers ids images is its keys less lines messages models others parameters parts processes receivers replies responses rows schemas
  settings texts this thoughts tokens tools unless upstreams us was words`.split(/\s+/),
);

/** "G2: ", "A3, A4: ": the promises that a test proves. */
const PROMISES = /^(?:[A-Z]\d+(?:, | and )?)+: /;

export const startsWithVerb = (title: string): boolean => {
  const [first = ''] = title.replace(PROMISES, '').split(/[\s,:]/, 1);
  return /^(?:[a-z]+s|doesn't|doesn’t)$/.test(first) && !OTHERS.has(first);
};

/** `test('…')`, `test.skipIf(…)('…')`, `test.each(…)('…')`; `base` is `test` where a file has a `test` of its own. */
const isTest = (callee: ts.Expression): boolean =>
  ts.isIdentifier(callee)
    ? ['test', 'it', 'base'].includes(callee.text)
    : (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) && isTest(callee.expression);

function titles(path: string): { title: string; line: number }[] {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, false);
  const found: { title: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    const [first] = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments : [];
    if (first && (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first)))
      found.push({
        title: first.getText(source).slice(1, -1).replaceAll("\\'", "'"),
        line: source.getLineAndCharacterOfPosition(first.getStart(source)).line + 1,
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Each as `path:line: title`. */
export const findTitlesWithoutVerb = (under = 'test'): string[] =>
  readdirSync(join(root, under), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(under, name))
    .toSorted()
    .flatMap((path) =>
      titles(path)
        .filter(({ title }) => !startsWithVerb(title))
        .map(({ title, line }) => `${path}:${line}: ${title}`),
    );

if (import.meta.main) for (const found of findTitlesWithoutVerb(process.argv[2])) console.log(found);
