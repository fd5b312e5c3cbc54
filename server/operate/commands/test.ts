/** `modelgate test`: runs a command, such as a test suite, against a mock gateway that exists only while it runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { LineSink } from '../../telemetry/line-sink.ts';
import { type Cleanups, closeTestGateway, describeUnusedAnswers, openTestGateway, type TestGateway } from '../open-test-gateway.ts';
import { CommandError, ReportedError } from './command-error.ts';
import { commandSummaries } from './command-summaries.ts';
import { addConfigOption, type LocationOptions, toFlags } from './location-options.ts';
import { addSimulatorOptions, type MockOptions, readMockFlags } from './mock-options.ts';
import type { Shell, StopSignal } from './shell.ts';

interface TestOptions extends LocationOptions, Omit<MockOptions, 'simulate' | 'key'> {
  readonly log?: string;
}

export function addTestCommand(program: Command): void {
  addSimulatorOptions(addConfigOption(program.command('test')))
    .usage('[options] -- <command...>')
    .argument('<command...>', 'command that runs the tests, with its arguments')
    .description(commandSummaries.test)
    .option('--log <file>', "write the gateway's log to this file, one line of JSON per request")
    .addHelpText(
      'after',
      `
The gateway listens on a free port of 127.0.0.1 and keeps its data in a temporary folder. Without --record and --replay, its
only upstream is the simulator. With --strict, the command also fails if a scripted response wasn't used.

Examples:
  modelgate test -- npm test
  modelgate test --script answers.json --strict -- pytest -q
  modelgate test --replay test/recordings -- go test ./...

Environment of the command:
  MODELGATE_BASE_URL, OPENAI_BASE_URL  address of the gateway; ends in /v1
  MODELGATE_API_KEY, OPENAI_API_KEY    a key with a balance of $100

Exit codes:
  the exit code of the command, or
  1  failed to start, or a scripted response wasn't used; the reason is on stderr
  2  invalid option`,
    )
    .action(runTest);
}

async function runTest(words: readonly string[], options: TestOptions): Promise<void> {
  const cleanups: Cleanups = [];
  try {
    const gateway = await openTestGateway(toGatewayOptions(options), cleanups);
    const exitCode = await runCommand(words, gateway, options.shell);
    if (exitCode !== 0) throw new ReportedError(exitCode);
    const unused = options.strict ? describeUnusedAnswers(gateway.script) : undefined;
    if (unused !== undefined) throw new CommandError(unused);
  } finally {
    await closeTestGateway(cleanups);
  }
}

function toGatewayOptions(options: TestOptions) {
  const { seed, clock, script, strict, record, replay, log, shell } = options;
  const hasUpstreams = (record ?? replay) !== undefined && (seed ?? clock ?? script ?? strict) === undefined;
  const mock = readMockFlags({ ...options, simulate: !hasUpstreams }, shell.folder);
  // The data of tests stays in the temporary folder, also where the gateway's own variables are set.
  const { DATABASE_URL, REDIS_URL, ...env } = shell.env;
  return { flags: { ...toFlags(options), ...mock }, env, seed, sink: log === undefined ? noSink : openLogFile(resolve(shell.folder, log)) };
}

const noSink: LineSink = { write: () => true };

function openLogFile(file: string): LineSink {
  try {
    writeFileSync(file, '');
  } catch (error) {
    throw new CommandError(`Can't write the log: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { write: (lines) => appendFileSync(file, lines) };
}

/** Resolves with the exit code; 128 and the number of the signal if a signal ended the command, as in a shell. */
async function runCommand([program = '', ...args]: readonly string[], { baseUrl, apiKey }: TestGateway, shell: Shell): Promise<number> {
  const address = { MODELGATE_BASE_URL: baseUrl, MODELGATE_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey };
  const child = spawn(program, args, { cwd: shell.folder, env: { ...shell.env, ...address }, stdio: 'inherit' });
  const forward = (signal: StopSignal): void => {
    // Ctrl-C on a terminal reaches the command without our help.
    if (signal === 'SIGTERM' || !shell.stdout.isTTY) child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) shell.events.on(signal, forward);
  try {
    const [code, signal] = await once(child, 'close');
    return typeof code === 'number' ? code : 128 + constants.signals[signal as NodeJS.Signals];
  } catch (error) {
    throw new CommandError(`Can't run '${program}': ${error instanceof Error ? error.message : String(error)}.`);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) shell.events.off(signal, forward);
  }
}
