/** `modelgate config import`: writes a modelgate.yaml from the file of another gateway, and lists what has no counterpart. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { importText, writeImported } from '../config/import/read.ts';
import { CommandError, EXIT_CODE_HELP } from './failure.ts';
import type { ShellOptions } from './shell.ts';

interface ImportOptions extends ShellOptions {
  readonly output?: string;
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
    .action((file: string, options: ImportOptions) => {
      const { shell } = options;
      const imported = read(file, options);
      write(writeImported(imported, 'litellm'), options);
      for (const { where, message } of imported.remarks) shell.stderr.write(`${where}: ${message}\n`);
    });
}

function read(file: string, { shell }: ImportOptions) {
  let text: string;
  try {
    text = readFileSync(resolve(shell.folder, file), 'utf8');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${codeOf(error)}.`);
  }
  try {
    return importText('litellm', text);
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
