/** Computes the most that a request can use, before it is sent: the hold covers its cost (promise G3). */
import type { Model } from '../config/config.ts';
import {
  type AskedTier,
  answersAsked,
  hasUnknownItems,
  highestLimit,
  isWanted,
  maxAnswer,
  maxInputTokens,
  maxToolCalls,
  type OfferedTool,
  offeredTools,
  outputLimitsIn,
  roughInputTokens,
  tierOf,
} from '../dialects/asked.ts';
import { chargedFor, kindOf } from '../dialects/images/images.ts';
import { type JsonBody, jsonBody } from '../dialects/wire/json-body.ts';
import type { Bounds, Extra } from '../ledger/charge.ts';
import type { FormBody, Operation } from '../upstreams/upstream.ts';

export interface Sent {
  /** The body as the caller wrote it. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The body for the upstream, with the conversation before it. */
  readonly body: JsonBody | FormBody;
  readonly isImage: boolean;
  /** The caller's operation: only its own names of the output limit count. Without it, any name counts. */
  readonly operation?: Operation;
}

/** Tokens: what the upstream fetches may fill the whole context window. */
const WINDOW = 1_000_000;
/** Used when the request sets no limit: more calls than answers make, and few enough for a small balance. */
const MAX_TOOL_CALLS = 16;
/** The image kind of a request without images. */
const ANY_KIND = 'auto/auto';

export function boundsOf({ asked, body, isImage, operation }: Sent, model: Model): Bounds {
  if (isImage || body.kind === 'form')
    return { inputTokens: 0, outputTokens: 0, images: chargedFor(asked), imageKind: kindOf(asked, Buffer.from('')) };
  const isFirst = (tool: OfferedTool) => Number(isWanted(body.value, tool));
  // An error names the first tool without a price: it should be one that the request asks for.
  const offered = offeredTools(body.value).toSorted((one, other) => isFirst(other) - isFirst(one));
  const looksUp = offered.length > 0;
  // What an item of an unknown kind makes the upstream read isn't known either.
  const isOpen = looksUp || hasUnknownItems(body.value);
  const [answers, limits] = [answersAsked(asked), outputLimitsIn(asked, operation)];
  return {
    inputTokens: Math.min(isOpen ? Number.POSITIVE_INFINITY : maxInputTokens(body), windowOf(model)),
    outputTokens: maxOutput(limits, model) * answers,
    ...(limits.length === 0 && { open: { answers, longest: highestLimit(model) } }),
    images: 0,
    imageKind: ANY_KIND,
    toolCalls: looksUp ? (maxToolCalls(asked) ?? MAX_TOOL_CALLS) : 0,
    extras: extrasOf(offered, tierOf(body.value, model.quirks?.accepts?.serviceTiers)),
  };
}

const extrasOf = (offered: readonly OfferedTool[], tier: AskedTier | null): Extra[] => [
  ...offered.map(({ call, path }) => ({ kind: 'tool', name: call, path }) as const),
  ...(tier ? [{ kind: 'tier', name: tier.name, path: tier.path } as const] : []),
];

/** The bounds of a short request without an output limit: what `explain` estimates. */
export function boundsOfShortCall(model: Model): Bounds {
  const asked = { model: model.id, input: 'Say hello.' };
  return boundsOf({ asked, body: jsonBody(asked), isImage: model.kind === 'image' }, model);
}

/** The input bound when the upstream fetches something itself, for a tool or an address: its length is unknown. */
const windowOf = ({ contextWindow = WINDOW }: Model): number => contextWindow;

/** The most that a request can use. Both values read the whole body, so each is worked out once, when money or token limits need it. */
export class Ceiling {
  readonly #sent: Sent;
  readonly #model: Model;
  #bounds: Bounds | null = null;

  constructor(sent: Sent, model: Model) {
    this.#sent = sent;
    this.#model = model;
  }

  get bounds(): Bounds {
    this.#bounds ??= boundsOf(this.#sent, this.#model);
    return this.#bounds;
  }

  /** A rough estimate of input tokens, taken from token limits until the true number is known. */
  get roughTokens(): number {
    const { body, isImage } = this.#sent;
    return isImage || body.kind === 'form' ? 0 : roughInputTokens(body);
  }
}

function maxOutput(limits: readonly number[], model: Model): number {
  return Math.min(limits.length > 0 ? Math.max(...limits) : maxAnswer(model), model.maxOutputTokens ?? Number.POSITIVE_INFINITY);
}

/** Output tokens reserved for a response without a length limit. Most are shorter; a longer one is counted afterwards. Reserving the model's maximum would admit one request at a time. */
const USUAL_OUTPUT = 4_096;
/** Far more than any image takes. */
const TOKENS_OF_IMAGE = 100_000;

/**
 * What a request takes from token limits: its estimated input, a reserve for its output, and the most that may count in the end. An upstream that reports
 * absurd usage must not lock the caller out for years.
 */
export function tokensToTake({ roughTokens, bounds }: Pick<Ceiling, 'roughTokens' | 'bounds'>): {
  readonly tokens: number;
  readonly reserve: number;
  readonly most: number;
} {
  const { inputTokens, outputTokens, images, open } = bounds;
  return {
    tokens: roughTokens,
    reserve: open ? Math.min(outputTokens, USUAL_OUTPUT * open.answers) : outputTokens,
    most: inputTokens + outputTokens + images * TOKENS_OF_IMAGE,
  };
}
