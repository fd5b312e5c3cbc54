/** Generates the type declarations of one module, without reading the modules it imports. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Imports of contract files. In published declarations, they become imports of `@modelgate/contract`. */
const contractImport = /(?<= from ')(?:\.\.\/)+contract\/[\w/-]+\.ts(?=')/g;

/** Returns the declarations of a module. `path` is relative to the root. Throws an error if the types can't be derived from this module alone. */
export async function declareModule(path: string): Promise<string> {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(await readFile(join(root, path), 'utf8'), { fileName: path });
  const [first] = diagnostics;
  if (first !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`);
  const text = outputText.replaceAll(contractImport, '@modelgate/contract');
  const [unpublished] = / from '\.[^']*'/.exec(text) ?? [];
  if (unpublished !== undefined) throw new Error(`${path} has types${unpublished}, which is not published.`);
  return text;
}
