/** `modelgate version`, and the version of the installed program. */

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import type { ShellOptions } from './shell.ts';

const Package = z.object({ version: z.string() });

export function readVersion(): string {
  return Package.parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))).version;
}

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('print the versions of Modelgate and Node')
    .addHelpText('after', '\nExamples:\n  modelgate version\n\nExit codes:\n  0  done')
    .action(({ shell }: ShellOptions) => {
      shell.stdout.write(`modelgate ${readVersion()} (Node ${process.versions.node})\n`);
    });
}
