/** Records the output that a caller has received, forwarded or written here, for metering and history. */

import { ITEM_ADDED, ITEM_DONE } from '../../contract/responses/order.ts';
import { type Fields, isFields } from '../primitives/fields.ts';
import { countHostedCalls, countUnreportedCalls, HostedCallCounter, type HostedCalls } from './hosted-calls.ts';
import { addTexts, ProducedText } from './produced-text.ts';
import { forEachFrame, parseFrame } from './wire/frames.ts';

export class WrittenOutput implements DeliveredOutput {
  readonly #hasItems: boolean;
  #text = new ProducedText();
  #startedReasoningCount = 0;
  #sentReasoningCount = 0;
  #encryptedBytes = 0;

  /** `hasItems`: the protocol shows reasoning and tool calls as items. */
  constructor(hasItems: boolean) {
    this.#hasItems = hasItems;
  }

  /** Does nothing, because the writer has already added the text. */
  observe(): void {}

  get text(): ProducedText {
    return this.#text;
  }

  forgetText(): void {
    this.#text = new ProducedText();
  }

  /** Empty for protocols with items: a translated response contains no hosted calls. */
  get calls(): Readonly<Record<string, number>> | null {
    return this.#hasItems ? {} : null;
  }

  add(text: string): void {
    this.#text.add(text);
  }

  openReasoning(): void {
    this.#startedReasoningCount += 1;
  }

  /** `encrypted` is the encrypted reasoning, if the caller gets it. */
  closeReasoning(encrypted: string | undefined): void {
    if (encrypted === undefined) return;
    this.#sentReasoningCount += 1;
    this.#encryptedBytes += encrypted.length;
  }

  getHiddenReasoning(isRequested: boolean): HiddenReasoning {
    return {
      isUnbounded: this.#hasItems ? this.#startedReasoningCount > this.#sentReasoningCount : isRequested,
      encryptedBytes: this.#encryptedBytes,
    };
  }
}

export type CallerProtocol = 'chat' | 'responses' | 'images';

/** Observes the bytes of a relayed stream. Null for images, which are counted individually. */
export function createDeliveredOutput(protocol: CallerProtocol): DeliveredOutput | null {
  if (protocol === 'images') return null;
  return protocol === 'chat' ? new DeliveredChatOutput() : new DeliveredResponseOutput();
}

/** Counts the hosted calls in a complete response. `request` is the upstream request body. */
export const countCompleteHostedCalls = (bytes: Buffer, protocol: CallerProtocol, request: Fields): HostedCalls =>
  protocol === 'responses' ? countHostedCalls(bytes) : countUnreportedCalls(request);

/** Matches text fields in a chat stream. */
const CHAT_TEXT_FIELD = /"(?:content|arguments|input|reasoning_content|reasoning|refusal)"\s*:\s*"/g;

const REASONING_FIELD_START = '"reasoning';

/** Matches reasoning text. */
const REASONING_TEXT_FIELD = /"reasoning(?:_content)?"\s*:\s*"[^"]/;

class DeliveredChatOutput implements DeliveredOutput {
  readonly calls = null;
  text = new ProducedText();
  #hasReasoningText = false;

  observe(frames: Buffer): void {
    if (frames.length === 0) return;
    const json = frames.toString();
    addTexts(this.text, json, CHAT_TEXT_FIELD);
    if (!this.#hasReasoningText && json.includes(REASONING_FIELD_START)) this.#hasReasoningText = REASONING_TEXT_FIELD.test(json);
  }

  forgetText(): void {
    this.text = new ProducedText();
  }

  /** A chat stream can hide its reasoning entirely, so requested reasoning is unbounded until some is shown. */
  getHiddenReasoning(isRequested: boolean): HiddenReasoning {
    return { isUnbounded: isRequested && !this.#hasReasoningText, encryptedBytes: 0 };
  }
}

/** Matches the field that contains new text. Later events repeat each text under other names, which this pattern doesn't match. */
const DELTA_FIELD = /"delta"\s*:\s*"/g;

const ITEM_EVENT_PREFIX = Buffer.from('response.output_item.');

class DeliveredResponseOutput implements DeliveredOutput {
  readonly #calls = new HostedCallCounter();
  text = new ProducedText();
  #startedReasoningCount = 0;
  #sentReasoningCount = 0;
  #encryptedBytes = 0;

  observe(frames: Buffer): void {
    if (frames.length === 0) return;
    const json = frames.toString();
    addTexts(this.text, json, DELTA_FIELD);
    this.#calls.observe(frames);
    if (json.includes(REASONING_FIELD_START)) forEachFrame(frames, (frame) => this.#observeItem(frame));
  }

  forgetText(): void {
    this.text = new ProducedText();
  }

  get calls(): HostedCalls {
    return this.#calls.calls;
  }

  getHiddenReasoning(): HiddenReasoning {
    return { isUnbounded: this.#startedReasoningCount > this.#sentReasoningCount, encryptedBytes: this.#encryptedBytes };
  }

  #observeItem(frame: Buffer): void {
    const event = frame.includes(ITEM_EVENT_PREFIX) ? parseFrame(frame) : null;
    if (!event || !isFields(event.item) || event.item.type !== 'reasoning') return;
    if (event.type === ITEM_ADDED) this.#startedReasoningCount += 1;
    if (event.type === ITEM_DONE) this.#countReasoning(event.item);
  }

  #countReasoning({ content, encrypted_content: encrypted }: Fields): void {
    // Reasoning sent as text is already counted as text.
    if (Array.isArray(content) && content.length > 0) this.#sentReasoningCount += 1;
    else if (typeof encrypted === 'string') {
      this.#sentReasoningCount += 1;
      this.#encryptedBytes += encrypted.length;
    }
  }
}

/** Hidden reasoning in the received part of a response. */
export interface HiddenReasoning {
  /** True if some reasoning has an unknown size. */
  readonly isUnbounded: boolean;
  /** Bytes of encrypted reasoning, which has at most one token per byte. */
  readonly encryptedBytes: number;
}

/** Output that a stream's caller received. Used for billing if the upstream reports no usage. */
export interface DeliveredOutput {
  /** Observes frames that are sent to the caller. */
  observe(frames: Buffer): void;
  /** The text since the last `forgetText`, without repetitions. */
  readonly text: ProducedText;
  /** Drops the text, because the upstream has reported its usage. */
  forgetText(): void;
  /** Hosted calls. Null if the protocol doesn't show them. */
  readonly calls: HostedCalls | null;
  /** `isRequested`: the request asks for reasoning. Used only if the protocol has no reasoning items. */
  getHiddenReasoning(isRequested: boolean): HiddenReasoning;
}

/** The output of a stream that the gateway writes itself, so its frames don't need parsing. */
export interface WrittenStream {
  readonly output: DeliveredOutput;
  /** The response in the terminal event. Null before that event, in chat, and after a failure. */
  readonly finished: Fields | null;
}
