#!/usr/bin/env node
/** The command `modelgate`: starts the gateway and looks after its keys and its configuration. */
import { Command } from 'commander';
import { addConfig } from './commands/config.ts';
import { exitCodeHelp, reportFailure } from './commands/failure.ts';
import { addKey } from './commands/key.ts';
import { addServe } from './commands/serve.ts';
import { addVersion, readVersion } from './commands/version.ts';

function openProgram(): Command {
  const program = new Command('modelgate')
    .description('A gateway between people who hold API keys and the models behind it.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show how to use a command')
    .showHelpAfterError('(add --help to see how it is used)')
    .exitOverride()
    .addHelpText('after', `\nExamples:\n  modelgate serve\n  modelgate key create --name alice\n  modelgate config check\n${exitCodeHelp}`);
  for (const add of [addServe, addKey, addConfig, addVersion]) add(program);
  return program;
}

try {
  await openProgram().parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportFailure(error);
}
