/** Measures the usage of a call: uses what the upstream reports, otherwise counts tokens and marks them as estimated (promise G4). */

import type { HiddenReasoning } from '../protocols/delivered-output.ts';
import type { HostedCalls } from '../protocols/hosted-calls.ts';
import { estimateImageTokens, type ImageCount } from '../protocols/images/image-count.ts';
import { countOpaqueTokens, extractRequestText } from '../protocols/input-tokens.ts';
import type { ProducedText } from '../protocols/produced-text.ts';
import { getBilledTokens, readCount, readServiceTier, type Usage } from '../protocols/usage.ts';
import type { Estimator } from './estimator.ts';
import type { UsageBounds } from './hold-range.ts';
import type { MeteredUsage } from './store.ts';

export interface MeasuredUsage {
  readonly metered: MeteredUsage;
  readonly isEstimated: boolean;
}

/** The facts about a response when it ends. */
export interface UsageEvidence {
  readonly usage: Usage | null;
  /** Text that the reported usage doesn't cover. All of it if the upstream reported no usage. */
  readonly producedText: ProducedText | null;
  /** Null if the response is text. */
  readonly imageCount: ImageCount | null;
  /** Hosted tool calls. */
  readonly tools: HostedCalls;
  /** The body for the upstream, used to count its input. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Usage that can't be counted, because the response was aborted before the upstream reported usage. Null otherwise. */
  readonly hiddenReasoning?: HiddenReasoning | null;
}

const NO_TOKENS: Usage = { input: 0, cached: 0, output: 0, reasoning: 0 };

/** Measures the usage of a response. Every request has input, so input tokens are counted if the upstream reports none. */
export async function measureUsage(
  evidence: UsageEvidence,
  estimator: Estimator,
  ceiling: BoundsSource = NO_CEILING,
): Promise<MeasuredUsage> {
  const { usage, producedText, imageCount, tools, request, hiddenReasoning = null } = evidence;
  const reportedTokens = getBilledTokens({ ...readServiceTier(request), ...(usage ?? NO_TOKENS) });
  const images = imageCount && imageCount.count > 0 ? { [imageCount.kind]: imageCount.count } : {};
  const isInputEstimated = imageCount === null && readCount(usage?.input) === 0;
  const isFullyReported = !isInputEstimated && producedText === null;
  const [input = 0, output = 0] = isFullyReported
    ? []
    : await estimator.count([isInputEstimated ? extractRequestText(request) : '', producedText?.text ?? '']);
  const metered = {
    ...reportedTokens,
    input: reportedTokens.input + (isInputEstimated ? computeInputTokens(Math.max(input, 1), evidence, ceiling) : 0),
    images,
    ...(imageCount?.partials && { partialImages: imageCount.partials }),
    output: computeOutputTokens(reportedTokens.output + Math.ceil(output * (producedText?.scale ?? 1)), hiddenReasoning, ceiling),
    ...(Object.keys(tools).length > 0 && { tools }),
  };
  return { metered, isEstimated: isInputEstimated || hiddenReasoning !== null || output > 0 || imageCount?.isEstimated === true };
}

/** Adds the tokens of images that the upstream didn't count, using OpenAI's numbers for their size and quality. */
export function addImageTokens({ metered, isEstimated }: MeasuredUsage): MeasuredUsage {
  const images = Object.entries(metered.images);
  if (metered.output > 0 || images.length === 0) return { metered, isEstimated };
  const output = images.reduce((sum, [kind, count]) => sum + count * estimateImageTokens(kind), 0);
  return { metered: { ...metered, output, imageOutput: output }, isEstimated: true };
}

/** The maximum usage of the request. Only computed if a response was aborted. */
type BoundsSource = { readonly bounds: UsageBounds };
const NO_CEILING: BoundsSource = { bounds: { inputTokens: 0, outputTokens: 0, images: 0, imageKind: '' } };

/** Returns the input tokens. For an aborted response, adds the maximum for images, files and tool results, up to the held amount. */
function computeInputTokens(tokens: number, { request, tools, hiddenReasoning }: UsageEvidence, ceiling: BoundsSource): number {
  if (!hiddenReasoning) return tokens;
  const opaqueTokens = Object.keys(tools).length > 0 ? Number.POSITIVE_INFINITY : countOpaqueTokens(request);
  return Math.max(tokens, Math.min(tokens + opaqueTokens, ceiling.bounds.inputTokens));
}

/** Returns the output tokens. For an aborted response, adds the maximum for hidden reasoning, up to the held amount. */
function computeOutputTokens(tokens: number, hiddenReasoning: HiddenReasoning | null, ceiling: BoundsSource): number {
  if (!hiddenReasoning) return tokens;
  const { outputTokens } = ceiling.bounds;
  return Math.max(tokens, hiddenReasoning.isUnbounded ? outputTokens : Math.min(tokens + hiddenReasoning.encryptedBytes, outputTokens));
}
