/** Extracts the JSON of a complete response, even if the server streamed it or sent other bytes with it. */

import { ITEM_DONE } from '../../../contract/responses/order.ts';
import { type CallCode, CLOSED_EARLY, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields, isSet } from '../../primitives/fields.ts';
import { ChunkNormalizer } from '../chat/chunk-normalizer.ts';
import { restoreMissingItems } from '../responses/restore-missing-items.ts';
import { forEachFrame, isDone, parseFrame } from './frames.ts';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** True if the bytes are server-sent events. JSON never starts like this. */
export const isEventStream = (bytes: Buffer): boolean => /^\s*(?:data|event|id|retry)?:/.test(bytes.toString('latin1', 0, 64));

/** Removes a byte order mark and a trailing `[DONE]`. Joins the events of a stream into one response. */
export function toWholeJson(received: Buffer): Buffer {
  const bytes = received.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? received.subarray(BYTE_ORDER_MARK.length) : received;
  if (isEventStream(bytes)) return Buffer.from(JSON.stringify(joinEvents(bytes)));
  const doneMarker = /\s*data: ?\[DONE\]\s*$/.exec(bytes.toString('latin1', Math.max(0, bytes.length - 64)));
  return doneMarker ? bytes.subarray(0, bytes.length - doneMarker[0].length) : bytes;
}

const TERMINAL_EVENTS = new Set(['response.completed', 'response.incomplete', 'response.failed']);

function joinEvents(bytes: Buffer): Fields {
  const events: Fields[] = [];
  let hasDoneMarker = false;
  forEachFrame(Buffer.concat([bytes, Buffer.from('\n\n')]), (frame) => {
    hasDoneMarker ||= isDone(frame);
    const event = parseFrame(frame);
    if (event) events.push(event);
  });
  const failedEvent = events.find(({ error, type }) => isSet(error) || type === 'error');
  if (failedEvent) return { error: isFields(failedEvent.error) ? failedEvent.error : failedEvent };
  const response = events.find(({ type }) => TERMINAL_EVENTS.has(String(type)))?.response;
  if (isFields(response))
    return restoreMissingItems(
      response,
      events.filter(({ type }) => type === ITEM_DONE),
    );
  if (events.some(({ choices }) => Array.isArray(choices))) return joinChunks(events, hasDoneMarker);
  throw new GatewayError<CallCode>('upstream_error', { message: "The upstream didn't return JSON." });
}

function joinChunks(chunks: readonly Fields[], hasDoneMarker: boolean): Fields {
  const normalizer = new ChunkNormalizer({ model: String(chunks[0]?.model ?? ''), showUsage: true });
  const normalizedChunks = chunks.map((chunk) => normalizer.normalize(chunk)).filter(isFields);
  if (normalizer.startedCount === 0 || !(hasDoneMarker || normalizer.haveAllEnded))
    throw new GatewayError<CallCode>('upstream_error', { message: CLOSED_EARLY });
  const completion = [...normalizedChunks, ...normalizer.finish()].reduce<Fields>(joinChunk, {});
  const choices = Array.isArray(completion.choices) ? completion.choices.filter(isFields) : [];
  return { ...completion, object: 'chat.completion', choices: choices.map(({ delta, ...choice }) => ({ ...choice, message: delta })) };
}

/** Only choices arrive in pieces. Other fields are replaced. */
const joinChunk = (previous: Fields, chunk: Fields): Fields => ({
  ...previous,
  ...chunk,
  choices: joinValue(previous.choices ?? [], chunk.choices ?? [], false),
});

/** Text fields that chunks repeat. Other text fields continue the previous chunk. */
const repeatedFields = new Set(['id', 'role', 'type', 'name', 'format', 'finish_reason']);

function joinObjects(previous: Fields, piece: Fields): Fields {
  const result: Record<string, unknown> = { ...previous };
  for (const [name, value] of Object.entries(piece)) result[name] = joinValue(previous[name], value, repeatedFields.has(name));
  return result;
}

function joinValue(previous: unknown, value: unknown, isRepeated: boolean): unknown {
  if (!isSet(value)) return previous ?? value;
  if (typeof previous === 'string' && typeof value === 'string') return isRepeated ? value : previous + value;
  if (Array.isArray(previous) && Array.isArray(value)) return value.reduce<readonly unknown[]>(withEntry, previous);
  return isFields(previous) && isFields(value) ? joinObjects(previous, value) : value;
}

/** An entry continues the entry with the same index. */
function withEntry(list: readonly unknown[], entry: unknown): readonly unknown[] {
  const isSame = (one: unknown) => isFields(one) && isFields(entry) && isSet(entry.index) && one.index === entry.index;
  const at = list.findIndex(isSame);
  const existingEntry = list[at];
  return isFields(existingEntry) && isFields(entry) ? list.with(at, joinObjects(existingEntry, entry)) : [...list, entry];
}
