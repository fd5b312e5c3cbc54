/** How fields are explained where many are alike: the mark of a kind, the mark of what is on its way out, and sentences that stand at several fields. */
import { z } from 'zod';

/** The field that tells an object from others that can stand in its place: it has one value. */
export const kind = <const Value extends string>(value: Value, says = 'What this object is') =>
  z.literal(value).describe(`${says}: always \`${value}\`.`);

/** A field that still works and that new code should not use. `text` says what to use, or that there is nothing in its place. */
export const deprecated = <T extends z.ZodType>(schema: T, text: string): T =>
  schema.meta({ description: `Deprecated: ${text}`, deprecated: true });

/** Of a hint: it changes no answer, so an upstream without such a field can do without it. */
export const HINT = 'Absent: none. It changes no answer; Anthropic and Gemini upstreams are not sent it.';

/** Of a field of an answer that the gateway hands on and does not fill. */
export const UNSAID = 'Absent where the upstream does not say it.';

export const DETAIL_TEXT =
  'How closely the model looks at the picture; a closer look costs more input tokens. Absent: `auto`. Not sent to Anthropic and Gemini upstreams.';
