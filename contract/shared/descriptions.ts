/** Texts that many descriptions share: the field that names a kind, the mark of a deprecated field, and repeated sentences. */
import { z } from 'zod';

/** The field that names the kind of an object; it has one value. */
export const kind = <const Value extends string>(value: Value, says = 'What this object is') =>
  z.literal(value).describe(`${says}: always \`${value}\`.`);

/** A field that still works, but that new code should not use. `text` says what to use instead, or that there is no replacement. */
export const deprecated = <T extends z.ZodType>(schema: T, text: string): T =>
  schema.meta({ description: `Deprecated: ${text}`, deprecated: true });

/** For a hint: it does not change the answer, so it can be left out for an upstream without such a field. */
export const HINT = 'Optional. It does not change the answer; Anthropic and Gemini upstreams are not sent it.';

/** For a field of an answer that the gateway forwards but does not fill. */
export const UNSAID = 'Absent when the upstream does not report it.';

export const DETAIL_TEXT =
  'Resolution at which the model reads the image; a higher one costs more input tokens. Defaults to `auto`. Not sent to Anthropic and Gemini upstreams.';
