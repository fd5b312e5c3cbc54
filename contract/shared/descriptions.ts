/** Shared parts of descriptions: the type field of an object, the deprecation of a field, and repeated sentences. */
import { z } from 'zod';

/** Defines the `type` or `object` field of an object, which has one fixed value. */
export const createTypeField = <const Value extends string>(value: Value, description = 'The type of the object') =>
  z.literal(value).describe(`${description}: always \`${value}\`.`);

/** Marks a field that still works, but that new code shouldn't use. `text` names the replacement, or says that there is none. */
export const markDeprecated = <T extends z.ZodType>(schema: T, text: string): T =>
  schema.meta({ description: `Deprecated: ${text}`, deprecated: true });

/** For hints: upstreams without such a field don't get it, and the output stays the same. */
export const HINT_DESCRIPTION = "Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams.";

/** For response fields that the gateway forwards but doesn't set. */
export const OMITTED_NOTE = "Omitted if the upstream doesn't report it.";

export const DETAIL_DESCRIPTION =
  'The resolution at which the model sees the image. A higher one uses more input tokens. Defaults to `auto`. Not sent to Anthropic and Gemini upstreams.';
