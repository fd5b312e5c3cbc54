/** The two text operations, each with its own fields, for cases that cover both. */
import { chatCompletion, chatFrames } from '../../fakes/chat.ts';
import type { SseEvent } from '../../fakes/frames.ts';
import { response, responseFrames } from '../../fakes/responses.ts';
import type { Tokens } from './expected.ts';

export interface Reply {
  readonly text: readonly string[];
  /** As it is sent; null leaves it out. */
  readonly usage: unknown;
}

export interface Door {
  readonly name: 'chat' | 'responses';
  readonly path: string;
  ask(model: string, prompt: string): Record<string, unknown>;
  whole(reply: Reply, more?: object): Record<string, unknown>;
  frames(reply: Reply, more?: object): readonly SseEvent[];
  /** The usage that a vendor reports for these tokens. */
  usage(tokens: Tokens): Record<string, unknown>;
  /** How many frames come before the first text. */
  readonly opening: number;
  /** The name of its counts. */
  readonly counts: readonly [input: string, output: string];
}

const total = ({ input, cachedInput = 0, cacheWrite = 0 }: Tokens): number => input + cachedInput + cacheWrite;

const chat: Door = {
  name: 'chat',
  path: '/chat/completions',
  ask: (model, prompt) => ({ model, messages: [{ role: 'user', content: prompt }], max_tokens: 4_000 }),
  whole: (reply, more = {}) => chatCompletion({ ...reply, ...more }),
  frames: (reply, more = {}) => chatFrames({ ...reply, includeUsage: true, ...more }),
  usage: (tokens) => ({
    prompt_tokens: total(tokens),
    completion_tokens: tokens.output,
    total_tokens: total(tokens) + tokens.output,
    prompt_tokens_details: { cached_tokens: tokens.cachedInput ?? 0, cache_write_tokens: tokens.cacheWrite ?? 0 },
    completion_tokens_details: { reasoning_tokens: tokens.reasoning ?? 0 },
  }),
  opening: 1,
  counts: ['prompt_tokens', 'completion_tokens'],
};

const responses: Door = {
  name: 'responses',
  path: '/responses',
  ask: (model, prompt) => ({ model, input: prompt, max_output_tokens: 4_000 }),
  whole: (reply, more = {}) => response({ ...reply, ...more }),
  frames: (reply, more = {}) => responseFrames({ ...reply, ...more }),
  usage: (tokens) => ({
    input_tokens: total(tokens),
    output_tokens: tokens.output,
    total_tokens: total(tokens) + tokens.output,
    input_tokens_details: { cached_tokens: tokens.cachedInput ?? 0, cache_write_tokens: tokens.cacheWrite ?? 0 },
    output_tokens_details: { reasoning_tokens: tokens.reasoning ?? 0 },
  }),
  opening: 4,
  counts: ['input_tokens', 'output_tokens'],
};

export const doors = { chat, responses };
