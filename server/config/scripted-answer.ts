/** The schema of a scripted answer of the simulator, which a test writes instead of a model. docs/guides/testing-with-a-gateway.md explains it. */

import { parse } from 'yaml';
import { z } from 'zod';
import { errorCodes } from '../primitives/errors.ts';
import type { Fields } from '../primitives/fields.ts';
import type { Frozen } from '../primitives/frozen.ts';

const MAX_TIMES = 1_000_000;
const MAX_DELAY_MS = 600_000;

/** `/text/flags` as in JavaScript. Null for other texts. */
export function parsePattern(text: string): RegExp | null {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  return source === undefined ? null : new RegExp(source, flags);
}

function isPatternValid(text: string): boolean {
  try {
    parsePattern(text);
    return true;
  } catch {
    return false;
  }
}

const Condition = z.strictObject({
  model: z
    .string()
    .optional()
    .meta({ description: 'The model of the request.', examples: ['gpt-5.4'] }),
  operation: z
    .enum(['createChatCompletion', 'createResponse', 'generateImages', 'editImages'])
    .optional()
    .meta({ description: 'The operation of the request.' }),
  hasToolResult: z.boolean().optional().meta({ description: 'Whether the conversation ends with the result of a tool.' }),
  input: z
    .string()
    .refine(isPatternValid, 'The pattern is invalid.')
    .optional()
    .meta({
      description: 'A text in the last user message or the image prompt, or a pattern between slashes.',
      examples: ['weather', '/weather|forecast/i'],
    }),
});

const ToolCall = z.strictObject({
  name: z.string().meta({ description: 'The name of a tool of the request.', examples: ['get_weather'] }),
  arguments: z
    .union([z.record(z.string(), z.unknown()), z.string()])
    .default({})
    .meta({ description: 'The arguments of a function, or the text for a custom tool.', examples: [{ city: 'Oslo' }] }),
});

const createCount = (description: string) => z.int().min(0).optional().meta({ description });

const Usage = z.strictObject({
  inputTokens: createCount('Input tokens. Estimated if omitted.'),
  cachedTokens: createCount('Input tokens read from the cache of the provider. Defaults to 0.'),
  outputTokens: createCount('Output tokens, including reasoning. Counted if omitted.'),
  reasoningTokens: createCount('Tokens of reasoning. Counted if omitted.'),
});

/** Whether an answer with this field has none of the others. */
const hasOnly = (field: string, others: readonly string[]) => (answer: Fields) =>
  answer[field] === undefined || others.every((other) => answer[other] === undefined);

export const ScriptedAnswer = z
  .strictObject({
    text: z.string().optional().meta({ description: 'The text of the model.' }),
    toolCalls: z.array(ToolCall).min(1).optional().meta({ description: 'Calls of tools that the request offers.' }),
    reasoning: z.string().optional().meta({ description: 'The summary of the reasoning.' }),
    images: z.array(z.base64()).min(1).max(10).optional().meta({ description: 'Images in base64, for image operations.' }),
    usage: Usage.optional().meta({ description: 'Tokens of the call. Estimated if omitted.' }),
    error: z.enum(errorCodes).optional().meta({ description: 'The call fails with this code and its status.' }),
    delayMs: z.int().min(0).max(MAX_DELAY_MS).optional().meta({ description: 'Delay before the response, in milliseconds.' }),
    cutAfter: z.int().min(0).optional().meta({
      description: 'Cuts a stream after so many events. Other responses, and streams with 0, fail with `upstream_error`.',
    }),
    when: Condition.optional().meta({ description: 'The requests that get this answer. Defaults to all.' }),
    times: z.int().min(1).max(MAX_TIMES).default(1).meta({ description: 'How many requests get this answer.' }),
  })
  .refine(hasOnly('error', ['text', 'toolCalls', 'reasoning', 'images', 'usage', 'cutAfter']), {
    message: "An answer with 'error' can have only 'delayMs', 'when', and 'times'.",
    path: ['error'],
  })
  .refine(hasOnly('images', ['text', 'toolCalls', 'reasoning', 'usage']), {
    message: "An answer with 'images' can't have a text, tool calls, reasoning, or usage.",
    path: ['images'],
  });

export type ScriptedAnswer = Frozen<z.infer<typeof ScriptedAnswer>>;

const ScriptFile = z.strictObject({ answers: z.array(ScriptedAnswer) });

/** Reads the text of a script: JSON or YAML. Throws an error with a message that lists the mistakes. */
export function parseScript(text: string): readonly ScriptedAnswer[] {
  const parsed = ScriptFile.safeParse(parse(text));
  if (parsed.success) return parsed.data.answers;
  throw new Error(z.prettifyError(parsed.error));
}
