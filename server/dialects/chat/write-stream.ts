/** Writes a chat completion as chunks: role, deltas, finish, usage if requested, `[DONE]`; on failure one error frame is the last. */
import type { ErrorBody } from '../../../contract/errors.ts';
import { isFields } from '../../../contract/rule.ts';
import type { GatewayError } from '../../errors.ts';
import type { CallerStreamWriter } from '../dialect.ts';
import type { WrittenStream } from '../shown-output.ts';
import type { AnswerHead, TurnEvent } from '../turn/turn.ts';
import { DONE, dataFrame } from '../wire/frames.ts';
import { ChatAnswer, type Step } from './answer.ts';
import { isLegacy } from './legacy.ts';
import type { Chunk, ChunkHead, FinishReason } from './wire.ts';
import { writeUsage } from './write-usage.ts';

const NOTHING = Buffer.alloc(0);

class ChatStreamWriter implements CallerStreamWriter {
  readonly #answer: ChatAnswer;
  readonly #head: ChunkHead;
  readonly #showsUsage: boolean;
  #isOver = false;

  constructor({ id, createdAt, model, request }: AnswerHead) {
    this.#answer = new ChatAnswer(isLegacy(request));
    this.#head = { id, object: 'chat.completion.chunk', created: createdAt, model };
    this.#showsUsage = isFields(request.stream_options) && request.stream_options.include_usage === true;
  }

  get failure(): GatewayError | null {
    return this.#answer.failure;
  }

  /** Chat answers are not stored. */
  get written(): WrittenStream {
    return { output: this.#answer.shown, finished: null };
  }

  write(event: TurnEvent): Buffer {
    if (this.#isOver) return NOTHING;
    const frames = this.#answer.take(event).map((step) => this.#writeStep(step, null));
    return join([...frames, ...this.#writeFailure()]);
  }

  /** The finish is written only at the end: a stream that fails before it must not look complete. */
  end(): Buffer {
    if (this.#isOver) return NOTHING;
    this.#answer.end();
    const failure = this.#writeFailure();
    if (failure.length > 0) return join(failure);
    this.#isOver = true;
    const finish = this.#writeStep({ delta: {}, logprobs: null }, this.#answer.finishReason);
    return join([finish, ...this.#writeUsage(), DONE]);
  }

  #writeStep(step: Step, finish_reason: FinishReason | null): Buffer {
    const choices = [{ index: 0, ...step, finish_reason }];
    return dataFrame<Chunk>({ ...this.#head, choices, ...(this.#showsUsage && { usage: null }) });
  }

  /** Usage has its own chunk, only for callers who asked for it: other clients read `choices[0]` of every chunk. */
  #writeUsage(): Buffer[] {
    const { usage } = this.#answer;
    return this.#showsUsage && usage ? [dataFrame<Chunk>({ ...this.#head, choices: [], usage: writeUsage(usage) })] : [];
  }

  #writeFailure(): Buffer[] {
    const { failure } = this.#answer;
    if (failure === null) return [];
    this.#isOver = true;
    return [dataFrame<ErrorBody>(failure.body)];
  }
}

const join = (frames: readonly Buffer[]): Buffer => (frames.length === 1 && frames[0] ? frames[0] : Buffer.concat(frames));

export function openChatStream(head: AnswerHead): CallerStreamWriter {
  return new ChatStreamWriter(head);
}
