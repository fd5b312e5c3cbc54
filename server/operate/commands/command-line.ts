/** The command line of `modelgate`: lists the commands, parses the arguments, runs the command, and returns the exit code. */

import { Command } from 'commander';
import { reportFailure } from './command-error.ts';
import { type CommandName, commandSummaries } from './command-summaries.ts';
import { EXIT_CODE_HELP, exitCodes } from './exit-codes.ts';
import { type Screen, type Shell, withEnvironmentFile } from './shell.ts';
import { readVersion } from './version.ts';

type AddCommand = (program: Command) => void;

/** Only the command that runs is loaded: most of them need the configuration and the contract, which take longest. */
const loaders: Readonly<Record<CommandName, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.ts')).addServeCommand,
  connect: async () => (await import('./connect.ts')).addConnectCommand,
  account: async () => (await import('./account.ts')).addAccountCommands,
  key: async () => (await import('./key.ts')).addKeyCommands,
  group: async () => (await import('./group.ts')).addGroupCommands,
  usage: async () => (await import('./usage.ts')).addUsageCommands,
  model: async () => (await import('./model.ts')).addModelCommands,
  upstream: async () => (await import('./upstream.ts')).addUpstreamCommands,
  price: async () => (await import('./price.ts')).addPriceCommands,
  limit: async () => (await import('./limit.ts')).addLimitCommands,
  search: async () => (await import('./search.ts')).addSearchCommand,
  subscription: async () => (await import('./subscription.ts')).addSubscriptionCommands,
  ledger: async () => (await import('./ledger.ts')).addLedgerCommands,
  explain: async () => (await import('./explain.ts')).addExplainCommand,
  'admin-key': async () => (await import('./admin-key.ts')).addAdminKeyCommands,
  session: async () => (await import('./session.ts')).addSessionCommands,
  db: async () => (await import('./db.ts')).addDbCommands,
  config: async () => (await import('./config.ts')).addConfigCommands,
  doctor: async () => (await import('./doctor.ts')).addDoctorCommand,
  test: async () => (await import('./test.ts')).addTestCommand,
  verify: async () => (await import('./verify.ts')).addVerifyCommand,
  openapi: async () => (await import('./openapi.ts')).addOpenapiCommand,
  alert: async () => (await import('./alert.ts')).addAlertCommands,
  version: async () => (await import('./version.ts')).addVersionCommand,
};
// `as`: Object.keys widens the names to strings.
export const commandNames = Object.keys(commandSummaries) as readonly CommandName[];

const aliases: Readonly<Record<string, CommandName>> = { models: 'model' };

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
    const words = addDefaultCommand(args);
    const program = (await createProgram(shell, findNamedCommands(words))).hook('preAction', (_, command) => {
      command.setOptionValue('shell', withEnvironmentFile(shell, command.opts().environmentFile));
    });
    await program.parseAsync(words, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    return reportFailure(error, shell);
  }
}

/** Finds the command that runs, or whose help is shown. */
function findNamedCommands([first = '', second = '']: readonly string[]): readonly CommandName[] {
  const name = first === 'help' ? second : first;
  return commandNames.filter((one) => one === (aliases[name] ?? name));
}

/** Creates the program, which still needs its shell. Commands other than `names` have only a summary. */
export async function createProgram(
  shell: Pick<Shell, 'stdout' | 'stderr'>,
  names: readonly CommandName[] = commandNames,
): Promise<Command> {
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
  for (const name of commandNames) {
    if (names.includes(name)) (await loaders[name]())(program);
    else program.command(name).description(commandSummaries[name]);
  }
  return program;
}

/** Width in columns. Defaults to 80. */
const getWidth = ({ isTTY, columns = 80 }: Screen): number => (isTTY ? columns : 80);
