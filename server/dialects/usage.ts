/** The usage of a call in tokens, and its partition into classes that add up exactly and are priced one by one. */

import { ITEM_ADDED, ITEM_DONE } from '../../contract/responses/order.ts';
import { type Fields, isFields } from '../primitives/fields.ts';
import { callsUnseen, countHostedCalls, HostedCallCounter, type HostedCalls } from './asked.ts';
import type { Hidden, ShownOutput } from './visible-output.ts';
import { addTexts, eachFrame, frameObject, Produced } from './wire/frames.ts';

/** Usage as the upstream reported it. Its parts may exceed the whole (see `partition`). An absent class wasn't used. */
export interface Usage {
  readonly input: number;
  /** Part of the input: read from a cache. */
  readonly cached: number;
  /** Part of the input, not of `cached`: written to a cache. */
  readonly cacheWrite?: number;
  /** Parts of `cacheWrite`: what the upstream keeps for an hour, and for twelve. */
  readonly cacheWrite1h?: number;
  readonly cacheWrite12h?: number;
  /** Part of the input: images. Set only when the upstream counts them separately. */
  readonly imageInput?: number;
  readonly output: number;
  /** Part of the output. */
  readonly reasoning: number;
  /** Part of the output: images. */
  readonly imageOutput?: number;
}

/** Far more than any call can use: a higher count is wrong. Sums of counts below it are exact. */
const MAX_TOKENS = 1e12;

/** Reads a token count: 0 for anything but a positive integer within the bound. */
export const readCount = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_TOKENS ? value : 0;

const isCount = (value: unknown): boolean => value === 0 || readCount(value) > 0;

const within = (value: unknown, field: string): number => (isFields(value) ? readCount(value[field]) : 0);

/** Tokens written to a cache that keeps them longer than usual, which costs more. */
export type LongWrite = 'cacheWrite1h' | 'cacheWrite12h';

/** A class that some upstreams don't have; the field is absent when the count is 0. */
export const rareClass = <Name extends 'cacheWrite' | LongWrite | 'imageInput' | 'imageOutput'>(
  name: Name,
  count: number,
): { [Key in Name]?: number } =>
  // A computed key is typed as any text.
  (count > 0 ? { [name]: count } : {}) as { [Key in Name]?: number };

/** Reads the usage of a chat, responses or images answer; null if the upstream reported none. */
export function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const inputDetails = value.prompt_tokens_details ?? value.input_tokens_details;
  const outputDetails = value.completion_tokens_details ?? value.output_tokens_details;
  const { input, output } = withUncounted(value, inputDetails);
  return {
    input,
    cached: within(inputDetails, 'cached_tokens'),
    ...rareClass('cacheWrite', within(inputDetails, 'cache_write_tokens')),
    ...rareClass('cacheWrite12h', isFields(inputDetails) ? within(inputDetails.cache_write_tokens_details, 'ttl_12h_tokens') : 0),
    ...rareClass('imageInput', within(inputDetails, 'image_tokens')),
    output,
    reasoning: within(outputDetails, 'reasoning_tokens'),
    ...rareClass('imageOutput', within(outputDetails, 'image_tokens')),
  };
}

/**
 * Some providers count reasoning alongside the output, or audio and cached tokens alongside the input, and only their total holds all of them.
 * What the total has above the sum was used: it is input as far as the input's own parts say so, and output otherwise.
 */
function withUncounted(value: Fields, inputDetails: unknown): Pick<Usage, 'input' | 'output'> {
  const told = { input: value.prompt_tokens ?? value.input_tokens, output: value.completion_tokens ?? value.output_tokens };
  const input = readCount(told.input);
  const output = readCount(told.output);
  // A total says nothing if its counts aren't numbers.
  const uncounted = isCount(told.input) && isCount(told.output) ? Math.max(0, readCount(value.total_tokens) - input - output) : 0;
  const beside = cachedBeside(input, inputDetails);
  if (beside > 0) return { input: input + beside, output: output + uncounted - (uncounted >= beside ? beside : 0) };
  if (uncounted === 0) return { input, output };
  const parts = within(inputDetails, 'cached_tokens') + within(inputDetails, 'audio_tokens');
  const isAudio = isFields(value) && readCount(value.prompt_audio_seconds) > 0;
  const toInput = isAudio ? uncounted : Math.min(uncounted, Math.max(0, parts - input));
  return { input: input + toInput, output: output + uncounted - toInput };
}

