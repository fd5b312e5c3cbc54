/** Makes the type declarations of one module of this repository from that module only. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Imports of the contract's files. In a published declaration they become imports of the contract's package. */
const contractImport = /(?<= from ')(?:\.\.\/)+contract\/[\w/-]+\.ts(?=')/g;

/** The declaration text of a module. `path`: relative to the root. Throws when the types need a module that is not published. */
export async function declareModule(path: string): Promise<string> {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(await readFile(join(root, path), 'utf8'), { fileName: path });
  const [first] = diagnostics;
  if (first !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`);
  const text = outputText.replaceAll(contractImport, '@modelgate/contract');
  const [unpublished] = / from '\.[^']*'/.exec(text) ?? [];
  if (unpublished !== undefined) throw new Error(`${path} has types${unpublished}, which is not published.`);
  return text;
}
