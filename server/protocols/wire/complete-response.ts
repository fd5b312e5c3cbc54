/** Checks that a JSON response is complete and valid, and reads its usage. The bytes are forwarded unchanged. */

import { type CallCode, GatewayError, INVALID_JSON } from '../../primitives/errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import { readFailure } from '../errors.ts';
import { withoutProviderPrices } from '../provider-prices.ts';
import type { CompleteResponse } from '../relay.ts';
import { readUsage, type Usage, withTopLevelUsage } from '../usage.ts';
import { parseResponseJson } from './frames.ts';
import { withModel } from './json-body.ts';
import { toWholeJson } from './whole-json.ts';

/** A larger response contains images. Only its usage is parsed, not megabytes of base64. */
const MAX_PARSED_BYTES = 1024 * 1024;
const USAGE_FIELD = Buffer.from('"usage"');
/** Matches a field with the provider's own cost, which must be removed. Base64 has no quotes, so the match is a field name. */
const COST_FIELD = Buffer.from('"cost');
/** The service tier affects the price but isn't part of the usage. */
const SERVICE_TIER_FIELD = Buffer.from('"service_tier"');

const createInvalidResponseError = (cause?: unknown) => new GatewayError<CallCode>('upstream_error', { message: INVALID_JSON, cause });

/** Parses a JSON object. Throws `upstream_error` for anything else. */
export function parseJsonObject(text: string, parseJson: (text: string) => unknown = parseResponseJson): Fields {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw createInvalidResponseError(cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw createInvalidResponseError();
  // The check above guarantees an object that isn't an array.
  return value as Fields;
}

/**
 * The usage at the end of the response, where providers write it. Null if the complete response must be parsed, because the usage is elsewhere or
 * has prices.
 */
function findTailUsage(bytes: Buffer): Fields | null {
  const at = bytes.lastIndexOf(USAGE_FIELD);
  const usageText = at < 0 || bytes.length - at > 4096 ? '' : bytes.toString('utf8', at);
  const object = /^"usage"\s*:\s*(\{[\s\S]*\})\s*\}\s*$/.exec(usageText)?.[1];
  const tail = object === undefined ? null : { usage: parseJsonObject(object) };
  return tail && withoutProviderPrices(tail) === tail ? tail : null;
}

/** The usage of a failed response, which is billed too. */
export function readFailureUsage(bytes: Buffer): Usage | null {
  try {
    const { usage, service_tier: tier } = parseJsonObject(bytes.toString(), JSON.parse);
    return readUsage(usage, tier);
  } catch {
    // A body that isn't JSON has no usage.
    return null;
  }
}

interface ResponseShape {
  /** The list that every response must have. */
  readonly required: string;
  /** The model ID that the caller requested. Omitted if the response has no model field. */
  readonly model?: string;
  /** Converts a parsed response to the contract's shape. Returns the same object if it needs no change. */
  normalize?(answer: Fields): Fields;
}

/** Throws `upstream_error` if the response isn't JSON or lacks the `required` field. An error inside a 200 throws the mapped error. */
export function readCompleteResponse(received: Buffer, { required, model, normalize: normalizeResponse }: ResponseShape): CompleteResponse {
  const bytes = toWholeJson(received);
  const isLarge = bytes.length > MAX_PARSED_BYTES && bytes[0] === 0x7b && bytes.includes(`"${required}"`);
  const tailUsage = isLarge && !bytes.includes(COST_FIELD) && !bytes.includes(SERVICE_TIER_FIELD) ? findTailUsage(bytes) : null;
  const value = tailUsage ?? parseJsonObject(bytes.toString());
  if (typeof value.error === 'object' && value.error !== null) throw readFailure(value.error);
  if (!tailUsage && !Array.isArray(value[required])) {
    throw new GatewayError<CallCode>('upstream_error', { message: `The upstream returned a response without '${required}'.` });
  }
  const usage = readUsage(withTopLevelUsage(value).usage, value.service_tier);
  const unpricedValue = tailUsage ? value : withoutProviderPrices(value);
  const normalizedValue = tailUsage || !normalizeResponse ? unpricedValue : normalizeResponse(unpricedValue);
  if (normalizedValue !== value)
    return { bytes: Buffer.from(JSON.stringify(model === undefined ? normalizedValue : { ...normalizedValue, model })), usage };
  return { bytes: model === undefined || value.model === model ? bytes : withModel(bytes, model), usage };
}
