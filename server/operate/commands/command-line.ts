/** The command line of `modelgate`: lists the commands, parses the arguments, runs the command, and returns the exit code. */

import { Command } from 'commander';
import { addAccountCommands } from './account.ts';
import { addAdminKeyCommands } from './admin-key.ts';
import { addAlertCommands } from './alert.ts';
import { reportFailure } from './command-error.ts';
import { addConfigCommands } from './config.ts';
import { addConnectCommand } from './connect.ts';
import { addDbCommands } from './db.ts';
import { addDoctorCommand } from './doctor.ts';
import { EXIT_CODE_HELP, exitCodes } from './exit-codes.ts';
import { addExplainCommand } from './explain.ts';
import { addGroupCommands } from './group.ts';
import { addKeyCommands } from './key.ts';
import { addLedgerCommands } from './ledger.ts';
import { addLimitCommands } from './limit.ts';
import { addModelCommands } from './model.ts';
import { addOpenapiCommand } from './openapi.ts';
import { addPriceCommands } from './price.ts';
import { addSearchCommand } from './search.ts';
import { addServeCommand } from './serve.ts';
import { addSessionCommands } from './session.ts';
import { type Screen, type Shell, withEnvironmentFile } from './shell.ts';
import { addSubscriptionCommands } from './subscription.ts';
import { addTestCommand } from './test.ts';
import { addUpstreamCommands } from './upstream.ts';
import { addUsageCommands } from './usage.ts';
import { addVerifyCommand } from './verify.ts';
import { addVersionCommand, readVersion } from './version.ts';

const commandAdders = [
  ...[
    addServeCommand,
    addConnectCommand,
    addAccountCommands,
    addKeyCommands,
    addGroupCommands,
    addUsageCommands,
    addModelCommands,
    addUpstreamCommands,
    addPriceCommands,
  ],
  ...[
    addLimitCommands,
    addSearchCommand,
    addSubscriptionCommands,
    addLedgerCommands,
    addExplainCommand,
    addAdminKeyCommands,
    addSessionCommands,
    addDbCommands,
    addConfigCommands,
    addDoctorCommand,
    addTestCommand,
    addVerifyCommand,
    addOpenapiCommand,
    addAlertCommands,
    addVersionCommand,
  ],
];

/** Options of the program itself. `launch.mjs` has the same list. */
const programOptions = new Set(['-h', '--help', '-V', '--version']);

/** Without a command, runs `serve` with the given options, so that `npx modelgate` starts the gateway. */
function addDefaultCommand(args: readonly string[]): readonly string[] {
  const [first = '--'] = args;
  return first.startsWith('-') && !programOptions.has(first) ? ['serve', ...args] : args;
}

/** `args` are the arguments without the program. Resolves when the command ends; `serve` ends on a signal. */
export async function runCommandLine(args: readonly string[], shell: Shell): Promise<number> {
  try {
    const program = createProgram(shell).hook('preAction', (_, command) => {
      command.setOptionValue('shell', withEnvironmentFile(shell, command.opts().environmentFile));
    });
    await program.parseAsync(addDefaultCommand(args), { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    return reportFailure(error, shell);
  }
}

/** Creates the program with all its commands, which still need their shell. */
export function createProgram(shell: Pick<Shell, 'stdout' | 'stderr'>): Command {
  const program = new Command('modelgate')
    .description('A gateway between callers with API keys and the models behind it.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show how to use a command')
    .showHelpAfterError('(add --help to show its usage)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
      getOutHelpWidth: () => getWidth(shell.stdout),
      getErrHelpWidth: () => getWidth(shell.stderr),
    })
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate                        start the gateway, like "modelgate serve"\n  modelgate --port 0               start it on a free port; accepts the options of "modelgate serve"\n  modelgate key create --name alice\n  modelgate account top-up default 10\n  modelgate config check\n${EXIT_CODE_HELP}`,
    );
  for (const add of commandAdders) add(program);
  return program;
}

/** Width in columns. Defaults to 80. */
const getWidth = ({ isTTY, columns = 80 }: Screen): number => (isTTY ? columns : 80);
