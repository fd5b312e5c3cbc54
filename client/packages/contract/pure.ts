/** Wraps the constants of contract modules in calls marked as pure, so that bundlers can drop the schemas an app doesn't use. */
import ts from 'typescript';

/** Whether bundlers drop the value without a mark. */
const isPlain = (value: ts.Expression): boolean =>
  ts.isLiteralExpression(value) || ts.isIdentifier(value) || ts.isArrowFunction(value) || ts.isFunctionExpression(value);

/**
 * Turns `const a = b().c();` into `const a = /* @__PURE__ *\/ (() => b().c())();` for the constants of a module. The wrapper is needed
 * because a mark applies to only one call of a chain, and bundlers keep objects that spread or read another object.
 */
export function markPure(text: string, name: string): string {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.TS);
  const values = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ initializer }) => (initializer === undefined || isPlain(initializer) ? [] : [initializer]));
  return values.reduceRight((marked, value) => {
    const { pos, end } = value;
    return `${marked.slice(0, pos)} /* @__PURE__ */ (() => (${marked.slice(pos, end)}))()${marked.slice(end)}`;
  }, text);
}
