/** The compiler over the sources of the project, some of them changed in memory: what it says of single files. */
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../architecture/sources.ts';

/** By path from the root of the project. */
export type Changed = Readonly<Record<string, string>>;

export interface Compiler {
  readSource(path: string): string;
  /** What is wrong with these files, as the settings of the project have it: by path, one message for each error. */
  errorsIn(paths: readonly string[], changed: Changed): Record<string, string[]>;
}

/** Files that are the same in every program are read and parsed once. */
export function openCompiler(): Compiler {
  const options = readOptions();
  const host = ts.createCompilerHost(options, true);
  const parsed = new Map<string, ts.SourceFile | undefined>();
  let previous: ts.Program | undefined;
  const programOf = (paths: readonly string[], changed: Changed): ts.Program => {
    const texts = new Map(Object.entries(changed).map(([name, text]) => [join(root, name), text]));
    const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, target) => {
      const text = texts.get(name);
      if (text !== undefined) return ts.createSourceFile(name, text, target, true);
      if (!parsed.has(name)) parsed.set(name, host.getSourceFile(name, target));
      return parsed.get(name);
    };
    const overlaid = { ...host, getSourceFile, fileExists: (name: string) => texts.has(name) || host.fileExists(name) };
    const rootNames = paths.map((path) => join(root, path));
    return ts.createProgram({ rootNames, options, host: overlaid, ...(previous && { oldProgram: previous }) });
  };
  return {
    readSource(path) {
      const text = host.readFile(join(root, path));
      if (text === undefined) throw new Error(`There is no ${path}.`);
      return text;
    },
    errorsIn(paths, changed) {
      const program = programOf(paths, changed);
      previous = program;
      return Object.fromEntries(paths.map((path) => [path, messagesOf(program, path)]));
    },
  };
}

function messagesOf(program: ts.Program, path: string): string[] {
  const found = program.getSemanticDiagnostics(program.getSourceFile(join(root, path)));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  return ts.parseJsonConfigFileContent({ compilerOptions: config.compilerOptions, files: [] }, ts.sys, root).options;
}
