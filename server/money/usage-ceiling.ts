/** Computes the most that a request can use, before it is sent. The hold covers its cost (promise G3). */
import type { Model } from '../config/config.ts';
import { countAttachments } from '../protocols/attachments.ts';
import { hasUnknownItems } from '../protocols/canonical/newer-values.ts';
import { findHostedTools, findMaxToolCalls, isToolRequested, type OfferedHostedTool } from '../protocols/hosted-tools.ts';
import { estimateImageTokens, getImageKind, getMaxBilledImages, getRequestedPartials } from '../protocols/images/image-count.ts';
import { estimateInputTokens, getMaxInputTokens } from '../protocols/input-tokens.ts';
import { findOutputLimits, getChoiceCount, getDefaultOutputLimit, getOutputLimit } from '../protocols/output-limits.ts';
import { DEFAULT_SERVICE_TIER, findServiceTier, type RequestedTier } from '../protocols/service-tier.ts';
import { readServiceTier } from '../protocols/usage.ts';
import { createJsonBody, type JsonBody } from '../protocols/wire/json-body.ts';
import type { FormBody, Operation } from '../providers/upstream.ts';
import type { PricedOption, UsageBounds } from './hold-range.ts';
import { ANY_TIER } from './prices.ts';

export interface CeilingRequest {
  /** The body as the caller sent it. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The body for the upstream, including the earlier conversation. */
  readonly body: JsonBody | FormBody;
  readonly isImage: boolean;
  /** The caller's operation. Only its own names for the output limit count. If omitted, any name counts. */
  readonly operation?: Operation;
}

/** In tokens. Content that the upstream fetches may fill the full context window. */
const DEFAULT_CONTEXT_WINDOW = 1_000_000;
/** Used if the request sets no limit: more calls than responses usually make, but few enough for a small balance. */
const MAX_TOOL_CALLS = 16;
/** An image of unknown size and quality. */
const AUTO_IMAGE_KIND = 'auto/auto';
/** The maximum number of tokens that providers add to a prompt. */
const IMAGE_PROMPT_OVERHEAD_TOKENS = 100;
/** OpenAI bills this many tokens for each partial image. */
const PARTIAL_IMAGE_TOKENS = 100;

interface RequestBounds extends UsageBounds {
  /** Images in the request. Omitted for image operations. */
  readonly inlineImages?: number;
}

export function computeBounds({ request, body, isImage, operation }: CeilingRequest, model: Model): RequestBounds {
  if (isImage || body.kind === 'form') return computeImageBounds(request, model);
  const getPriority = (tool: OfferedHostedTool) => Number(isToolRequested(body.value, tool));
  // Requested tools first, because an error names the first tool without a price.
  const hostedTools = findHostedTools(body.value).toSorted((one, other) => getPriority(other) - getPriority(one));
  const hasHostedTools = hostedTools.length > 0;
  // An unknown item may also make the upstream fetch content of unknown length.
  const isInputUnbounded = hasHostedTools || hasUnknownItems(body.value);
  const attachments = countAttachments(body.value);
  const choiceCount = getChoiceCount(request);
  const callerLimits = findOutputLimits(request, operation);
  // Translation can raise the caller's output limit, because some providers have a minimum.
  const limits = callerLimits.length === 0 ? [] : [...callerLimits, ...findOutputLimits(body.value, undefined)];
  return {
    inputTokens: Math.min(isInputUnbounded ? Number.POSITIVE_INFINITY : getMaxInputTokens(body, attachments), getContextWindow(model)),
    outputTokens: getMaxOutputTokens(limits, model) * choiceCount,
    ...(limits.length === 0 && { unlimitedOutput: { choiceCount, maxTokensPerChoice: getDefaultOutputLimit(model) } }),
    inlineImages: attachments.images,
    images: 0,
    imageKind: AUTO_IMAGE_KIND,
    toolCalls: hasHostedTools ? (findMaxToolCalls(request) ?? MAX_TOOL_CALLS) : 0,
    // Gemini also counts the audio of videos.
    hasAudio: () => body.bytes.includes('audio') || body.bytes.includes('video'),
    ...getTierBounds(body.value),
    extras: listPricedOptions(hostedTools, findServiceTier(body.value, model.quirks?.accepts?.serviceTiers)),
  };
}

