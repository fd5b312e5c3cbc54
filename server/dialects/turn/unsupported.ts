/** What an upstream cannot express is refused by the caller's own name of the field (docs/translation.md). */
import { isFields, isSet } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { Turn } from './turn.ts';

export function unsupported(param: string, message: string): GatewayError {
  return new GatewayError<CallCode>('unsupported_parameter', { param, message });
}

/** Fields of one protocol alone that say nothing: a default written out, an empty list. */
const saysNothing: Readonly<Record<string, (value: unknown) => boolean>> = {
  modalities: (value) => Array.isArray(value) && !value.includes('audio'),
  // When the input fits, both values mean the same; when it does not, the upstream says so itself.
  truncation: () => true,
};

/** A field that is set to nothing: it changes no answer, so nobody has to refuse it. */
export const asksNothing = (value: unknown): boolean =>
  !isSet(value) || value === false || (isFields(value) && Object.keys(value).length === 0);

const operations = { chat: 'chat completions', responses: 'responses' } as const;
/** Known to both protocols, under one name. */
const shared = new Set(['moderation']);

/** The fields of one protocol alone that this upstream is sent. Throws for the first that would change the answer and has no place there. */
export function writeExtras({ caller, extras }: Turn, protocol: Turn['caller']): Readonly<Record<string, unknown>> {
  if (caller === protocol) return extras;
  for (const [field, value] of Object.entries(extras)) {
    if (shared.has(field) || asksNothing(value) || saysNothing[field]?.(value)) continue;
    throw unsupported(
      field,
      `'${field}' cannot be honoured: this model is served over ${operations[protocol]}, which have nothing like it.`,
    );
  }
  return Object.fromEntries(Object.entries(extras).filter(([field]) => shared.has(field)));
}
