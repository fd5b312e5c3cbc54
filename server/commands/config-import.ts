/** `modelgate config import`: writes a modelgate.yaml from the file of another gateway, and lists what has no counterpart. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Importer, importText, writeImported } from '../config/import/read.ts';
import { CommandError, EXIT_CODE_HELP } from './failure.ts';
import type { ShellOptions } from './shell.ts';

interface ImportOptions extends ShellOptions {
  readonly output?: string;
  readonly options?: string;
}

export function addConfigImport(config: Command): void {
  const group = config.command('import').description('write a modelgate.yaml from the file of another gateway');
  group
    .command('litellm <file>')
    .description("read LiteLLM's config.yaml; list on stderr what has no counterpart")
    .option('-o, --output <file>', 'write to this new file (default: to stdout)')
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate config import litellm config.yaml --output modelgate.yaml\n  modelgate config import litellm config.yaml > modelgate.yaml\n${EXIT_CODE_HELP}`,
    )
    .action((file: string, options: ImportOptions) => run('litellm', file, options));
  group
    .command('new-api <file>')
    .description("read new-api's channels, as its API lists them; list on stderr what has no counterpart")
    .option(
      '-r, --options <file>',
      'its options with ModelRatio, CompletionRatio and so on, as its API lists them (default: in the same file)',
    )
    .option('-o, --output <file>', 'write to this new file (default: to stdout)')
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate config import new-api channels.json --options options.json --output modelgate.yaml\n${EXIT_CODE_HELP}`,
    )
    .action((file: string, options: ImportOptions) => run('new-api', file, options));
}

function run(from: Importer, file: string, given: ImportOptions): void {
  const { shell, options } = given;
  const texts = [file, ...(options === undefined ? [] : [options])].map((name) => read(name, given));
  const imported = parsed(from, texts, file);
  write(writeImported(imported, from), given);
  for (const { where, message } of imported.remarks) shell.stderr.write(`${where}: ${message}\n`);
}

function read(file: string, { shell }: ImportOptions): string {
  try {
    return readFileSync(resolve(shell.folder, file), 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${codeOf(error)}.`);
  }
}

function parsed(from: Importer, [text = '', options]: readonly string[], file: string) {
  try {
    return importText(from, text, options);
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandError(`${file} is neither YAML nor JSON: ${error.message}`);
    throw error;
  }
}

function write(text: string, { output, shell }: ImportOptions): void {
  if (output === undefined) return void shell.stdout.write(text);
  try {
    writeFileSync(resolve(shell.folder, output), text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new CommandError(
      codeOf(error) === 'EEXIST'
        ? `${output} exists, and is not written over. Name another file.`
        : `${output} cannot be written: ${codeOf(error)}.`,
    );
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');