/** Grok in Azure counts cached tokens alongside the input: it says that all of the input is text, and that more than that came from a cache. */
function cachedBeside(input: number, details: unknown): number {
  const cached = within(details, 'cached_tokens');
  return cached > input && input > 0 && within(details, 'text_tokens') === input ? cached : 0;
}

/** The classes of a usage. Those of the input add up to `input`, those of the output to `output`; `total` is the sum of both. */
export interface TokenClasses {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  /** Parts of `cacheWrite`. */
  readonly cacheWrite1h: number;
  readonly cacheWrite12h: number;
  readonly imageInput: number;
  /** All other input. */
  readonly uncachedInput: number;
  readonly output: number;
  readonly reasoning: number;
  readonly imageOutput: number;
  /** All other output. */
  readonly visibleOutput: number;
  readonly total: number;
}

/** Limits the parts, in order, so that they don't exceed the whole. An image from a cache counts as cached. */
export function partition(usage: Usage): TokenClasses {
  const input = readCount(usage.input);
  const cachedInput = Math.min(readCount(usage.cached), input);
  const cacheWrite = Math.min(readCount(usage.cacheWrite), input - cachedInput);
  const cacheWrite1h = Math.min(readCount(usage.cacheWrite1h), cacheWrite);
  const cacheWrite12h = Math.min(readCount(usage.cacheWrite12h), cacheWrite - cacheWrite1h);
  const imageInput = Math.min(readCount(usage.imageInput), input - cachedInput - cacheWrite);
  const output = readCount(usage.output);
  const reasoning = Math.min(readCount(usage.reasoning), output);
  const imageOutput = Math.min(readCount(usage.imageOutput), output - reasoning);
  return {
    input,
    cachedInput,
    cacheWrite,
    cacheWrite1h,
    cacheWrite12h,
    imageInput,
    uncachedInput: input - cachedInput - cacheWrite - imageInput,
    output,
    reasoning,
    imageOutput,
    visibleOutput: output - reasoning - imageOutput,
    total: input + output,
  };
}

/** The parts of `cacheWrite` that a usage or a charge has. */
export const longWritesOf = ({
  cacheWrite1h,
  cacheWrite12h,
}: Pick<TokenClasses, LongWrite>): { readonly [Name in LongWrite]?: number } => ({
  ...rareClass('cacheWrite1h', cacheWrite1h),
  ...rareClass('cacheWrite12h', cacheWrite12h),
});

/** `cache_write_tokens` when there are any: clients that don't know the field rarely get it. */
export const writeCacheWrite = ({ cacheWrite }: TokenClasses): { readonly cache_write_tokens?: number } =>
  cacheWrite > 0 ? { cache_write_tokens: cacheWrite } : {};

/** The names of the counts in one protocol. */
export interface UsageNames {
  readonly input: string;
  readonly output: string;
}
export const chatUsageNames: UsageNames = { input: 'prompt_tokens', output: 'completion_tokens' };
export const responsesUsageNames: UsageNames = { input: 'input_tokens', output: 'output_tokens' };

/** The same object when its counts are those that are charged; else a copy with corrected counts, and all other fields as they came. */
export function toldUsage(value: Fields, names: UsageNames): Fields {
  const usage = readUsage(value);
  if (usage === null) return value;
  const classes = partition(usage);
  const { input, output, total } = classes;
  const details = toldDetails(value, names, classes);
  const isSame = details === null && value[names.input] === input && value[names.output] === output && value.total_tokens === total;
  return isSame ? value : { ...value, [names.input]: input, [names.output]: output, total_tokens: total, ...details };
}

