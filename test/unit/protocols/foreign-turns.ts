/** Makes turns of both callers, and reads fake streams, for the tests of Anthropic and Gemini upstreams. */

import { GatewayError } from '../../../server/primitives/errors.ts';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import type { CanonicalRequest } from '../../../server/protocols/canonical/canonical-request.ts';
import { readChatRequest } from '../../../server/protocols/chat/read-request.ts';
import type { UpstreamDialect } from '../../../server/protocols/dialect.ts';
import { readResponseRequest } from '../../../server/protocols/responses/read-request.ts';
import { frameBytes, readFrames, type SseEvent } from '../../fakes/frames.ts';

type Body = Readonly<Record<string, unknown>>;

export const chatTurn = (body: Body, model: string): CanonicalRequest =>
  readChatRequest({ messages: [{ role: 'user', content: 'Hi' }], ...body }, model);
export const responsesTurn = (body: Body, model: string): CanonicalRequest => readResponseRequest({ input: 'Hi', ...body }, model);

/** Reads the bytes of the frames, as an upstream sends them. */
export function readStream(upstream: UpstreamDialect, frames: readonly SseEvent[], turn: CanonicalRequest): CanonicalEvent[] {
  const reader = upstream.openStream(turn);
  const sent = readFrames(Buffer.concat(frames.map((frame) => frameBytes(frame))));
  // Every frame of these fakes is a JSON object.
  const events = sent.flatMap(({ event, data }) => reader.read(data as Body, event));
  return [...events, ...reader.end()];
}

/** Joins consecutive deltas of one kind and keeps the last usage, so that a stream can be compared with a whole answer. */
export function collect(events: readonly CanonicalEvent[]): CanonicalEvent[] {
  const last = events.findLastIndex(({ kind }) => kind === 'usage');
  const joined: CanonicalEvent[] = [];
  for (const [at, event] of events.entries()) {
    if (event.kind === 'usage' && at !== last) continue;
    const before = joined.at(-1);
    const isSame = before?.kind === event.kind && 'text' in before && 'text' in event;
    if (isSame) joined.splice(-1, 1, { ...before, text: before.text + event.text });
    else joined.push(event);
  }
  return joined;
}

/** The code and the field of what is thrown. */
export function refusal(act: () => unknown): { code: string; param: string | null } | null {
  try {
    act();
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { code: error.code, param: error.param };
  }
}

export const unsupported = (param: string) => ({ code: 'unsupported_parameter', param });

/** The items of an answer as a responses caller sends them back. */
export function asInput(events: readonly CanonicalEvent[]): Body[] {
  const items: Record<string, unknown>[] = [];
  let thought = '';
  for (const event of collect(events)) {
    if (event.kind === 'reasoning') thought = event.text;
    if (event.kind === 'encrypted') {
      items.push({
        type: 'reasoning',
        summary: thought === '' ? [] : [{ type: 'summary_text', text: thought }],
        encrypted_content: event.encrypted,
      });
      thought = '';
    }
    if (event.kind === 'text') items.push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: event.text }] });
    if (event.kind === 'call') {
      const { form, callId: call_id, name, namespace } = event;
      items.push({ type: form === 'custom' ? 'custom_tool_call' : 'function_call', call_id, name, namespace, arguments: '', input: '' });
    }
    if (event.kind === 'arguments') Object.assign(items.at(-1) ?? {}, { arguments: event.text, input: event.text });
  }
  return items;
}
