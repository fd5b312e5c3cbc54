/** Reads a whole JSON answer just enough to know that it is one, and what it used; the bytes themselves are handed on. */
import type { Fields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { ModelNames, WholeAnswer } from '../dialect.ts';
import { readFailure } from '../failure.ts';
import { readUsage, type Usage } from '../usage.ts';
import { parseAnswer } from './answer-json.ts';
import { renameModel } from './model-name.ts';

/** Above this an answer is pictures: only its usage is parsed, not megabytes of base64. */
const PARSE_LIMIT = 1024 * 1024;
const USAGE = Buffer.from('"usage"');

const nonsense = (cause?: unknown) =>
  new GatewayError<CallCode>('upstream_error', { message: 'The upstream answered something that is not JSON.', cause });

/** The object that an answer is. Throws upstream_error for anything else. */
export function parseWhole(text: string, read: (text: string) => unknown = parseAnswer): Fields {
  let value: unknown;
  try {
    value = read(text);
  } catch (cause) {
    throw nonsense(cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw nonsense();
  // Checked above to be an object and no array.
  return value as Fields;
}

/** The object behind the last `"usage":` near the end; vendors put it there, or the answer is parsed after all. */
function tailUsage(bytes: Buffer): Fields | null {
  const at = bytes.lastIndexOf(USAGE);
  const text = at < 0 || bytes.length - at > 4096 ? '' : bytes.toString('utf8', at);
  const object = /^"usage"\s*:\s*(\{[\s\S]*\})\s*\}\s*$/.exec(text)?.[1];
  return object === undefined ? null : { usage: parseWhole(object) };
}

/** What a failed answer says that it used: it is owed all the same. */
export function usageOfFailure(bytes: Buffer): Usage | null {
  try {
    return readUsage(parseWhole(bytes.toString(), JSON.parse).usage);
  } catch {
    // No JSON, no usage.
    return null;
  }
}

/** Throws upstream_error for what is not an answer: no JSON, an error inside a 200, a missing `required` field. */
export function readWholeAnswer(bytes: Buffer, required: string, names: ModelNames): WholeAnswer {
  const large = bytes.length > PARSE_LIMIT && bytes[0] === 0x7b && bytes.includes(`"${required}"`) ? tailUsage(bytes) : null;
  const value = large ?? parseWhole(bytes.toString());
  if (typeof value.error === 'object' && value.error !== null) throw readFailure(value.error);
  if (!large && !Array.isArray(value[required])) {
    throw new GatewayError<CallCode>('upstream_error', { message: `The upstream answered without '${required}'.` });
  }
  return { bytes: renameModel(bytes, names), usage: readUsage(value.usage) };
}
