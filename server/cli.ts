#!/usr/bin/env node
/** The command `modelgate`: starts the gateway, governs who may use it, and looks after its configuration. */
import { Command } from 'commander';
import { addAccount } from './commands/account.ts';
import { addAdminKey } from './commands/admin-key.ts';
import { addConfig } from './commands/config.ts';
import { addDb } from './commands/db.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExplain } from './commands/explain.ts';
import { exitCodeHelp, reportFailure } from './commands/failure.ts';
import { addGroups } from './commands/group.ts';
import { addKey } from './commands/key.ts';
import { addLedger } from './commands/ledger.ts';
import { addPrice } from './commands/price.ts';
import { addServe } from './commands/serve.ts';
import { addSubscription } from './commands/subscription.ts';
import { addUsage } from './commands/usage.ts';
import { addVersion, readVersion } from './commands/version.ts';

const commands = [
  ...[addServe, addAccount, addKey, addGroups, addUsage, addPrice, addSubscription, addLedger, addExplain],
  ...[addAdminKey, addDb, addConfig, addDoctor, addVersion],
];

function openProgram(): Command {
  const program = new Command('modelgate')
    .description('A gateway between people who hold API keys and the models behind it.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show how to use a command')
    .showHelpAfterError('(add --help to see how it is used)')
    .exitOverride()
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate serve\n  modelgate key create --name alice\n  modelgate account top-up default 10\n  modelgate config check\n${exitCodeHelp}`,
    );
  for (const add of commands) add(program);
  return program;
}

try {
  await openProgram().parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportFailure(error);
}
