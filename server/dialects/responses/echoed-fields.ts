/** Fields of a response that the upstream cannot know, since the gateway stores conversations. They are written into relayed answers only. */
import type { Response } from '../../../contract/responses.ts';
import { type Fields, isFields } from '../../../contract/rule.ts';
import type { Written } from '../../../contract/written.ts';
import { type CreateResponseCode, GatewayError } from '../../errors.ts';
import { parseAnswer } from '../wire/answer-json.ts';
import { eachFrame, eventFrame, eventName, frameObject } from '../wire/frames.ts';
import { withFields } from '../wire/json-body.ts';

/** The response's id, whether it was stored, and the previous response; empty when the upstream's values stay. */
export type EchoedFields = Partial<Pick<Written<Response>, 'id' | 'store' | 'previous_response_id'>>;

export const echoedFields = (id: string, isStored: boolean, previousId: string | null): EchoedFields => ({
  id,
  store: isStored,
  previous_response_id: previousId,
});

export interface EchoedResponse {
  readonly bytes: Buffer;
  readonly response: Fields;
}

/** A whole answer with these fields; null when it is no object. Throws `upstream_error` when it is no JSON. */
export function echoInWhole(bytes: Buffer, echo: EchoedFields): EchoedResponse | null {
  const value = parse(bytes);
  if (!isFields(value)) return null;
  const patched = withFields({ kind: 'json', value, bytes }, echo);
  return { bytes: patched.bytes, response: patched.value };
}

function parse(bytes: Buffer): unknown {
  try {
    return parseAnswer(bytes.toString());
  } catch (cause) {
    // Of a large answer only the end was parsed before.
    throw new GatewayError<CreateResponseCode>('upstream_error', { message: 'The upstream answered something that is not JSON.', cause });
  }
}

const FINISHED = new Set(['response.completed', 'response.incomplete']);
const CARRIERS = new Set(['response.created', 'response.queued', 'response.in_progress', 'response.failed', ...FINISHED]);

/** Frames with these fields in each event that holds the response. Calls `onFinished` with the response of the terminal event, unless it failed. */
export function echoInFrames(block: Buffer, echo: EchoedFields, onFinished: (response: Fields) => void): Buffer {
  const out: Buffer[] = [];
  let isChanged = false;
  eachFrame(block, (frame) => {
    const next = echoInFrame(frame, echo, onFinished);
    isChanged ||= next !== frame;
    out.push(next);
  });
  return isChanged ? Buffer.concat(out) : block;
}

function echoInFrame(frame: Buffer, echo: EchoedFields, onFinished: (response: Fields) => void): Buffer {
  const name = eventName(frame);
  if (name !== null && !CARRIERS.has(name)) return frame;
  const event = frameObject(frame);
  if (event === null || !isFields(event.response)) return frame;
  const response = { ...event.response, ...echo };
  if (FINISHED.has(String(event.type))) onFinished(response);
  return eventFrame<Fields>(String(event.type), { ...event, response });
}
