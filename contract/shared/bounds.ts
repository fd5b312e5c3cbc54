/** The limits that keep a request from overloading the gateway, and small schemas with these limits. */
import { z } from 'zod';
import { markDeprecated } from './descriptions.ts';
import { createOpenEnum } from './open.ts';

/** Maximum text length of one field, in UTF-16 code units. Large enough for an image as a data URL. */
export const MAX_TEXT_LENGTH = 20 * 1024 * 1024;
/** Maximum number of items or messages in one request. */
export const MAX_ITEMS = 4096;
/** Maximum number of parts in one message. */
export const MAX_PARTS = 1024;
/** Maximum number of tools in one request. */
export const MAX_TOOLS = 128;
/** Maximum nesting of a JSON schema or another free JSON value. */
export const MAX_DEPTH = 64;
/** Maximum nesting of a complete body, including fields that the contract doesn't define. */
export const MAX_LEVELS = 500;

/** Accepts null like an omitted field, because most clients send null for "not set". */
export const toNullish = <T extends z.ZodType>(schema: T) => schema.nullish();

/** Text up to the limit of the body. Fields with this schema have no separate limit. */
export const Text = z.string().meta({ maxLength: MAX_TEXT_LENGTH });
/** An ID that a client or an upstream generated. */
export const Id = z.string().min(1).max(512);
/** A short label: a file name, a voice, a tier. */
export const Label = z.string().max(512);
/** Name of a tool on chat. */
export const ToolName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'A tool name must have 1 to 64 letters, digits, underscores, or hyphens.')
  .meta({ id: 'ToolName', description: 'Letters, digits, `_` and `-`; at most 64.', examples: ['get_weather'] });

/** Name of a tool on responses, where namespaces make longer names usual. */
export const LongToolName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,128}$/, 'A tool name must have 1 to 128 letters, digits, underscores, or hyphens.')
  .meta({ id: 'LongToolName', description: 'Letters, digits, `_` and `-`; at most 128.', examples: ['get_weather'] });

/** Seconds since 1970. */
export const UnixSeconds = z.int().min(0).describe('Unix timestamp in seconds.');
/** A count of tokens. */
export const Tokens = z.int().min(0);
export const Index = z.int().min(0);

export const SoundFormat = createOpenEnum(['wav', 'mp3']);

/** An audio clip in a chat or responses request. */
export const AudioClip = z
  .looseObject({
    data: Text.describe('The audio in base64, without a data URL prefix.'),
    format: SoundFormat.describe('The encoding of `data`.'),
  })
  .meta({ id: 'AudioClip', description: 'An audio clip and its encoding.' });

/** Recurses only into objects and arrays, because it runs over every tool of every request. */
export function isShallow(value: object, maxLevels: number): boolean {
  if (maxLevels === 0) return false;
  if (Array.isArray(value)) return value.every((inner) => isLeaf(inner) || isShallow(inner, maxLevels - 1));
  for (const key in value) {
    // `as`: an object parsed from JSON has only string keys.
    const inner = (value as Record<string, object>)[key];
    if (!isLeaf(inner) && !isShallow(inner, maxLevels - 1)) return false;
  }
  return true;
}
const isLeaf = (value: unknown): value is string | number | boolean | null | undefined => typeof value !== 'object' || value === null;
/** Whether a JSON value has at most `levels` levels of nesting. */
export const isWithin = (value: unknown, levels: number): boolean => isLeaf(value) || isShallow(value as object, levels);
const hasAllowedDepth = (value: unknown) => isWithin(value, MAX_DEPTH);
const tooDeepMessage = { error: `Nested deeper than ${MAX_DEPTH} levels.` };

/** A JSON object up to MAX_DEPTH levels deep: a JSON schema, a filter, or arguments. */
export const JsonObject = z.looseObject({}).refine(hasAllowedDepth, tooDeepMessage);

