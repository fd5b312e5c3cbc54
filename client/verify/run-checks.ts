/** Lists all checks, and runs the selected ones in sequence against a deployment. */

import { ModelList } from '../../contract/models.ts';
import { parseOkBody } from './assert.ts';
import { backgroundChecks } from './background.ts';
import type { Area, Check } from './check.ts';
import { errorChecks } from './errors.ts';
import { limitChecks } from './limits.ts';
import { operationChecks } from './operations.ts';
import type { CheckOutcome } from './outcomes.ts';
import { requestIdChecks } from './request-ids.ts';
import { stateChecks } from './state.ts';
import { streamChecks } from './streams.ts';
import { sendToTarget, type Target, type VerifyClient } from './target.ts';
import { toolChecks } from './tools.ts';
import { usageChecks } from './usage.ts';
import { SkipCheck, Violation } from './violation.ts';

export interface VerifyClientOptions {
  readonly model?: string | undefined;
  readonly imageModel?: string | undefined;
  readonly hasImages: boolean;
  /** Omit to run all checks. */
  readonly only?: readonly Area[] | undefined;
  readonly limitedKey?: string | undefined;
}

/** Throws if nothing can be tested, because the deployment doesn't respond or doesn't return a required model list. */
export async function openClient(target: Target, options: VerifyClientOptions): Promise<VerifyClient> {
  const { model, imageModel, hasImages, limitedKey } = options;
  const ids = needsModelList(options) ? await listModels(target) : [];
  const selectedModel = model ?? ids.find((id) => !isImage(id)) ?? 'no-model';
  return {
    model: selectedModel,
    imageModel: hasImages ? (imageModel ?? ids.find(isImage) ?? null) : null,
    limitedKey: limitedKey ?? null,
    send: (path, ask) => sendToTarget(target, path, ask),
  };
}

/** Returns whether the model list is needed. With `only`, it isn't for most areas, so a mock can omit it. */
function needsModelList({ model, imageModel, hasImages, only }: VerifyClientOptions): boolean {
  if (!only) return model === undefined || imageModel === undefined;
  const hasTextChecks = only.includes('chat') || only.includes('responses');
  return (hasTextChecks && model === undefined) || (only.includes('images') && hasImages && imageModel === undefined);
}

/** Guesses the kind by the name, because the model list doesn't contain it. */
const isImage = (id: string): boolean => /image|dall-e|imagen/i.test(id);

async function listModels(target: Target): Promise<string[]> {
  return parseOkBody(await sendToTarget(target, '/models'), ModelList).data.map(({ id }) => id);
}

export async function* runChecks(caller: VerifyClient, selectedChecks: readonly Check[] = checks): AsyncGenerator<CheckOutcome> {
  for (const check of selectedChecks) yield await runCheck(caller, check);
}

/** Returns the checks of the chosen operations. */
export const filterChecks = (only: readonly Area[] | undefined): readonly Check[] =>
  only ? checks.filter(({ area }) => area !== null && only.includes(area)) : checks;

async function runCheck(caller: VerifyClient, { group, name, run }: Check): Promise<CheckOutcome> {
  const startedAt = performance.now();
  const [outcomeState, detail, mismatches] = await run(caller).then(
    () => ['passed', '', []] as const,
    (error: unknown) => (error instanceof SkipCheck ? (['skipped', error.message, []] as const) : toFailedResult(error)),
  );
  return { group, name, state: outcomeState, detail, mismatches, ms: Math.round(performance.now() - startedAt) };
}

const toFailedResult = (error: unknown) =>
  ['failed', getReason(error), error instanceof Violation ? error.mismatches : [getReason(error)]] as const;

/** Adds the cause of a failed fetch, which contains the reason. */
function getReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

export const checks: readonly Check[] = [
  ...operationChecks,
  ...requestIdChecks,
  ...streamChecks,
  ...errorChecks,
  ...toolChecks,
  ...stateChecks,
  ...backgroundChecks,
  ...usageChecks,
  ...limitChecks,
];
