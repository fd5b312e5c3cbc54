/** All checks, one after the other, against one deployment. */
import { ModelList } from '../../contract/models.ts';
import { operations, tools, usage } from './answers.ts';
import { type Area, askTarget, type Caller, type Check, goodBody, LeftOut, type Outcome, type Target, Violation } from './check.ts';
import { limits, refusals } from './refusals.ts';
import { requestIds, state, streams } from './streams.ts';

export const checks: readonly Check[] = [...operations, ...requestIds, ...streams, ...refusals, ...tools, ...state, ...usage, ...limits];

export interface Choice {
  readonly model?: string | undefined;
  readonly imageModel?: string | undefined;
  readonly hasImages: boolean;
  /** Left out: all. */
  readonly only?: readonly Area[] | undefined;
  readonly limitedKey?: string | undefined;
}

/** Throws when nothing can be tested: no answer, or no list of models although one is needed. */
export async function openCaller(target: Target, choice: Choice): Promise<Caller> {
  const { model, imageModel, hasImages, limitedKey } = choice;
  const ids = isListNeeded(choice) ? await listModels(target) : [];
  const chosen = model ?? ids.find((id) => !isImage(id)) ?? 'no-model';
  return {
    model: chosen,
    imageModel: hasImages ? (imageModel ?? ids.find(isImage) ?? null) : null,
    limitedKey: limitedKey ?? null,
    ask: (path, ask) => askTarget(target, path, ask),
  };
}

/** With `only`, a mock may have no list. */
function isListNeeded({ model, imageModel, hasImages, only }: Choice): boolean {
  if (!only) return model === undefined || imageModel === undefined;
  const asksText = only.includes('chat') || only.includes('responses');
  return (asksText && model === undefined) || (only.includes('images') && hasImages && imageModel === undefined);
}

/** The list of models does not tell text models from image models. */
const isImage = (id: string): boolean => /image|dall-e|imagen/i.test(id);

async function listModels(target: Target): Promise<string[]> {
  return goodBody(await askTarget(target, '/models'), ModelList).data.map(({ id }) => id);
}

export async function* runChecks(caller: Caller, chosen: readonly Check[] = checks): AsyncGenerator<Outcome> {
  for (const check of chosen) yield await runCheck(caller, check);
}

/** The checks of the chosen operations. */
export const checksOf = (only: readonly Area[] | undefined): readonly Check[] =>
  only ? checks.filter(({ area }) => area !== null && only.includes(area)) : checks;

async function runCheck(caller: Caller, { group, name, run }: Check): Promise<Outcome> {
  const startedAt = performance.now();
  const [is, detail, mismatches] = await run(caller).then(
    () => ['passed', '', []] as const,
    (error: unknown) => (error instanceof LeftOut ? (['skipped', error.message, []] as const) : failed(error)),
  );
  return { group, name, state: is, detail, mismatches, ms: Math.round(performance.now() - startedAt) };
}

const failed = (error: unknown) => ['failed', reasonOf(error), error instanceof Violation ? error.mismatches : [reasonOf(error)]] as const;

/** The cause of a failed fetch has the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
