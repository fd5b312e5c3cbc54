/** The command line of `modelgate`: parses the arguments, runs the command, returns the exit code. */
import { Command } from 'commander';
import { addAccount } from './account.ts';
import { addActivity } from './activity.ts';
import { addAdminKey } from './admin-key.ts';
import { addAlert } from './alert.ts';
import { addConfig } from './config.ts';
import { addDb } from './db.ts';
import { addDoctor } from './doctor.ts';
import { addExplain } from './explain.ts';
import { EXIT_CODE_HELP, type ExitCode, exitCodes, reportFailure } from './failure.ts';
import { addGroups } from './group.ts';
import { addKey } from './key.ts';
import { addLedger } from './ledger.ts';
import { addLimit } from './limit.ts';
import { addModels } from './model.ts';
import { addPrice } from './price.ts';
import { addRequests } from './requests.ts';
import { addSearch } from './search.ts';
import { addServe } from './serve.ts';
import { addSession } from './session.ts';
import type { Screen, Shell } from './shell.ts';
import { addSubscription } from './subscription.ts';
import { addUpstream } from './upstream.ts';
import { addUsage } from './usage.ts';
import { addVerify } from './verify.ts';
import { addVersion, readVersion } from './version.ts';

const commands = [
  ...[addServe, addAccount, addKey, addGroups, addUsage, addRequests, addActivity, addModels, addUpstream, addPrice],
  ...[
    addLimit,
    addSearch,
    addSubscription,
    addLedger,
    addExplain,
    addAdminKey,
    addSession,
    addDb,
    addConfig,
    addDoctor,
    addVerify,
    addAlert,
    addVersion,
  ],
];

/** Options of the program itself; `launch.mjs` has the same list. */
const ownOptions = new Set(['-h', '--help', '-V', '--version']);

/** Without a command the gateway starts with the given options, like `npm start`, so that `npx modelgate` works. */
function wordsOf(words: readonly string[]): readonly string[] {
  const [first = '--'] = words;
  return first.startsWith('-') && !ownOptions.has(first) ? ['serve', ...words] : words;
}

/** `words` are the arguments without the program. Resolves when the command ends; `serve` ends on a signal. */
export async function runCommandLine(words: readonly string[], shell: Shell): Promise<ExitCode> {
  try {
    await openProgram(shell).parseAsync(wordsOf(words), { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    return reportFailure(error, shell);
  }
}

function openProgram(shell: Shell): Command {
  const program = new Command('modelgate')
    .description('A gateway between people who hold API keys and the models behind it.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpCommand('help [command]', 'show how to use a command')
    .showHelpAfterError('(add --help to see how it is used)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
      getOutHelpWidth: () => widthOf(shell.stdout),
      getErrHelpWidth: () => widthOf(shell.stderr),
    })
    .hook('preAction', (_, command) => {
      command.setOptionValue('shell', shell);
    })
    .addHelpText(
      'after',
      `\nExamples:\n  modelgate                        start the gateway, as "modelgate serve" does\n  modelgate --port 0               the same with options of "modelgate serve"\n  modelgate key create --name alice\n  modelgate account top-up default 10\n  modelgate config check\n${EXIT_CODE_HELP}`,
    );
  for (const add of commands) add(program);
  return program;
}

/** Width in columns; undefined means the default of commander. */
const widthOf = ({ isTTY, columns = 80 }: Screen): number => (isTTY ? columns : 80);
