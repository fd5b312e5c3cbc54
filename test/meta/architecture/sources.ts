/** The source files of the project, and what each imports and exports, as the compiler's own parser sees it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import ts from 'typescript';

export const root = join(import.meta.dirname, '../../..');

export interface Source {
  /** From the root of the project, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  /** Path of a file of ours, or the name of a package. */
  readonly target: string;
  readonly isOurs: boolean;
  /** Nothing of it is left when the program runs. */
  readonly isType: boolean;
}

export interface Module extends Source {
  readonly imports: readonly Import[];
  readonly hasDefaultExport: boolean;
  /** Names of module constants that are numbers or strings. */
  readonly constants: readonly string[];
  /** Names that the file exports. */
  readonly exports: readonly string[];
}

const folders = ['contract', 'server', 'client', 'docs', 'test'];
/** Made by tools: built packages, assets of others. */
const skipped = new Set(['node_modules', 'dist', 'assets']);

export function topLevelFolders(): string[] {
  const entries = readdirSync(root, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
}

export function readSources(): Source[] {
  return folders
    .flatMap((folder) => listFiles(join(root, folder)))
    .map((file) => ({
      path: relative(root, file).replaceAll('\\', '/'),
      text: readFileSync(file, 'utf8'),
    }));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFiles(path);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [path] : [];
  });
}

export function parse({ path, text }: Source): Module {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  let hasDefaultExport = false;
  const visit = (node: ts.Node): void => {
    const found = importOf(node);
    if (found) imports.push(resolveImport(path, found));
    hasDefaultExport ||= isDefaultExport(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { path, text, imports, hasDefaultExport, constants: constantsIn(file), exports: exportsOf(file) };
}

interface Found {
  readonly specifier: string;
  readonly isType: boolean;
}

function importOf(node: ts.Node): Found | undefined {
  if (ts.isImportDeclaration(node)) return found(node.moduleSpecifier, isTypeClause(node.importClause));
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) return found(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return found(node.argument.literal, true);
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? found(node.arguments[0], false) : undefined;
}

function found(specifier: ts.Node | undefined, isType: boolean): Found | undefined {
  return specifier && ts.isStringLiteralLike(specifier) ? { specifier: specifier.text, isType } : undefined;
}

/** `import type …`, or every name marked as a type. */
function isTypeClause(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  if (clause.name || !names || !ts.isNamedImports(names)) return false;
  return names.elements.length > 0 && names.elements.every((element) => element.isTypeOnly);
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === 'default';
  return ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false);
}

function resolveImport(path: string, { specifier, isType }: Found): Import {
  if (specifier.startsWith('.')) return { target: normalize(join(dirname(path), specifier)).replaceAll('\\', '/'), isOurs: true, isType };
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
  return { target: specifier.startsWith('node:') ? 'node' : name, isOurs: false, isType };
}

function exportsOf(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause))
      return statement.exportClause.elements.map(({ name }) => name.text);
    const isExported =
      ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText(file));
    return 'name' in statement && statement.name ? [(statement.name as ts.Identifier).text] : [];
  });
}

function constantsIn(file: ts.SourceFile): string[] {
  return file.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .flatMap(({ declarationList: { flags, declarations } }) => (flags & ts.NodeFlags.Const ? declarations : []))
    .flatMap(({ name, initializer }) => (ts.isIdentifier(name) && initializer && isConstant(initializer) ? name.text : []));
}

function isConstant(value: ts.Expression): boolean {
  if (ts.isNumericLiteral(value) || ts.isBigIntLiteral(value) || ts.isStringLiteralLike(value)) return true;
  if (ts.isPrefixUnaryExpression(value)) return isConstant(value.operand);
  if (ts.isBinaryExpression(value)) return isConstant(value.left) && isConstant(value.right);
  return (ts.isParenthesizedExpression(value) || ts.isAsExpression(value)) && isConstant(value.expression);
}
