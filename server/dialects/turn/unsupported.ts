/** Refuses fields that an upstream cannot express, by the caller's name of the field (docs/translation.md). */
import { isFields, isSet } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { Turn } from './turn.ts';

export function unsupported(param: string, message: string): GatewayError {
  return new GatewayError<CallCode>('unsupported_parameter', { param, message });
}

/** Values of fields of one protocol that ask for nothing, such as a default. */
const saysNothing: Readonly<Record<string, (value: unknown) => boolean>> = {
  modalities: (value) => Array.isArray(value) && !value.includes('audio'),
  // When the input fits, both values mean the same; when it does not, the upstream answers with an error.
  truncation: () => true,
};

/** Whether a value asks for nothing; such a field changes no answer and need not be refused. */
export const asksNothing = (value: unknown): boolean =>
  !isSet(value) || value === false || (isFields(value) && Object.keys(value).length === 0);

const operations = { chat: 'chat completions', responses: 'responses' } as const;
/** Fields that both protocols have, under the same name. */
const shared = new Set(['moderation']);

/** The extra fields that this upstream is sent. Throws for the first that would change the answer and that its protocol does not have. */
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
