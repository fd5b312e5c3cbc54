/** Finds what can be changed by mistake in a source file, and writes the file so that each change can be switched on while it runs. */
import ts from 'typescript';

export interface Mutant {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** The source line, which together with the change identifies the mutant when lines move. */
  readonly text: string;
  /** `original → mutated`. */
  readonly change: string;
}

export interface Instrumented {
  readonly mutants: readonly Mutant[];
  /** Calls the global functions `__isMutant(id)` and `__loop()`. */
  readonly text: string;
}

interface Variant {
  readonly change: string;
  /** An expression in place of the original one. */
  readonly text: string;
}

/** Boundary first, then the opposite. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '||=': ['&&='],
  '??=': ['='],
};
const METHODS = new Map(Object.entries({ min: 'max', max: 'min', floor: 'ceil', ceil: 'floor', some: 'every', every: 'some' }));
/** Texts that decide what happens next; other texts are for people. */
const DISCRIMINANTS = /^(kind|by|state|source)$/;
const LOG_CALL = /(^|[.#])log\.(debug|info|warn|error)$/;

/** `firstId`: the number of the first mutant; the others follow in their order in the list. */
export function instrument(file: string, source: string, firstId: number): Instrumented {
  return new Writer(file, ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true), firstId).write();
}

class Writer {
  readonly #file: string;
  readonly #source: ts.SourceFile;
  readonly #firstId: number;
  readonly #mutants: Mutant[] = [];
  /** Constants of the file by name: a change of one is a change wherever it is used, because modules are loaded once. */
  readonly #constants = new Map<string, readonly { readonly id: number; readonly text: string }[]>();

  constructor(file: string, source: ts.SourceFile, firstId: number) {
    this.#file = file;
    this.#source = source;
    this.#firstId = firstId;
  }

  write(): Instrumented {
    for (const statement of this.#source.statements)
      if (ts.isVariableStatement(statement)) for (const one of statement.declarationList.declarations) this.#addConstant(one);
    return { text: this.#inside(this.#source), mutants: this.#mutants };
  }

  #addConstant({ name, initializer }: ts.VariableDeclaration): void {
    if (!initializer || !ts.isIdentifier(name) || !isNumeric(initializer)) return;
    const uses = this.#source.text.match(new RegExp(`\\b${name.text}\\b`, 'g'));
    if (!uses || uses.length < 2) return;
    const all = variantsWithin(initializer).map(({ text }) => ({ text, change: `${name.text} = ${initializer.getText()} → ${text}` }));
    this.#constants.set(
      name.text,
      all.map(({ text, change }) => ({ text, id: this.#add(initializer, change) })),
    );
  }

  #add(node: ts.Node, change: string): number {
    const { line } = this.#source.getLineAndCharacterOfPosition(node.getStart());
    const starts = this.#source.getLineStarts();
    const text = this.#source.text.slice(starts[line], starts[line + 1]).trim();
    this.#mutants.push({ file: this.#file, line: line + 1, text, change: change.replaceAll(/\s+/g, ' ') });
    return this.#firstId + this.#mutants.length - 1;
  }

  /** The text of a node with everything in it that can be switched. */
  #render(node: ts.Node): string {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || isLogCall(node)) return node.getText();
    if (isConstant(node)) return node.getText();
    if (ts.isIdentifier(node)) return this.#identifier(node);
    if (ts.isShorthandPropertyAssignment(node)) {
      const used = this.#identifier(node.name);
      return used === node.name.text ? node.getText() : `${used}: ${this.#switched(node.name.text)}`;
    }
    if (isLoopBody(node)) return `{ __loop(); ${this.#statement(node)} }`;
    if (isStep(node)) return node.getText();
    return this.#statement(node);
  }

  #statement(node: ts.Node): string {
    if (ts.isExpressionStatement(node) && isRemovable(node.expression)) {
      const id = this.#add(node, `${node.getText()} → (removed)`);
      return `{ if (!__isMutant(${id})) ${this.#inside(node)} }`;
    }
    if (!ts.isExpression(node)) return this.#inside(node);
    const variants = variantsOf(node).map(({ change, text }) => `__isMutant(${this.#add(node, change)}) ? (${text}) : `);
    return variants.length === 0 ? this.#inside(node) : `(${variants.join('')}(${this.#inside(node)}))`;
  }

  #inside(node: ts.Node): string {
    const { text } = this.#source;
    let at = ts.isSourceFile(node) ? 0 : node.getStart();
    let out = '';
    ts.forEachChild(node, (child) => {
      if (child.getStart() < at) return;
      out += text.slice(at, child.getStart()) + this.#render(child);
      at = child.end;
    });
    return out + text.slice(at, node.end);
  }

  #identifier(node: ts.Identifier): string {
    return this.#constants.has(node.text) && isValue(node) ? this.#switched(node.text) : node.text;
  }

  #switched(name: string): string {
    const variants = (this.#constants.get(name) ?? []).map(({ id, text }) => `__isMutant(${id}) ? (${text}) : `);
    return `(${variants.join('')}${name})`;
  }
}

