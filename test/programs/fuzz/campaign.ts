/** Runs a family of cases against the stage: many at once, counted, shrunk to the smallest that fails, told with the seed that finds it again. */
import fc from 'fast-check';
import { type Answer, Lane } from './lane.ts';
import { checkAnswer, type Expectation } from './oracle.ts';
import type { Stage } from './stage.ts';

/** How much more than usual: in CI 1 for a change, 3 at night. */
export const factor = Number(process.env.MODELGATE_FUZZ_FACTOR ?? '1');
/** Printed by the run. The same for each change; CI's nightly run sets another one each day. */
export const seed = Number(process.env.MODELGATE_FUZZ_SEED ?? '20261120');

const LANES = 6;
/** Characters of a case in a report. */
const MAX_SHOWN = 2_000;
const MAX_MS = 600_000 * factor;

/** One request, whole. */
export interface Request {
  readonly bytes: Buffer;
  readonly expects: Expectation;
  readonly isHead?: boolean;
}

export interface Family<T> {
  readonly name: string;
  readonly cases: fc.Arbitrary<T>;
  readonly runs: number;
  readonly check: (value: T, lane: Lane) => Promise<void>;
}

/** Throws with the smallest failing case. */
export async function run<T>(stage: Stage, { name, cases, runs, check }: Family<T>): Promise<void> {
  const each = Math.ceil((runs * factor) / LANES);
  const lanes = Array.from({ length: LANES }, (_, index) => runLane(stage, { name, cases, runs: each, check }, seed + index));
  // All of them end before the next family begins, also where one of them fails.
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failed) throw new Error(`${failed.reason instanceof Error ? failed.reason.message : failed.reason}\n${complaints(stage)}`);
  await stage.settle(name);
}

/** What the gateway itself wrote about failures. */
const complaints = ({ gateway }: Stage): string => {
  const lines = gateway.log.split('\n').filter((line) => line.includes('"level":"error"'));
  return lines.slice(-1).join('').slice(0, MAX_SHOWN);
};

async function runLane<T>(stage: Stage, { name, cases, runs, check }: Family<T>, own: number): Promise<void> {
  const lane = new Lane(stage.gateway.port);
  const property = fc.asyncProperty(cases, async (value) => {
    stage.tally.begin(name);
    await check(value, lane).catch((error) => {
      lane.close();
      throw error;
    });
  });
  const options = { seed: own, numRuns: runs, interruptAfterTimeLimit: MAX_MS };
  const { failed, counterexample, errorInstance, counterexamplePath, interrupted } = await fc.check(property, options);
  lane.close();
  if (interrupted) throw new Error(`${name}: not done within ${MAX_MS} ms`);
  if (!failed) return;
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(`${name}: ${why}\nseed ${own}, path ${counterexamplePath}, the smallest case is:\n${show(counterexample?.[0])}`);
}

interface Listed<T> extends Pick<Family<T>, 'name' | 'check'> {
  /** One, where a case is to have the gateway for itself. */
  readonly lanes?: number;
}

/** The same for cases that are listed, not drawn. */
export async function runAll<T>(stage: Stage, { name, check, lanes = LANES }: Listed<T>, cases: readonly T[]): Promise<void> {
  const queue = cases.values();
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    const lane = new Lane(stage.gateway.port);
    for (const value of queue) {
      stage.tally.begin(name);
      await check(value, lane).catch((error) => {
        lane.close();
        failures.push(`${error instanceof Error ? error.message : error}\nfor ${show(value)}`);
      });
    }
    lane.close();
  };
  await Promise.all(Array.from({ length: lanes }, work));
  const [first] = failures.sort((a, b) => a.length - b.length);
  if (first !== undefined) throw new Error(`${name}: ${failures.length} of ${cases.length} cases fail, the smallest is:\n${first}`);
  await stage.settle(name);
}

const show = (value: unknown): string =>
  (Buffer.isBuffer(value) ? value.toString('latin1') : (JSON.stringify(value) ?? '')).slice(0, MAX_SHOWN);

/** Asks, holds the answer against the oracle, and puts it on the books of the stage. */
export async function judge(stage: Stage, lane: Lane, { bytes, expects, isHead }: Request): Promise<Answer> {
  const start = performance.now();
  const answer = await lane.ask(bytes, isHead);
  stage.tally.note(answer, performance.now() - start, bytes.toString('utf8', 0, MAX_SHOWN));
  checkAnswer(answer, expects, stage.secrets);
  return answer;
}
