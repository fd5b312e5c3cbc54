/** The declarations of one module of ours, told from that module alone. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The contract is a package of its own, and so are those of others. */
const contractImport = /(?<= from ')(?:\.\.\/)+contract\/[\w-]+\.ts(?=')/g;

/** `path`: from the root. Throws where the types need those of a module that is not published. */
export async function declareModule(path: string): Promise<string> {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(await readFile(join(root, path), 'utf8'), { fileName: path });
  const [first] = diagnostics;
  if (first !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`);
  const text = outputText.replaceAll(contractImport, '@modelgate/contract');
  const [unpublished] = / from '\.[^']*'/.exec(text) ?? [];
  if (unpublished !== undefined) throw new Error(`${path} has types${unpublished}, which is not published.`);
  return text;
}