const isNumeric = (node: ts.Expression): boolean =>
  ts.isNumericLiteral(node) ||
  ts.isBigIntLiteral(node) ||
  (ts.isPrefixUnaryExpression(node) && isNumeric(node.operand)) ||
  (ts.isBinaryExpression(node) && [node.left, node.right].every((side) => ts.isIdentifier(side) || isNumeric(side)));

/** Computed when the module is loaded, before any mutant is switched on. */
const isStatic = (node: ts.Node): boolean =>
  ts.isSourceFile(node) || (!ts.isFunctionLike(node) && !ts.isClassLike(node) && isStatic(node.parent));

const isConstant = (node: ts.Node): boolean =>
  ts.isVariableDeclaration(node) &&
  ts.isSourceFile(node.parent.parent.parent) &&
  node.initializer !== undefined &&
  isNumeric(node.initializer);

const isLogCall = (node: ts.Node): boolean => ts.isCallExpression(node) && LOG_CALL.test(node.expression.getText());

/** Loops are counted, so that one that a mutant makes endless ends. */
const isLoopBody = (node: ts.Node): boolean =>
  (ts.isWhileStatement(node.parent) || ts.isDoStatement(node.parent) || ts.isForStatement(node.parent)) && node.parent.statement === node;

const isStep = (node: ts.Node): boolean => ts.isForStatement(node.parent) && node.parent.incrementor === node;

/** Calls and assignments, except for those that put the parameters of a constructor away. */
function isRemovable(node: ts.Expression): boolean {
  if (ts.isAwaitExpression(node) || ts.isVoidExpression(node)) return isRemovable(node.expression);
  if (ts.isCallExpression(node)) return node.expression.kind !== ts.SyntaxKind.SuperKeyword && !isLogCall(node);
  const isAssignment = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isAssignment && !ts.isConstructorDeclaration(node.parent.parent.parent);
}

/** Whether the name stands for the value there. */
function isValue({ parent, ...node }: ts.Identifier): boolean {
  if (ts.isPropertyAccessExpression(parent)) return parent.expression.end === node.end;
  if (ts.isPropertyAssignment(parent)) return parent.initializer.end === node.end;
  if (ts.isBindingElement(parent)) return parent.initializer?.end === node.end;
  return !ts.isImportSpecifier(parent) && !ts.isExportSpecifier(parent);
}

/** The changes of one expression, not of its parts. */
function variantsOf(node: ts.Expression): Variant[] {
  if (isStatic(node)) return [];
  const variants = variantsByKind(node);
  const original = node.getText();
  const forced = isCondition(node)
    ? ['true', 'false']
    : node.parent && ts.isWhileStatement(node.parent) && node.parent.expression === node
      ? ['false']
      : [];
  return [...variants, ...forced].filter((text) => text !== original).map((text) => ({ text, change: `${original} → ${text}` }));
}

const isCondition = ({ parent, ...node }: ts.Expression): boolean =>
  (ts.isIfStatement(parent) && parent.expression.end === node.end) ||
  (ts.isConditionalExpression(parent) && parent.condition.end === node.end);

function variantsByKind(node: ts.Expression): string[] {
  if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node))
    return ts.isPropertyAssignment(node.parent) && node.parent.name === node ? [] : numbersFor(node.getText());
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) return [node.operand.getText()];
  if (ts.isPostfixUnaryExpression(node)) return [`${node.operand.getText()}${node.operator === ts.SyntaxKind.PlusPlusToken ? '--' : '++'}`];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ['false'];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return ['true'];
  if (ts.isStringLiteral(node)) return ts.isPropertyAssignment(node.parent) && DISCRIMINANTS.test(node.parent.name.getText()) ? ["''"] : [];
  if (ts.isCallExpression(node)) return callsFor(node);
  if (!ts.isBinaryExpression(node)) return [];
  const [left, operator, right] = [node.left.getText(), node.operatorToken.getText(), node.right.getText()];
  if (operator === '??') return [left, right];
  if (operator === '+' && [node.left, node.right].some(isText)) return [];
  return (OPERATORS[operator] ?? []).map((other) => `${left} ${other} ${right}`);
}

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** One more, and none. */
function numbersFor(literal: string): string[] {
  const unit = literal.endsWith('n') ? 'n' : '';
  const digits = literal.replaceAll('_', '').replace(/n$/, '');
  if (!/^\d+$/.test(digits)) return ['0'];
  return [...new Set([`${BigInt(digits) + 1n}${unit}`, `0${unit}`])];
}

function callsFor({ expression, arguments: given }: ts.CallExpression): string[] {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const other = METHODS.get(expression.name.text);
  if (other === undefined) return [];
  return [`${expression.expression.getText()}.${other}(${given.map((one) => one.getText()).join(', ')})`];
}

/** The changes of an expression and of its parts, each as the text of the whole. */
function variantsWithin(node: ts.Expression): { readonly text: string }[] {
  const all: { readonly text: string }[] = variantsByKind(node)
    .filter((text) => text !== node.getText())
    .map((text) => ({ text }));
  ts.forEachChild(node, (child) => {
    if (!ts.isExpression(child)) return;
    const [before, after] = [
      node.getText().slice(0, child.getStart() - node.getStart()),
      node.getText().slice(child.end - node.getStart()),
    ];
    for (const { text } of variantsWithin(child)) all.push({ text: `${before}${text}${after}` });
  });
  return all;
}
