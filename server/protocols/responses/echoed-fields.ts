/** Writes the ID, the storage setting, and the previous response into a response, complete or streamed. */

import type { Response } from '../../../contract/responses.ts';
import type { Exact } from '../../../contract/shared/exact.ts';
import { type CreateResponseCode, GatewayError, INVALID_JSON } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { forEachFrame, parseFrame, parseResponseJson, readEventName, writeEventFrame } from '../wire/frames.ts';
import { withFields } from '../wire/json-body.ts';

/** The response ID, the `store` flag, the previous response ID, and whether it runs in the background. Empty if the upstream's values stay. */
export type EchoedFields = Partial<Pick<Exact<Response>, 'id' | 'store' | 'previous_response_id' | 'background'>>;

export const createEchoedFields = (id: string, isStored: boolean, previousId: string | null): EchoedFields => ({
  id,
  store: isStored,
  previous_response_id: previousId,
});

/** Sets these fields in a complete response. Null if it isn't an object. Throws `upstream_error` if it isn't JSON. */
export function echoInResponse(bytes: Buffer, echo: EchoedFields): { bytes: Buffer; response: Fields } | null {
  const value = parse(bytes);
  if (!isFields(value)) return null;
  const patched = withFields({ kind: 'json', value, bytes }, echo);
  return { bytes: patched.bytes, response: patched.value };
}

function parse(bytes: Buffer): unknown {
  try {
    return parseResponseJson(bytes.toString());
  } catch (cause) {
    // The whole response hadn't been parsed before: for large responses, only the end is parsed.
    throw new GatewayError<CreateResponseCode>('upstream_error', { message: INVALID_JSON, cause });
  }
}

/** The events that end a stream which didn't fail. */
export const FINAL_EVENTS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete']);

const RESPONSE_EVENTS = new Set<unknown>([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.failed',
  ...FINAL_EVENTS,
]);

/** Sets these fields in each event that contains the response. Calls `onFinished` with the final response, unless it failed. */
export function echoInFrames(block: Buffer, echo: EchoedFields, onFinished: (response: Fields) => void): Buffer {
  const outputFrames: Buffer[] = [];
  let isChanged = false;
  forEachFrame(block, (frame) => {
    const next = echoInFrame(frame, echo, onFinished);
    isChanged ||= next !== frame;
    outputFrames.push(next);
  });
  return isChanged ? Buffer.concat(outputFrames) : block;
}

function echoInFrame(frame: Buffer, echo: EchoedFields, onFinished: (response: Fields) => void): Buffer {
  const name = readEventName(frame);
  if (name !== null && !RESPONSE_EVENTS.has(name)) return frame;
  const event = parseFrame(frame);
  if (event === null || !isFields(event.response)) return frame;
  const response = { ...event.response, ...echo };
  if (FINAL_EVENTS.has(event.type)) onFinished(response);
  return writeEventFrame<Fields>(String(event.type), { ...event, response });
}
