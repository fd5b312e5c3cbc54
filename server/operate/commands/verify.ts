/** `modelgate verify`: checks any deployment or mock against the contract, by calling it like a client. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Area } from '../../../client/verify/check.ts';
import type { CheckOutcome } from '../../../client/verify/outcomes.ts';
import type { VerifyClientOptions } from '../../../client/verify/run-checks.ts';
import type { Target } from '../../../client/verify/target.ts';
import { CommandError, ReportedError } from './command-error.ts';
import { commandSummaries } from './command-summaries.ts';
import { formatTable } from './print-result.ts';
import type { Shell, ShellOptions } from './shell.ts';

interface VerifyOptions extends ShellOptions {
  readonly key?: string;
  readonly model?: string;
  readonly imageModel?: string;
  readonly images: boolean;
  readonly only?: readonly Area[];
  readonly limitedKey?: string;
  readonly timeout: string;
  readonly json?: string;
  readonly junit?: string;
}

/** Repeats the areas of the checks, so that listing the commands doesn't load the contract. */
const areaNames: Readonly<Record<Area, true>> = {
  models: true,
  chat: true,
  responses: true,
  images: true,
  usage: true,
  catalog: true,
};
const isArea = (name: string): name is Area => Object.hasOwn(areaNames, name);

function parseAreas(text: string): readonly Area[] {
  const names = text.split(',').map((word) => word.trim());
  const unknownName = names.find((word) => !isArea(word));
  if (unknownName !== undefined) throw new InvalidArgumentError(`Enter ${Object.keys(areaNames).join(', ')}, separated by commas.`);
  return names.filter(isArea);
}

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .argument('<base-url>', 'base URL of the deployment; ends in /v1')
    .description(commandSummaries.verify)
    .option('--key <key>', 'key for the calls (default: MODELGATE_API_KEY)')
    .option('--model <id>', 'text model (default: the first listed)')
    .option('--image-model <id>', 'image model (default: the first listed)')
    .option('--no-images', 'skip image generation')
    .option('--only <operations>', `run only these checks, separated by commas: ${Object.keys(areaNames).join(', ')}`, parseAreas)
    .option('--limited-key <key>', 'a key with a limit of one request per minute, to test rate limiting')
    .option('--timeout <seconds>', 'maximum time per response', '120')
    .option('--json <file>', 'also write the results as JSON to this file')
    .option('--junit <file>', 'also write the results as JUnit XML, for CI')
    .addHelpText(
      'after',
      `
The command makes about 100 small calls, which may be billed. Images cost the most.

Examples:
  modelgate verify http://127.0.0.1:8080/v1
  modelgate verify https://gateway.example/v1 --key mg-… --no-images --junit report.xml
  modelgate verify http://127.0.0.1:4010/v1 --key any --only chat,responses --model mocked

Environment:
  MODELGATE_API_KEY     same as --key

Exit codes:
  0  no check failed; some may have been skipped
  1  a check failed, or none could run
  2  invalid command or option`,
    )
    .action(async (baseUrl: string, options: VerifyOptions) => {
      const outcomes = await verify(toTarget(baseUrl, options), options);
      if (outcomes.some(({ state }) => state === 'failed')) throw new ReportedError();
    });
}

function toTarget(address: string, { key, timeout, shell }: VerifyOptions): Target {
  const apiKey = key ?? shell.env.MODELGATE_API_KEY;
  if (apiKey === undefined || apiKey === '') throw new CommandError('Specify a key with --key or MODELGATE_API_KEY.');
  const baseUrl = address.replace(/\/+$/, '');
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) throw new CommandError('Enter the base URL as https://host/v1.');
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= 3_600)) throw new CommandError('--timeout must be 1 to 3600 seconds.');
  return { baseUrl, key: apiKey, timeoutMs: seconds * 1_000 };
}

async function verify(target: Target, options: VerifyOptions): Promise<readonly CheckOutcome[]> {
  // Loaded here, so that other commands start without loading the contract.
  const { filterChecks, openClient, runChecks } = await import('../../../client/verify/run-checks.ts');
  const { countOutcomes, writeJson, writeJunit } = await import('../../../client/verify/outcomes.ts');
  const choice: VerifyClientOptions = {
    model: options.model,
    imageModel: options.imageModel,
    hasImages: options.images,
    only: options.only,
    limitedKey: options.limitedKey,
  };
  const client = await openClient(target, choice).catch((error: unknown) => {
    throw new CommandError(
      `Can't test ${target.baseUrl}: ${(error instanceof Error ? getCauseMessage(error) : String(error)).replace(/\.?$/, '.')}`,
    );
  });
  const outcomes: CheckOutcome[] = [];
  for await (const outcome of runChecks(client, filterChecks(options.only))) outcomes.push(outcome);
  const { shell } = options;
  shell.stdout.write(describeOutcomes(outcomes));
  const { passed, failed, skipped } = countOutcomes(outcomes);
  shell.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped.\n`);
  writeReport(shell, options.json, writeJson(target.baseUrl, outcomes));
  writeReport(shell, options.junit, writeJunit(outcomes));
  return outcomes;
}

const getCauseMessage = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message || message : message);

const stateLabels: Readonly<Record<CheckOutcome['state'], string>> = { passed: 'ok', failed: 'FAILED', skipped: '-' };

function describeOutcomes(outcomes: readonly CheckOutcome[]): string {
  const rows = outcomes.flatMap(({ group, name, state, ms, detail, mismatches }) => {
    const [first = detail, ...others] = mismatches;
    return [[group, stateLabels[state], `${ms} ms`, name, first], ...others.map((mismatch) => ['', '', '', '', mismatch])];
  });
  return formatTable(['GROUP', 'STATE', 'TOOK', 'CHECK', 'FOUND'], rows);
}

function writeReport({ folder }: Shell, file: string | undefined, text: string): void {
  if (file !== undefined) writeFileSync(resolve(folder, file), text);
}
