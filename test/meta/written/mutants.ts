/** Sources with one change in them, found by the syntax and not by the layout: the contract as it might be one day, or a writer that strays from it. */
import ts from 'typescript';

export type Change =
  /** A field gets another name. */
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  /** A field gets another schema. */
  | { readonly kind: 'retype'; readonly field: string; readonly schema: string }
  /** A word, such as the type of an event, becomes another. */
  | { readonly kind: 'reword'; readonly from: string; readonly to: string }
  /** The first object that is written there says one thing more. */
  | { readonly kind: 'add'; readonly field: string };

export interface Mutant {
  /** From the root of the project. */
  readonly path: string;
  /** The constant or the function that is changed. */
  readonly within: string;
  readonly change: Change;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Throws where there is nothing to change: a test that changes nothing proves nothing. */
export function mutate(text: string, { path, within, change }: Mutant): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const declaration = find(file, (node) => isNamed(node, within));
  const edit = declaration && firstEdit(declaration, change);
  if (!edit) throw new Error(`${path} has nothing in ${within} for ${JSON.stringify(change)}`);
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

const isNamed = (node: ts.Node, name: string): boolean =>
  (ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)) && node.name?.getText() === name;

function find(node: ts.Node, matches: (node: ts.Node) => boolean): ts.Node | undefined {
  return matches(node) ? node : ts.forEachChild(node, (child) => find(child, matches));
}

function firstEdit(declaration: ts.Node, change: Change): Edit | undefined {
  let edit: Edit | undefined;
  find(declaration, (node) => {
    edit = editOf(node, change);
    return edit !== undefined;
  });
  return edit;
}

function editOf(node: ts.Node, change: Change): Edit | undefined {
  switch (change.kind) {
    case 'rename':
      return isField(node, change.from) ? replace(node.name, change.to) : undefined;
    case 'retype':
      return isField(node, change.field) ? replace(node.initializer, change.schema) : undefined;
    case 'reword':
      return ts.isStringLiteral(node) && node.text === change.from ? replace(node, `'${change.to}'`) : undefined;
    case 'add':
      return ts.isObjectLiteralExpression(node)
        ? { start: node.getStart() + 1, end: node.getStart() + 1, text: ` ${change.field}: 1,` }
        : undefined;
  }
}

const isField = (node: ts.Node, name: string): node is ts.PropertyAssignment =>
  ts.isPropertyAssignment(node) && node.name.getText() === name;
const replace = (node: ts.Node, text: string): Edit => ({ start: node.getStart(), end: node.getEnd(), text });
