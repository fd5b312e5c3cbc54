/** Checks that a whole JSON response is one, and reads its usage; the bytes are forwarded. */

import { type CallCode, GatewayError, INVALID_JSON } from '../../errors.ts';
import type { Fields } from '../../primitives/fields.ts';
import { readFailure, type WholeAnswer } from '../failure.ts';
import { readUsage, type Usage } from '../usage.ts';
import { parseAnswer } from './frames.ts';
import { withModel } from './json-body.ts';

/** A larger response holds images: only its usage is parsed, not megabytes of base64. */
const PARSE_LIMIT = 1024 * 1024;
const USAGE = Buffer.from('"usage"');

const invalidResponseError = (cause?: unknown) => new GatewayError<CallCode>('upstream_error', { message: INVALID_JSON, cause });

/** Parses a JSON object. Throws upstream_error for anything else. */
export function parseWhole(text: string, read: (text: string) => unknown = parseAnswer): Fields {
  let value: unknown;
  try {
    value = read(text);
  } catch (cause) {
    throw invalidResponseError(cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidResponseError();
  // Checked above to be an object and no array.
  return value as Fields;
}

/** The usage at the end of the response, where providers write it; null if it isn't there, and the complete response must be parsed. */
function tailUsage(bytes: Buffer): Fields | null {
  const at = bytes.lastIndexOf(USAGE);
  const text = at < 0 || bytes.length - at > 4096 ? '' : bytes.toString('utf8', at);
  const object = /^"usage"\s*:\s*(\{[\s\S]*\})\s*\}\s*$/.exec(text)?.[1];
  return object === undefined ? null : { usage: parseWhole(object) };
}

/** The usage that a failed answer reports; it is charged too. */
export function usageOfFailure(bytes: Buffer): Usage | null {
  try {
    return readUsage(parseWhole(bytes.toString(), JSON.parse).usage);
  } catch {
    // No JSON, no usage.
    return null;
  }
}

interface AnswerForm {
  /** The list that every response has. */
  readonly required: string;
  /** The ID of the model that the caller asked for; absent: the response names none. */
  readonly model?: string;
  /** Brings a parsed answer into the contract's shape; returns the same object when it is so already. */
  complete?(answer: Fields): Fields;
}

/** Throws for what isn't a response: upstream_error for no JSON or no `required` field, the mapped error for an error inside a 200. */
export function readWholeAnswer(bytes: Buffer, { required, model, complete }: AnswerForm): WholeAnswer {
  const large = bytes.length > PARSE_LIMIT && bytes[0] === 0x7b && bytes.includes(`"${required}"`) ? tailUsage(bytes) : null;
  const value = large ?? parseWhole(bytes.toString());
  if (typeof value.error === 'object' && value.error !== null) throw readFailure(value.error);
  if (!large && !Array.isArray(value[required])) {
    throw new GatewayError<CallCode>('upstream_error', { message: `The upstream returned a response without '${required}'.` });
  }
  const usage = readUsage(value.usage);
  const told = large || !complete ? value : complete(value);
  if (told !== value) {
    const written = model === undefined ? told : { ...told, model };
    return { bytes: Buffer.from(JSON.stringify(written)), usage, written };
  }
  return { bytes: model === undefined || value.model === model ? bytes : withModel(bytes, model), usage };
}
