/** The bounds that keep a request from doing harm, and small schemas with these bounds. */
import { z } from 'zod';
import { deprecated } from './descriptions.ts';

/** The longest text of one field, in UTF-16 units; large enough for an image as a data URL. */
export const MAX_TEXT = 20 * 1024 * 1024;
/** The most items or messages in one request. */
export const MAX_ITEMS = 4096;
/** The most parts in one message. */
export const MAX_PARTS = 1024;
/** The most tools in one request. */
export const MAX_TOOLS = 128;
/** Deepest nesting of a JSON schema or another free JSON value. */
export const MAX_DEPTH = 64;
/** Deepest nesting of a whole body, including fields that the contract does not know. */
export const MAX_LEVELS = 500;

/** May be absent or null: most clients send null for "not set". */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish();

/** Text of any length that fits in a request. The limit on the body enforces the bound, so fields need no check of their own. */
export const Text = z.string().meta({ maxLength: MAX_TEXT });
/** An id that a client or an upstream made. */
export const Id = z.string().min(1).max(512);
/** A short label: a file name, a voice, a tier. */
export const Label = z.string().max(512);
/** Name of a tool on chat. */
export const ToolName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'A tool name has 1 to 64 letters, digits, underscores and hyphens.')
  .meta({ id: 'ToolName', description: 'Letters, digits, `_` and `-`; at most 64.', examples: ['get_weather'] });

/** Name of a tool on responses, where namespaces make longer names usual. */
export const LongToolName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,128}$/, 'A tool name has 1 to 128 letters, digits, underscores and hyphens.')
  .meta({ id: 'LongToolName', description: 'Letters, digits, `_` and `-`; at most 128.', examples: ['get_weather'] });

/** Seconds since 1970. */
export const UnixSeconds = z.int().min(0).describe('Seconds since 1970-01-01 UTC.');
/** A count of tokens. */
export const Tokens = z.int().min(0);
export const Index = z.int().min(0);

/** Audio from the caller, in both text protocols. */
export const AudioClip = z
  .looseObject({
    data: Text.describe('The audio in plain base64, without the prefix of a data URL.'),
    format: z.enum(['wav', 'mp3']).describe('How `data` is encoded.'),
  })
  .meta({ id: 'AudioClip', description: 'A piece of audio: its bytes as base64, and their encoding.' });

/** Goes only into values that can nest, because it runs over every tool of every request. */
export function isShallow(value: object, left: number): boolean {
  if (left === 0) return false;
  if (Array.isArray(value)) return value.every((inner) => isLeaf(inner) || isShallow(inner, left - 1));
  for (const key in value) {
    // `as`: an object from JSON has string keys only.
    const inner = (value as Record<string, object>)[key];
    if (!isLeaf(inner) && !isShallow(inner, left - 1)) return false;
  }
  return true;
}
const isLeaf = (value: unknown): value is string | number | boolean | null | undefined => typeof value !== 'object' || value === null;
/** Whether a JSON value is nested no deeper than so many levels. */
export const isWithin = (value: unknown, levels: number): boolean => isLeaf(value) || isShallow(value as object, levels);
const shallow = (value: unknown) => isWithin(value, MAX_DEPTH);
const tooDeep = { error: `Nested deeper than ${MAX_DEPTH} levels.` };

/** Any JSON object, not nested deeper than MAX_DEPTH: a JSON schema, a filter, arguments. */
export const JsonObject = z.looseObject({}).refine(shallow, tooDeep);

/** Any JSON value, not nested deeper than MAX_DEPTH. */
export const JsonValue = z.unknown().refine(shallow, tooDeep);

/** Up to 16 short key-value pairs that a caller attaches to an object. */
export const Metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, { error: 'At most 16 pairs.' })
  .meta({
    id: 'Metadata',
    description: 'Metadata of the caller: up to 16 pairs, keys up to 64 characters, values up to 512.',
    examples: [{ team: 'search' }],
  });

/** An upstream without such marks still caches the prompt by its own rules. */
export const CacheBreakpoint = JsonObject.describe(
  'Marks the end of a part of the prompt that the upstream may cache. Sent when the upstream speaks responses or the protocol of this call, and as `cache_control` to Claude, where the last four marks count; left out for others. Absent: no mark.',
);

export const ReasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).meta({
  id: 'ReasoningEffort',
  description:
    'How much the model should reason before it answers; reasoning is charged as output. Each model supports some of the values. Anthropic upstreams take `minimal` as `low`; Gemini upstreams take `xhigh` and `max` as `high`, and from the third generation on `none` as `minimal`.',
});

export const Verbosity = z.enum(['low', 'medium', 'high']).meta({
  id: 'Verbosity',
  description:
    'How long the answer should be. Sent to upstreams that speak chat or responses; Anthropic and Gemini upstreams have no such option and are not sent it.',
});

export const ServiceTier = z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']).meta({
  id: 'ServiceTier',
  description:
    'Processing tier to ask the upstream for; the answer says which one was used. When calls are charged, only `auto` and `default` are accepted, unless the model is free: prices apply to the default tier. Anthropic and Gemini upstreams are not sent it.',
});

export const CacheOptions = z
  .looseObject({
    mode: maybe(z.enum(['implicit', 'explicit'])).describe(
      '`implicit`: the upstream decides what to cache. `explicit`: it caches only what a `prompt_cache_breakpoint` marks. Optional; the provider decides if omitted.',
    ),
    ttl: maybe(Label).describe(
      'How long the upstream should keep the cached prompt, in the format of the upstream. Optional; the provider decides if omitted.',
    ),
  })
  .meta({
    id: 'PromptCacheOptions',
    description:
      'How the upstream may cache the prompt. Sent to upstreams that speak chat or responses. For Claude, `ttl` sets how long marks are kept: `5m`, or an hour for anything longer. Left out for others, and where nothing is marked.',
  });

export const UsageOptions = z
  .looseObject({ include: maybe(z.boolean()).describe('Whether `usage.cost` is in the response. Defaults to false.') })
  .meta({
    id: 'UsageOptions',
    description:
      'Asks for `usage.cost`: in the usage of a complete response, or of the last event of a stream, which then always has its usage.',
  });

export const Cost = z
  .number()
  .min(0)
  .optional()
  .describe('Dollars charged. Absent unless `usage: { include: true }` asked for it and calls are charged.');

export const CacheRetention = deprecated(
  z.enum(['in_memory', 'in-memory', '24h']),
  'use `prompt_cache_options`. How long the upstream should keep a cached prompt. Left out for Gemini upstreams; for Claude, `24h` keeps marks for an hour.',
);

export const Moderation = z
  .looseObject({
    model: Label.describe('Id of a moderation model of the upstream.'),
    policy: maybe(JsonObject).describe('The moderation policy, in the format of the upstream. Absent: the default policy of the model.'),
  })
  .meta({
    id: 'TextModeration',
    description:
      'Moderation of a text call by the upstream. Anthropic and Gemini upstreams refuse it with 400. In image requests `moderation` is a string instead.',
  });
