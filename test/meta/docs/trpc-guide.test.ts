/** The samples of the tRPC guide hold before the compiler too, with the router's type in the place of the package that brings it. */
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { blocksOf, root } from '../../samples/samples.ts';

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: ['node'],
  paths: { '@modelgate/trpc': [join(root, 'server/api/trpc/router-type.ts')] },
};

/** What the compiler says about programs that stand nowhere but here, each by its place. */
function complaintsOf(programs: ReadonlyMap<string, string>): string[] {
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.fileExists = (path) => programs.has(path) || fileExists(path);
  host.readFile = (path) => programs.get(path) ?? readFile(path);
  const program = ts.createProgram([...programs.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

test('compiles each sample of the guide, and rejects a wrong call in it', () => {
  const samples = blocksOf('docs/guides/trpc.md').filter(({ language }) => language === 'ts');
  expect(samples.length).toBeGreaterThan(1);
  // As if they stood in the folder of the guide, so that packages are found.
  const placed = samples.map(({ code }, index) => [join(root, `docs/guides/sample-${index}.mts`), code] as const);
  const [, first = ''] = placed[0] ?? [];
  const misspelt = first.replace("input: 'Count to 5'", "imput: 'Count to 5'");
  const wrong = join(root, 'docs/guides/wrong.mts');
  const complaints = complaintsOf(new Map([...placed, [wrong, misspelt]]));
  expect(complaints).toEqual([expect.stringMatching(/wrong\.mts: .*'imput' does not exist/)]);
});