function computeImageBounds(request: CeilingRequest['request'], { maxOutputTokens }: Model): UsageBounds {
  const imageKind = getImageKind(request, Buffer.from(''));
  const [images, partialImages] = [getMaxBilledImages(request), getRequestedPartials(request)];
  const inputImageCount = [request.images, request.image, request.mask].flat().filter((one) => one !== undefined).length;
  return {
    inputTokens:
      IMAGE_PROMPT_OVERHEAD_TOKENS +
      Buffer.byteLength(String(request.prompt ?? '')) +
      inputImageCount * estimateImageTokens(AUTO_IMAGE_KIND),
    outputTokens:
      images * Math.min(estimateImageTokens(imageKind), maxOutputTokens ?? Number.POSITIVE_INFINITY) + partialImages * PARTIAL_IMAGE_TOKENS,
    images,
    imageKind,
    partialImages,
  };
}

/** Which service tiers the provider can choose. */
function getTierBounds(request: CeilingRequest['request']): Pick<UsageBounds, 'serviceTier'> {
  const { serviceTier = ANY_TIER } = readServiceTier(request);
  return serviceTier === DEFAULT_SERVICE_TIER ? {} : { serviceTier };
}

const listPricedOptions = (hostedTools: readonly OfferedHostedTool[], tier: RequestedTier | null): PricedOption[] => [
  ...hostedTools.map(({ call, path }) => ({ kind: 'tool', name: call, path }) as const),
  ...(tier ? [{ kind: 'tier', name: tier.name, path: tier.path } as const] : []),
];

/** The bounds of a short request without an output limit, for the estimate of `explain`. */
export function computeShortCallBounds(model: Model): UsageBounds {
  const shortRequest = { model: model.id, input: 'Say hello.' };
  return computeBounds({ request: shortRequest, body: createJsonBody(shortRequest), isImage: model.kind === 'image' }, model);
}

/** The input bound if the upstream fetches content for a tool or a URL, whose length is unknown. */
const getContextWindow = ({ contextWindow = DEFAULT_CONTEXT_WINDOW }: Model): number => contextWindow;

/** Computes the maximum usage of a request when money or token limits need it, because that reads the full body. */
export class UsageCeiling {
  readonly #request: CeilingRequest;
  readonly #model: Model;
  #bounds: RequestBounds | null = null;

  constructor(request: CeilingRequest, model: Model) {
    this.#request = request;
    this.#model = model;
  }

  get bounds(): RequestBounds {
    this.#bounds ??= computeBounds(this.#request, this.#model);
    return this.#bounds;
  }

  /** A rough estimate of input tokens, acquired from token limits until the actual number is known. */
  get roughTokens(): number {
    const { body, isImage } = this.#request;
    return isImage || body.kind === 'form' ? 0 : estimateInputTokens(body, { images: this.bounds.inlineImages ?? 0 });
  }
}

function getMaxOutputTokens(limits: readonly number[], model: Model): number {
  return Math.min(limits.length > 0 ? Math.max(...limits) : getOutputLimit(model), model.maxOutputTokens ?? Number.POSITIVE_INFINITY);
}

/**
 * Output tokens reserved for a response without an output limit. Most responses are shorter, and longer ones are corrected afterward.
 * Reserving the model's maximum would admit one request at a time.
 */
const TYPICAL_OUTPUT_TOKENS = 4_096;
/** Far more than any image uses. */
const TOKENS_PER_IMAGE = 100_000;

/**
 * Estimates the tokens to acquire from token limits: the input, a reserve for output, and the maximum that can count in the end.
 * The maximum keeps an upstream that reports absurd usage from locking the caller out for years.
 */
export function estimateTokens({ roughTokens, bounds }: Pick<UsageCeiling, 'roughTokens' | 'bounds'>): {
  readonly tokens: number;
  readonly reserve: number;
  readonly most: number;
} {
  const { inputTokens, outputTokens, images, unlimitedOutput } = bounds;
  return {
    tokens: roughTokens,
    reserve: images > 0 ? 0 : unlimitedOutput ? Math.min(outputTokens, TYPICAL_OUTPUT_TOKENS * unlimitedOutput.choiceCount) : outputTokens,
    most: inputTokens + (images > 0 ? images * TOKENS_PER_IMAGE : outputTokens),
  };
}
