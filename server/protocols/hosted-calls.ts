/** Counts hosted tool calls in a response, complete or streamed, by the type of their output items. */

import { type CallCode, GatewayError, INVALID_JSON } from '../primitives/errors.ts';
import { type Fields, isFields } from '../primitives/fields.ts';
import { findHostedTools } from './hosted-tools.ts';
import { forEachFrame, parseFrame } from './wire/frames.ts';

/** The number of calls per output item type: `web_search_call`, `image_generation_call`, … */
export type HostedCalls = Readonly<Record<string, number>>;

/** Counts the hosted calls in the output of a complete response. */
export function countHostedCalls(bytes: Buffer): HostedCalls {
  if (!mayContainHostedCalls(bytes)) return {};
  const counter = new HostedCallCounter();
  const response = parseResponse(bytes);
  if (isFields(response) && Array.isArray(response.output)) for (const item of response.output) counter.add(item);
  return counter.calls;
}

function parseResponse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (cause) {
    // The whole response hadn't been parsed before: for large responses, only the end is parsed.
    throw new GatewayError<CallCode>('upstream_error', { message: INVALID_JSON, cause });
  }
}

const ITEM_DONE_EVENT = Buffer.from('response.output_item.done');

export class HostedCallCounter {
  readonly #calls = new Map<string, number>();

  get calls(): HostedCalls {
    return Object.fromEntries(this.#calls);
  }

  /** Counts the calls in frames that are sent to the caller. */
  observe(frames: Buffer): void {
    if (!frames.includes(ITEM_DONE_EVENT) || !mayContainHostedCalls(frames)) return;
    forEachFrame(frames, (frame) => {
      const event = frame.includes(ITEM_DONE_EVENT) ? parseFrame(frame) : null;
      if (event?.type === 'response.output_item.done') this.add(event.item);
    });
  }

  add(item: unknown): void {
    if (!isFields(item) || typeof item.type !== 'string' || item.status === 'failed') return;
    const callType = item.type === PROGRAM_ITEM_TYPE ? 'program_call' : item.type;
    if (isHostedCall(callType)) this.#calls.set(callType, (this.#calls.get(callType) ?? 0) + 1);
  }
}

const PROGRAM_ITEM_TYPE = 'program';

const callerCallTypes = new Set(['function_call', 'custom_tool_call']);

const isHostedCall = (type: string): boolean => /^[a-z][a-z0-9_]{0,58}_call$/.test(type) && !callerCallTypes.has(type);

const CALL_TYPE_END = Buffer.from('_call"');

/** The longest call type with its opening quote, in bytes. */
const MAX_CALL_TYPE_BYTES = 66;

/** Returns true if the bytes might contain hosted calls. Most responses contain only function calls and don't need parsing. */
function mayContainHostedCalls(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(CALL_TYPE_END); at >= 0; at = bytes.indexOf(CALL_TYPE_END, at + CALL_TYPE_END.length)) {
    const end = at + CALL_TYPE_END.length - 1;
    const precedingText = bytes.toString('latin1', Math.max(end - MAX_CALL_TYPE_BYTES, 0), end);
    if (isHostedCall(precedingText.slice(precedingText.lastIndexOf('"') + 1))) return true;
  }
  return bytes.includes(`"${PROGRAM_ITEM_TYPE}"`);
}

/** Estimates the calls that a chat response doesn't show: one per hosted tool in the request, including `web_search_options`. */
export function countUnreportedCalls(request: Fields): HostedCalls {
  const calls: Record<string, number> = {};
  for (const { call } of findHostedTools(request)) calls[call] = (calls[call] ?? 0) + 1;
  return calls;
}
