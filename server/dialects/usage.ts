/** What a call used, in tokens, and its parts that add up exactly: each is priced and shown by class. */
import { isFields } from '../../contract/rule.ts';

/** As an upstream counted it: a liar's parts may be more than the whole, see `partition`. A class that is absent was not used. */
export interface Usage {
  readonly input: number;
  /** Within the input: read from a cache. */
  readonly cached: number;
  /** Within the input and beside `cached`: written to a cache. */
  readonly cacheWrite?: number;
  /** Within the input: pictures. Only counted where the upstream tells them apart. */
  readonly imageInput?: number;
  readonly output: number;
  /** Within the output. */
  readonly reasoning: number;
  /** Within the output: pictures. */
  readonly imageOutput?: number;
}

/** Far more than any call can use: past it a count is a lie, and sums below it stay exact. */
const MOST_TOKENS = 1e12;

/** A count that a lying upstream cannot spoil: no fraction, nothing negative, no text. */
export const readCount = (value: unknown): number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MOST_TOKENS ? value : 0;

const within = (value: unknown, field: string): number => (isFields(value) ? readCount(value[field]) : 0);

/** A class that not every upstream knows: there only where it was used. */
export const rareClass = <Name extends 'cacheWrite' | 'imageInput' | 'imageOutput'>(
  name: Name,
  count: number,
): { [Key in Name]?: number } =>
  // A computed key is typed as any text.
  (count > 0 ? { [name]: count } : {}) as { [Key in Name]?: number };

/** Reads the usage of a chat, responses or images answer; null where the upstream gave none. */
export function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const inputDetails = value.prompt_tokens_details ?? value.input_tokens_details;
  const outputDetails = value.completion_tokens_details ?? value.output_tokens_details;
  return {
    input: readCount(value.prompt_tokens ?? value.input_tokens),
    cached: within(inputDetails, 'cached_tokens'),
    ...rareClass('cacheWrite', within(inputDetails, 'cache_write_tokens')),
    ...rareClass('imageInput', within(inputDetails, 'image_tokens')),
    output: readCount(value.completion_tokens ?? value.output_tokens),
    reasoning: within(outputDetails, 'reasoning_tokens'),
    ...rareClass('imageOutput', within(outputDetails, 'image_tokens')),
  };
}

/** The classes of a usage. Those of the input add up to `input`, those of the output to `output`, the two to `total`. */
export interface TokenClasses {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
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

/** Cuts the parts to what the whole has room for, the first of them first. A picture out of a cache counts as cached. */
export function partition(usage: Usage): TokenClasses {
  const input = readCount(usage.input);
  const cachedInput = Math.min(readCount(usage.cached), input);
  const cacheWrite = Math.min(readCount(usage.cacheWrite), input - cachedInput);
  const imageInput = Math.min(readCount(usage.imageInput), input - cachedInput - cacheWrite);
  const output = readCount(usage.output);
  const reasoning = Math.min(readCount(usage.reasoning), output);
  const imageOutput = Math.min(readCount(usage.imageOutput), output - reasoning);
  return {
    input,
    cachedInput,
    cacheWrite,
    imageInput,
    uncachedInput: input - cachedInput - cacheWrite - imageInput,
    output,
    reasoning,
    imageOutput,
    visibleOutput: output - reasoning - imageOutput,
    total: input + output,
  };
}

/** `cache_write_tokens`, where there are any: readers of usage that know no such field never meet it. */
export const writeCacheWrite = ({ cacheWrite }: TokenClasses): { readonly cache_write_tokens?: number } =>
  cacheWrite > 0 ? { cache_write_tokens: cacheWrite } : {};
