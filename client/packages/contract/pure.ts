/** Lets bundlers drop the schemas that an app doesn't use: what a module of the contract computes at its top level becomes a call that is marked as pure. */
import ts from 'typescript';

/** Values that bundlers drop without a mark. */
const isPlain = (value: ts.Expression): boolean =>
  ts.isLiteralExpression(value) || ts.isIdentifier(value) || ts.isArrowFunction(value) || ts.isFunctionExpression(value);

/**
 * `const a = b().c();` → `const a = /* @__PURE__ *\/ (() => b().c())();` for the constants of a module. The mark of a chain of calls would hold for one of
 * them only, and bundlers keep an object that spreads or reads another.
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
