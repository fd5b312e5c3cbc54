/** Finds the numbers of known failures and of promises in the titles of tests, as the compiler's parser sees them: not in comments, and not in other texts. */
import ts from 'typescript';
import type { Source } from '../architecture/sources.ts';
import { numbersIn } from '../promises/numbers.ts';

/** Each number with the files whose tests carry its number. */
export function rowsInTitles(sources: readonly Source[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const row of rowsIn(text)) found.set(row, (found.get(row) ?? new Set()).add(path));
  }
  return found;
}

function rowsIn(text: string): string[] {
  const rows: string[] = [];
  const visit = (node: ts.Node): void => {
    const title = titleOf(node);
    if (title !== undefined) rows.push(...numbersIn(title));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, false));
  return rows;
}

/** What is given to `test`, `it` or `describe` as its first argument, or stands in data of a table of tests as its name. */
function titleOf(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && isTestCall(node.expression)) return textOf(node.arguments[0]);
  const isName = ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && ['name', 'rows', 'what'].includes(node.name.text);
  return isName ? textOf(node.initializer) : undefined;
}

function isTestCall(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return ['test', 'it', 'describe'].includes(callee.text);
  return (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) && isTestCall(callee.expression);
}

function textOf(node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.head.text : undefined;
}
