/** The limits that keep a request from hurting, and the small schemas that carry them. */
import { z } from 'zod';
import { deprecated } from './wording.ts';

/** Most that one text field may hold, in UTF-16 units; an image as a data URL is the largest thing that fits. */
export const MAX_TEXT = 20 * 1024 * 1024;
/** Most items or messages in one request. */
export const MAX_ITEMS = 4096;
/** Most parts in one message. */
export const MAX_PARTS = 1024;
/** Most tools in one request. */
export const MAX_TOOLS = 128;
/** Deepest nesting of a JSON schema or another free JSON value. */
export const MAX_DEPTH = 64;
/** Deepest nesting of a whole body, with all that is in fields of which this contract knows nothing. */
export const MAX_LEVELS = 500;

/** Absent, null and given: clients send null for "not set" nearly everywhere. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.nullish();

/** Text of any length that a request can hold; the limit on the body enforces the bound, so that no field pays for a check. */
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

/** Sound that a caller plays to a model, in both text protocols. */
export const AudioClip = z
  .looseObject({
    data: Text.describe('The recording in plain base64, without the head of a data URL.'),
    format: z.enum(['wav', 'mp3']).describe('How `data` is encoded.'),
  })
  .meta({ id: 'AudioClip', description: 'A piece of sound: its bytes as base64, and what they are.' });

/** Walks only what can nest; this runs over every tool of every request. */
export function isShallow(value: object, left: number): boolean {
  if (left === 0) return false;
  if (Array.isArray(value)) return value.every((inner) => isLeaf(inner) || isShallow(inner, left - 1));
  for (const key in value) {
    // An object that came out of JSON can be read by the names that it lists itself.
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

/** Up to 16 short pairs that a caller attaches to an object. */
export const Metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, { error: 'At most 16 pairs.' })
  .meta({
    id: 'Metadata',
    description: 'Notes that a caller attaches: up to 16 pairs, keys up to 64 characters, values up to 512.',
    examples: [{ team: 'search' }],
  });

/** Where the upstream of another protocol has nothing like it, the text before it is still cached as that upstream sees fit. */
export const CacheBreakpoint = JsonObject.describe(
  'Marks the end of a part of the prompt that the upstream may cache. Sent where the upstream speaks the protocol of this call, left out elsewhere. Absent: no mark.',
);

export const ReasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).meta({
  id: 'ReasoningEffort',
  description:
    'How much the model should think before it answers; thoughts are charged as output. Models differ in which values they take. Anthropic upstreams take `minimal` as `low`; Gemini upstreams take `xhigh` and `max` as `high`, and from the third generation on `none` as `minimal`.',
});

export const Verbosity = z.enum(['low', 'medium', 'high']).meta({
  id: 'Verbosity',
  description:
    'How long the answer should be. Sent to upstreams that speak chat or responses; Anthropic and Gemini upstreams have nothing like it and are not sent it.',
});

export const ServiceTier = z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']).meta({
  id: 'ServiceTier',
  description:
    'Processing tier to ask the upstream for; the answer says which one was used. Where calls are charged only `auto` and `default` are taken, unless the model is free: prices are those of the ordinary tier. Anthropic and Gemini upstreams are not sent it.',
});

export const CacheOptions = z
  .looseObject({
    mode: maybe(z.enum(['implicit', 'explicit'])).describe(
      '`implicit`: the upstream finds itself what can be cached. `explicit`: only what a `prompt_cache_breakpoint` marks. Absent: the upstream decides.',
    ),
    ttl: maybe(Label).describe('How long the upstream should keep it, in the words of the upstream. Absent: the upstream decides.'),
  })
  .meta({
    id: 'PromptCacheOptions',
    description: 'How the upstream may cache the prompt. Sent to upstreams that speak chat or responses, left out for others.',
  });

export const CacheRetention = deprecated(
  z.enum(['in_memory', 'in-memory', '24h']),
  'use `prompt_cache_options`. How long the upstream should keep a cached prompt; left out for Anthropic and Gemini upstreams.',
);

export const Moderation = z
  .looseObject({
    model: Label.describe('Id of a moderation model of the upstream.'),
    policy: maybe(JsonObject).describe('What that model is to hold against a text, in the words of the upstream. Absent: its own rules.'),
  })
  .meta({
    id: 'TextModeration',
    description:
      'Moderation of a text call by the upstream. Anthropic and Gemini upstreams refuse it with 400. On the images endpoints `moderation` is a word instead.',
  });