/** Any JSON value up to MAX_DEPTH levels deep. */
export const JsonValue = z.unknown().refine(hasAllowedDepth, tooDeepMessage);

/** Up to 16 short key-value pairs that a caller attaches to an object. */
export const Metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, { error: 'At most 16 pairs.' })
  .meta({
    id: 'Metadata',
    description: 'Up to 16 key-value pairs. Keys have up to 64 characters, values up to 512.',
    examples: [{ team: 'search' }],
  });

/** Upstreams without cache markers still cache the prompt by their own rules. */
export const CacheBreakpoint = JsonObject.describe(
  'Optional. Marks the end of a part of the prompt that the upstream can cache. Sent to upstreams that use the same API as this call, to responses upstreams, and to Claude as `cache_control`, where only the last four marks count. Omitted for others.',
);

export const ReasoningEffort = createOpenEnum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).meta({
  id: 'ReasoningEffort',
  description:
    'How much the model reasons before it responds. Reasoning is charged as output. Each model supports some of the values. Anthropic upstreams treat `minimal` as `low`. Gemini upstreams treat `xhigh` and `max` as `high`, and from the third generation on, `none` as `minimal`.',
});

export const ImageDetail = createOpenEnum(['auto', 'low', 'high', 'original']);

export const Verbosity = createOpenEnum(['low', 'medium', 'high']).meta({
  id: 'Verbosity',
  description: 'How verbose the output is. Sent to chat and responses upstreams only: Anthropic and Gemini upstreams have no such option.',
});

/** A closed enum, because each tier has its own price. */
export const ServiceTier = z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']).meta({
  id: 'ServiceTier',
  description:
    'The processing tier. The response reports the one that was used. If calls are charged, models with a price accept only `auto` and `default`. Not sent to Anthropic and Gemini upstreams.',
});

export const CacheOptions = z
  .looseObject({
    // A closed enum, like the cache retention below, because cache writes have their own price.
    mode: toNullish(z.enum(['implicit', 'explicit'])).describe(
      '`implicit`: the upstream decides what to cache. `explicit`: it caches only the parts marked with `prompt_cache_breakpoint`. Optional; the provider decides if omitted.',
    ),
    ttl: toNullish(Label).describe(
      "How long the upstream keeps the cached prompt, in the upstream's format. Optional; the provider decides if omitted.",
    ),
  })
  .meta({
    id: 'PromptCacheOptions',
    description:
      'How the upstream caches the prompt. Sent to chat and responses upstreams. For Claude, `ttl` sets how long marks are kept: `5m`, or one hour for anything longer. Omitted for others, and if nothing is marked.',
  });

export const UsageOptions = z
  .looseObject({ include: toNullish(z.boolean()).describe('Whether to include `usage.cost` in the response. Defaults to false.') })
  .meta({
    id: 'UsageOptions',
    description:
      'Options for the usage in the response. With `include: true`, the usage of a complete response, or of the last event of a stream, contains `usage.cost`. A stream then always reports its usage.',
  });

export const Cost = z
  .number()
  .min(0)
  .optional()
  .describe('The amount charged, in US dollars. Omitted unless the request has `usage: { include: true }` and calls are charged.');

export const CacheRetention = markDeprecated(
  z.enum(['in_memory', 'in-memory', '24h']),
  'use `prompt_cache_options`. How long the upstream keeps a cached prompt. Omitted for Gemini upstreams. For Claude, `24h` keeps marks for one hour.',
);

export const Moderation = z
  .looseObject({
    model: Label.describe("The ID of one of the upstream's moderation models."),
    policy: toNullish(JsonObject).describe("The moderation policy, in the upstream's format. Omit to use the model's default policy."),
  })
  .meta({
    id: 'TextModeration',
    description:
      'Moderation of a text call by the upstream. Returns 400 on Anthropic and Gemini upstreams. In image requests, `moderation` is a string instead.',
  });
