/** Writes events as the chunks of a chat stream. */

import type { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import type { GatewayError } from '../../primitives/errors.ts';
import type { CanonicalEvent } from '../canonical/canonical-events.ts';
import type { WrittenStream } from '../delivered-output.ts';
import type { CallerStreamWriter, ResponseHead } from '../dialect.ts';
import { DONE, writeDataFrame } from '../wire/frames.ts';
import { isLegacyFunctionRequest, isUsageRequested } from './read-request.ts';
import type { ChatFinishReason, Chunk, ChunkHead } from './wire.ts';
import { type ChoiceDelta, CompletionBuilder, writeUsage } from './write-response.ts';

const NOTHING = Buffer.alloc(0);

class ChatStreamWriter implements CallerStreamWriter {
  readonly #builder: CompletionBuilder;
  readonly #head: ChunkHead;
  readonly #showsUsage: boolean;
  #hasEnded = false;

  constructor({ id, createdAt, model, request }: ResponseHead) {
    this.#builder = new CompletionBuilder(isLegacyFunctionRequest(request));
    this.#head = { id, object: 'chat.completion.chunk', created: createdAt, model };
    this.#showsUsage = isUsageRequested(request);
  }

  get failure(): GatewayError | null {
    return this.#builder.failure;
  }

  /** Chat responses aren't stored, so `finished` is always null. */
  get written(): WrittenStream {
    return { output: this.#builder.shown, finished: null };
  }

  write(event: CanonicalEvent): Buffer {
    if (this.#hasEnded) return NOTHING;
    const frames = this.#builder.handleEvent(event).map((step) => this.#writeStep(step, null));
    return concatFrames([...frames, ...this.#writeFailure()]);
  }

  /** Writes the finish only at the end, so that a stream that fails earlier doesn't look complete. */
  end(): Buffer {
    if (this.#hasEnded) return NOTHING;
    this.#builder.end();
    const failure = this.#writeFailure();
    if (failure.length > 0) return concatFrames(failure);
    this.#hasEnded = true;
    const finishFrame = this.#writeStep({ delta: {}, logprobs: null }, this.#builder.finishReason);
    return concatFrames([finishFrame, ...this.#writeUsage(), DONE]);
  }

  #writeStep(step: ChoiceDelta, finish_reason: ChatFinishReason | null): Buffer {
    const choices = [{ index: 0, ...step, finish_reason }];
    return writeDataFrame<Chunk>({ ...this.#head, choices, ...(this.#showsUsage && { usage: null }) });
  }

  /** Usage has its own chunk, only for callers who requested it: other clients read `choices[0]` of every chunk. */
  #writeUsage(): Buffer[] {
    const { usage } = this.#builder;
    return this.#showsUsage && usage ? [writeDataFrame<Chunk>({ ...this.#head, choices: [], usage: writeUsage(usage) })] : [];
  }

  #writeFailure(): Buffer[] {
    const { failure } = this.#builder;
    if (failure === null) return [];
    this.#hasEnded = true;
    return [writeDataFrame<ErrorBody>(failure.body)];
  }
}

const concatFrames = (frames: readonly Buffer[]): Buffer => (frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames));

export function writeChatStream(head: ResponseHead): CallerStreamWriter {
  return new ChatStreamWriter(head);
}
