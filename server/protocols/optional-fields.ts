/** Finds the optional field that a provider's error rejects, and omits such fields from a request. */
import type { GatewayError } from '../primitives/errors.ts';
import { type Fields, isFields, isSet } from '../primitives/fields.ts';
import { findProviderErrorInfo } from '../primitives/provider-error.ts';
import { isSamplingDefault } from './canonical/apply-model-rules.ts';
import { getValueAt } from './canonical/dropped-fields.ts';
import { sharedHints } from './canonical/hints.ts';
import { type JsonBody, withFields } from './wire/json-body.ts';

/** A field that can be omitted from a request. */
export interface OptionalField {
  /** The field's paths in caller requests. */
  readonly paths: readonly string[];
  /** The field's paths in upstream requests. */
  readonly sent: readonly string[];
  /** The field's names in provider errors, in snake case. */
  readonly names: readonly string[];
}

const toCamelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const toSnakeCase = (name: string): string =>
  name
    .replace(/(?<=[a-z])[A-Z]/g, '_$&')
    .replaceAll(' ', '_')
    .toLowerCase();

const reasoningPaths = ['effort', 'summary', 'generate_summary', 'context', 'mode', 'max_tokens', 'enabled'].map(
  (name) => `reasoning.${name}`,
);
const samplingFields = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'seed', 'logit_bias'];
/** All shared hints except the service tier, which affects the price. */
const hintFields = sharedHints.filter((name) => name !== 'service_tier');

const optionalFields: readonly OptionalField[] = [
  ...samplingFields.map((name) => ({
    paths: [name],
    sent: [name, ...['generationConfig', 'inferenceConfig'].map((parent) => `${parent}.${toCamelCase(name)}`)],
    names: [name],
  })),
  {
    // A model without effort levels rejects the other `reasoning` fields, too.
    paths: ['reasoning_effort', ...reasoningPaths],
    sent: [
      ...['reasoning_effort', 'reasoning.effort', 'output_config.effort', 'thinking', 'generationConfig.thinkingConfig'],
      ...['additionalModelRequestFields.reasoning_effort', 'additionalModelRequestFields.reasoningConfig'],
    ],
    names: ['reasoning_effort', 'reasoning.effort', 'effort', 'thinking', 'thinking_level', 'thinking_budget'],
  },
  { paths: ['reasoning.summary', 'reasoning.generate_summary'], sent: ['reasoning.summary'], names: ['reasoning.summary'] },
  { paths: ['verbosity', 'text.verbosity'], sent: ['verbosity', 'text.verbosity'], names: ['verbosity', 'text.verbosity'] },
  ...hintFields.map((name) => ({ paths: [name], sent: [name], names: [name] })),
];

/** OpenAI's error codes whose `param` names the field. */
const codes: ReadonlySet<string> = new Set(['unsupported_parameter', 'unsupported_value']);

/**
 * Full messages, or their fixed start, for providers without these codes. The group captures the field. A provider can quote the request only after
 * it.
 */
const rejectionPatterns: readonly RegExp[] = [
  // OpenAI's wording, which some servers repeat without its code: nextai-translator/issues/1781, codex-lb/issues/391.
  /^Unsupported (?:parameter|value): '?([\w.]*\w)'?(?:\.?$| (?:is not supported|does not support) )/,
  // Groq: pluely/issues/242. Other servers start with the word "parameter".
  /^(?:parameter )?[`'"]?([\w.]*\w)[`'"]? is not supported(?: (?:with|for|by|on) this model)?\.?$/i,
  // xAI: litellm/pull/16265, n8n/issues/14581.
  /^Model \S+ does not support parameter (\w+)\.?$/,
  /^Argument not supported on this model: (\w+)\.?$/,
  // Anthropic: inspect_ai/issues/3721, claude-code/issues/30010, and platform.claude.com: build-with-claude/thinking-troubleshooting.
  /^`?(\w+)`? is deprecated for this model\.?$/,
  /^This model does not support the (effort) parameter\.?$/,
  /^adaptive (thinking) is not supported on this model\.?$/i,
  /^"(thinking)\.type\.\w+" is not supported for this model\.(?: Use .+)?$/,
  // Gemini: Roo-Code/issues/10700, pi/issues/9455. Vertex AI: opencode-gemini-auth/issues/14.
  /^(?:Unable to submit request because )?(thinking[ _](?:level|budget))(?: \w+)? is not supported (?:for|by) this model\.(?: Please retry .+| Learn more: .+)?$/i,
];

/** Bedrock prepends this to the model's message. */
const bedrockPrefix = /^The model returned the following errors: /;

/** The name of the rejected field. Null if the provider's error is about something else, or the simulator failed on demand. */
function findRejectedName(error: GatewayError): string | null {
  const providerError = findProviderErrorInfo(error);
  if (providerError === null) return null;
  if (codes.has(error.code) && error.param !== null) return error.param;
  if (error.code !== 'invalid_value' && !codes.has(error.code)) return null;
  const message = (providerError.message ?? '').replace(bedrockPrefix, '');
  return rejectionPatterns.map((pattern) => pattern.exec(message)?.[1]).find((name) => name !== undefined) ?? null;
}

/** Finds the optional field that the error is about. Null if the error is about something else, or the caller or gateway didn't send the field. */
export function findRejectedField(
  error: GatewayError,
  { request, sent }: Readonly<Record<'request' | 'sent', Fields>>,
): OptionalField | null {
  const name = findRejectedName(error);
  if (name === null) return null;
  const hasAny = (body: Fields, paths: readonly string[]): boolean => paths.some((path) => isSet(getValueAt(body, path)));
  const field = optionalFields.find(({ names }) => names.includes(toSnakeCase(name)));
  return field && hasAny(request, field.paths) && hasAny(sent, field.sent) ? field : null;
}

interface OmittedFields {
  readonly body: JsonBody;
  /** The caller's names of the omitted fields. Fields set to a universal default aren't listed. */
  readonly dropped: readonly string[];
}

export function omitFields(body: JsonBody, fields: readonly OptionalField[]): OmittedFields {
  if (fields.length === 0) return { body, dropped: [] };
  const { value } = body;
  const paths = [...new Set(fields.flatMap((field) => field.paths))].filter((path) => isSet(getValueAt(value, path)));
  const changes: Record<string, unknown> = {};
  for (const path of paths) {
    const [topField = '', nestedField] = path.split('.');
    changes[topField] = nestedField === undefined ? undefined : withoutNestedField(changes[topField] ?? value[topField], nestedField);
  }
  return { body: withFields(body, changes), dropped: paths.filter((path) => !isSamplingDefault(path, getValueAt(value, path))) };
}

/** Undefined if no other field is set. */
function withoutNestedField(value: unknown, name: string): Fields | undefined {
  const { [name]: _, ...rest } = isFields(value) ? value : {};
  return Object.values(rest).some(isSet) ? rest : undefined;
}
