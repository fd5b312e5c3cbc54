/** Chat to chat: asks the upstream for usage, removes it for callers who didn't ask, and forwards everything else unchanged. */

import type { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { type CallCode, CLOSED_EARLY, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import { shortenMessageIds } from '../canonical/call-ids.ts';
import { readFailure } from '../errors.ts';
import { withoutParsedFields } from '../parsed-fields.ts';
import type { ModelNames, Relay, RequestOptions } from '../relay.ts';
import type { StreamReader } from '../stream-reader.ts';
import { readUsage, type Usage, withTopLevelUsage } from '../usage.ts';
import { readCompleteResponse } from '../wire/complete-response.ts';
import { DONE, dropEmptyData, NOTHING, parseFrame, transformFrames, writeDataFrame } from '../wire/frames.ts';
import { type Changes, type JsonBody, withFields } from '../wire/json-body.ts';
import { ChunkFastPath } from './chunk-fast-path.ts';
import { ChunkNormalizer, isPrelude } from './chunk-normalizer.ts';
import { normalizeCompletion } from './normalize-completion.ts';
import { isUsageRequested } from './read-request.ts';
import { moveReasoning } from './reasoning-parts.ts';

/** Some client bridges send `reasoning`, but chat upstreams use `reasoning_effort`. */
function moveEffort(body: JsonBody): Changes {
  const { reasoning, reasoning_effort } = body.value;
  if (reasoning === undefined) return {};
  const effort = isFields(reasoning) ? reasoning.effort : undefined;
  return { reasoning: undefined, reasoning_effort: reasoning_effort ?? effort ?? undefined };
}

function requestUsage(body: JsonBody): Changes {
  const options = isFields(body.value.stream_options) ? body.value.stream_options : {};
  if (body.value.stream !== true || options.include_usage === true) return {};
  return { stream_options: { ...options, include_usage: true } };
}

/** The changes to a chat body for every provider. */
export const createChatChanges = (body: JsonBody, { model }: RequestOptions): Changes => ({
  model,
  usage: undefined,
  ...moveEffort(body),
  ...requestUsage(body),
});

/** Fields of `reasoning` that an upstream without this object doesn't get. The effort has its own field. */
export const findDroppedReasoningFields = ({ reasoning }: Fields): readonly string[] =>
  isFields(reasoning)
    ? Object.keys(reasoning)
        .filter((name) => name !== 'effort' && isSet(reasoning[name]))
        .map((name) => `reasoning.${name}`)
    : [];

/** Upstreams must not store requests, and some store by default. */
const DO_NOT_STORE = { store: false };

/** Reports `store` as dropped if the caller requested it. */
export const findDroppedStore = ({ store }: Fields): readonly string[] => (store === true ? ['store'] : []);

function writeRequest(body: JsonBody, options: RequestOptions): JsonBody {
  const parsedFieldChanges = withoutParsedFields(body.value, 'messages');
  const reasoningChanges = moveReasoning({ ...body.value, ...parsedFieldChanges }, null);
  const idChanges = shortenMessageIds({ ...body.value, ...parsedFieldChanges, ...reasoningChanges });
  return withFields(body, {
    ...createChatChanges(body, options),
    ...parsedFieldChanges,
    ...reasoningChanges,
    ...idChanges,
    ...DO_NOT_STORE,
  });
}

interface ChatStreamOptions {
  readonly names: ModelNames;
  readonly showUsage: boolean;
  /** The number of choices that the caller requested. */
  readonly choices: number;
}

class ChatStream implements StreamReader {
  readonly #options: ChatStreamOptions;
  readonly #normalizer: ChunkNormalizer;
  readonly #fastPath: ChunkFastPath;
  #serviceTier: unknown;
  #isDone = false;
  usage: Usage | null = null;
  failure: GatewayError | null = null;
  hasBegun = false;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
    this.#normalizer = new ChunkNormalizer({ model: options.names.requested, showUsage: options.showUsage });
    this.#fastPath = new ChunkFastPath(options.showUsage);
  }

  get isComplete(): boolean {
    return this.#isDone;
  }

  transform(block: Buffer): Buffer {
    const fastFrames = this.#isDone ? null : this.#fastPath.rewrite(block);
    if (fastFrames !== null) return fastFrames;
    const { out, failure } = transformFrames(block, (frame) => (this.#isDone ? NOTHING : this.#transformFrame(frame)));
    this.failure = failure;
    return out;
  }

  /** Without `[DONE]`, every requested choice must be finished. `[DONE]` ends all started choices. */
  flush(): Buffer {
    const { startedCount: begun, haveAllEnded } = this.#normalizer;
    if (begun === 0 || (!this.#isDone && (!haveAllEnded || begun < this.#options.choices)))
      throw new GatewayError<CallCode>('upstream_error', { message: CLOSED_EARLY });
    return Buffer.concat([...this.#normalizer.finish().map((chunk) => writeDataFrame<Fields>(chunk)), DONE]);
  }

  fail(error: GatewayError): Buffer {
    return writeDataFrame<ErrorBody>(error.body);
  }

  #transformFrame(frame: Buffer): Buffer {
    if (endsInDone(frame)) {
      this.#isDone = true;
      return NOTHING;
    }
    const chunk = parseFrame(frame);
    if (chunk === null) return dropEmptyData(frame);
    if ((chunk.error !== undefined && chunk.error !== null) || chunk.type === 'error') throw this.#readFailure(chunk);
    if (isPrelude(chunk)) return NOTHING;
    this.hasBegun = true;
    this.#serviceTier = chunk.service_tier ?? this.#serviceTier;
    this.usage = readUsage(withTopLevelUsage(chunk).usage, this.#serviceTier) ?? this.usage;
    const normalized = this.#normalizer.normalize(chunk);
    if (normalized === null) return NOTHING;
    const out = normalized === chunk ? frame : writeDataFrame<Fields>(normalized);
    if (this.#options.choices === 1 && this.#normalizer.startedCount === 1) this.#fastPath.learn(frame, out);
    return out;
  }

  /** The usage of a failed response is billed too. */
  #readFailure(chunk: Fields): GatewayError {
    this.usage = readUsage(chunk.usage, chunk.service_tier) ?? this.usage;
    return readFailure(chunk.error ?? chunk);
  }
}

const CLOSING_BRACKET = 0x5d;
const DONE_MARKER = 'data: [DONE]';

/** True if the last frame of a block is `data: [DONE]`. JSON objects never end in a bracket, so the last byte usually decides. */
function endsInDone(block: Buffer): boolean {
  let end = block.length;
  while (end > 0 && isBlank(block[end - 1])) end--;
  if (block[end - 1] !== CLOSING_BRACKET) return false;
  return /(^|\n)data: ?\[DONE\]$/.test(block.toString('latin1', Math.max(0, end - DONE_MARKER.length - 1), end));
}
const isBlank = (byte: number | undefined) => byte === 0x0a || byte === 0x0d || byte === 0x20;

export const chatRelay: Relay = {
  writeRequest,
  readResponse: (bytes, names) =>
    readCompleteResponse(bytes, { required: 'choices', model: names.requested, normalize: normalizeCompletion }),
  readStream: (body, names) =>
    new ChatStream({ names, showUsage: isUsageRequested(body.value), choices: typeof body.value.n === 'number' ? body.value.n : 1 }),
};
