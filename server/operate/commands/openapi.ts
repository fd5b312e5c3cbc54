/** `modelgate openapi`: prints the OpenAPI document of this version, without a running gateway. */
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { commandSummaries } from './command-summaries.ts';
import type { ShellOptions } from './shell.ts';

const documents = {
  3.1: new URL('../../../docs/generated/openapi.json', import.meta.url),
  3.2: new URL('../../../docs/generated/openapi-3.2.json', import.meta.url),
} as const;
const adminDocument = new URL('../../../docs/generated/admin-openapi.json', import.meta.url);

interface OpenapiOptions extends ShellOptions {
  readonly specVersion: keyof typeof documents;
  readonly admin?: boolean;
}

export function addOpenapiCommand(program: Command): void {
  program
    .command('openapi')
    .description(commandSummaries.openapi)
    // Not `--version`, which prints the version of the program.
    .addOption(
      new Option('--spec-version <version>', 'version of OpenAPI; 3.2 describes stream events')
        .choices(Object.keys(documents))
        .default('3.1'),
    )
    .addOption(new Option('--admin', 'print the document of the admin API (OpenAPI 3.1 only)').conflicts('specVersion'))
    .addHelpText(
      'after',
      `
The command needs no configuration and no running gateway. A gateway of this version serves the same documents, with its own base URL.

Examples:
  modelgate openapi > openapi.json
  modelgate openapi --spec-version 3.2 > openapi-3.2.json
  modelgate openapi --admin > admin-openapi.json

Exit codes:
  0  done
  2  invalid command or option`,
    )
    .action(({ shell, specVersion, admin }: OpenapiOptions) => {
      shell.stdout.write(readFileSync(admin ? adminDocument : documents[specVersion], 'utf8'));
    });
}
