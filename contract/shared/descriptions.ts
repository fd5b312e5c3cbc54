/** Texts that many descriptions share: the field with an object's type, the mark of a deprecated field, and repeated sentences. */
import { z } from 'zod';

/** The field with the type of an object; it has one value. */
export const kind = <const Value extends string>(value: Value, says = 'The type of the object') =>
  z.literal(value).describe(`${says}: always \`${value}\`.`);

/** A field that still works, but that new code should not use. `text` says what to use instead, or that it has no replacement. */
export const deprecated = <T extends z.ZodType>(schema: T, text: string): T =>
  schema.meta({ description: `Deprecated: ${text}`, deprecated: true });

/** For a hint: it doesn't change the output, so it can be omitted for an upstream without such a field. */
export const HINT = "Optional. Doesn't change the output. Not sent to Anthropic and Gemini upstreams.";

/** For a field of a response that the gateway forwards but doesn't set. */
export const UNSAID = "Omitted if the upstream doesn't report it.";

export const DETAIL_TEXT =
  'The resolution at which the model sees the image. A higher one uses more input tokens. Defaults to `auto`. Not sent to Anthropic and Gemini upstreams.';
