/** `modelgate config import`: converts the configuration of another gateway. */

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formatImported, type Importer, importText } from '../../config/import/importers.ts';
import { CommandError } from './command-error.ts';
import { EXIT_CODE_HELP } from './exit-codes.ts';
import type { ShellOptions } from './shell.ts';

interface ImportOptions extends ShellOptions {
  readonly output?: string;
  readonly options?: string;
}

export function addConfigImportCommands(config: Command): void {
  const group = config.command('import').description("convert another gateway's configuration to modelgate.yaml");
  group
    .command('litellm <file>')
    .description("convert LiteLLM's config.yaml; settings without an equivalent are listed on stderr")
    .option('-o, --output <file>', 'create this file (default: stdout)')
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate config import litellm config.yaml --output modelgate.yaml\n  modelgate config import litellm config.yaml > modelgate.yaml\n${EXIT_CODE_HELP}`,
    )
    .action((file: string, options: ImportOptions) => runImport('litellm', file, options));
  group
    .command('new-api <file>')
    .description("convert new-api's channel list; settings without an equivalent are listed on stderr")
    .option('-r, --options <file>', "file with new-api's option list, such as ModelRatio and CompletionRatio (default: in the same file)")
    .option('-o, --output <file>', 'create this file (default: stdout)')
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate config import new-api channels.json --options options.json --output modelgate.yaml\n${EXIT_CODE_HELP}`,
    )
    .action((file: string, options: ImportOptions) => runImport('new-api', file, options));
}

function runImport(from: Importer, file: string, importOptions: ImportOptions): void {
  const { shell, options } = importOptions;
  const texts = [file, ...(options === undefined ? [] : [options])].map((name) => readInput(name, importOptions));
  const result = parseInput(from, texts, file);
  writeOutput(formatImported(result, from), importOptions);
  for (const { where, message } of result.remarks) shell.stderr.write(`${where}: ${message}\n`);
}

function readInput(file: string, { shell }: ImportOptions): string {
  try {
    return readFileSync(resolve(shell.folder, file), 'utf8');
  } catch (error) {
    throw new CommandError(`${file} can't be read: ${getErrorCode(error)}.`);
  }
}

function parseInput(from: Importer, [text = '', options]: readonly string[], file: string) {
  try {
    return importText(from, text, options);
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandError(`${file} is neither YAML nor JSON: ${error.message}`);
    throw error;
  }
}

function writeOutput(text: string, { output, shell }: ImportOptions): void {
  if (output === undefined) return void shell.stdout.write(text);
  try {
    writeFileSync(resolve(shell.folder, output), text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new CommandError(
      getErrorCode(error) === 'EEXIST'
        ? `${output} already exists and won't be overwritten. Specify another file.`
        : `${output} can't be written: ${getErrorCode(error)}.`,
    );
  }
}

const getErrorCode = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown');
