/** `modelgate version`, and the version of the installed program. */

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { commandSummaries } from './command-summaries.ts';
import type { ShellOptions } from './shell.ts';

export function readVersion(): string {
  // Without zod, which takes longer than the command.
  return String(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version);
}

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description(commandSummaries.version)
    .addHelpText('after', '\nExamples:\n  modelgate version\n\nExit codes:\n  0  done')
    .action(({ shell }: ShellOptions) => {
      shell.stdout.write(`modelgate ${readVersion()} (Node ${process.versions.node})\n`);
    });
}