/** The details with parts that exceeded the whole corrected; null if none did. */
function toldDetails(value: Fields, names: UsageNames, { cachedInput, reasoning }: TokenClasses): Fields | null {
  const inputs = `${names.input}_details`;
  const outputs = `${names.output}_details`;
  const isCached = isCorrected(value[inputs], 'cached_tokens', cachedInput);
  const isReasoned = isCorrected(value[outputs], 'reasoning_tokens', reasoning);
  if (!isCached && !isReasoned) return null;
  return {
    ...(isCached && { [inputs]: { ...fieldsOf(value[inputs]), cached_tokens: cachedInput } }),
    ...(isReasoned && { [outputs]: { ...fieldsOf(value[outputs]), reasoning_tokens: reasoning } }),
  };
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** Whether the provider told this part, with another count. */
const isCorrected = (details: unknown, part: string, count: number): boolean =>
  isFields(details) && typeof details[part] === 'number' && details[part] !== count;

export type CallerProtocol = 'chat' | 'responses' | 'images';

/** Watches the bytes of a relayed stream; null for images, which are counted one by one. */
export function watchOutput(protocol: CallerProtocol): ShownOutput | null {
  if (protocol === 'images') return null;
  return protocol === 'chat' ? new ShownChat() : new ShownResponse();
}

/** The calls of the upstream's tools in a complete response. `request`: the body for the upstream. */
export const callsIn = (bytes: Buffer, protocol: CallerProtocol, request: Fields): HostedCalls =>
  protocol === 'responses' ? countHostedCalls(bytes) : callsUnseen(request);

/** Matches the fields that carry text. */
const CHAT_TEXT = /"(?:content|arguments|input|reasoning_content|reasoning|refusal)"\s*:\s*"/g;

const REASONING = '"reasoning';
/** Matches reasoning that is shown as text. */
const SHOWN_THOUGHT = /"reasoning(?:_content)?"\s*:\s*"[^"]/;

export class ShownChat implements ShownOutput {
  readonly calls = null;
  text = new Produced();
  #showsThoughts = false;

  see(frames: Buffer): void {
    if (frames.length === 0) return;
    const json = frames.toString();
    addTexts(this.text, json, CHAT_TEXT);
    if (!this.#showsThoughts && json.includes(REASONING)) this.#showsThoughts = SHOWN_THOUGHT.test(json);
  }

  forgetText(): void {
    this.text = new Produced();
  }

  /** A chat stream may show no sign of its reasoning. */
  hidden(areAsked: boolean): Hidden {
    return { isUnbounded: areAsked && !this.#showsThoughts, encryptedBytes: 0 };
  }
}

/** Matches the field that carries new text. Later events repeat each text under other names, which aren't matched. */
const RESPONSE_TEXT = /"delta"\s*:\s*"/g;

const ITEM = Buffer.from('response.output_item.');

export class ShownResponse implements ShownOutput {
  readonly #calls = new HostedCallCounter();
  text = new Produced();
  #begun = 0;
  #told = 0;
  #encryptedBytes = 0;

  see(frames: Buffer): void {
    if (frames.length === 0) return;
    const json = frames.toString();
    addTexts(this.text, json, RESPONSE_TEXT);
    this.#calls.see(frames);
    if (json.includes(REASONING)) eachFrame(frames, (frame) => this.#seeItem(frame));
  }

  forgetText(): void {
    this.text = new Produced();
  }

  get calls(): HostedCalls {
    return this.#calls.calls;
  }

  hidden(): Hidden {
    return { isUnbounded: this.#begun > this.#told, encryptedBytes: this.#encryptedBytes };
  }

  #seeItem(frame: Buffer): void {
    const event = frame.includes(ITEM) ? frameObject(frame) : null;
    if (!event || !isFields(event.item) || event.item.type !== 'reasoning') return;
    if (event.type === ITEM_ADDED) this.#begun += 1;
    if (event.type === ITEM_DONE) this.#endThought(event.item);
  }

  #endThought({ content, encrypted_content: encrypted }: Fields): void {
    // Reasoning that is sent as text is counted as text.
    if (Array.isArray(content) && content.length > 0) this.#told += 1;
    else if (typeof encrypted === 'string') {
      this.#told += 1;
      this.#encryptedBytes += encrypted.length;
    }
  }
}
