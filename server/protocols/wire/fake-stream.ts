/** Converts a complete response to the events of a text stream, for servers that don't stream. */

import { contentOrder } from '../../../contract/responses/order.ts';
import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields, isKeyIn, isSet } from '../../primitives/fields.ts';
import { toChunk } from '../chat/read-response.ts';
import { parseJsonObject } from './complete-response.ts';
import { DONE, writeDataFrame, writeEventFrame } from './frames.ts';
import { isEventStream, toWholeJson } from './whole-json.ts';

/** Converts a response without streaming to a stream. An error becomes an event that the stream's reader reports. */
export function toFakeStream(received: Buffer): Buffer {
  // The response is already a stream, with the wrong content type.
  if (isEventStream(received)) return received;
  const response = parseJsonObject(toWholeJson(received).toString());
  if (isSet(response.error)) return writeDataFrame<Fields>({ type: 'error', ...response });
  if (Array.isArray(response.choices)) return Buffer.concat([writeDataFrame<Fields>(toChunk(response)), DONE]);
  if (Array.isArray(response.output)) return Buffer.concat(createResponseEvents(response, response.output).map(writeNumbered));
  throw new GatewayError<CallCode>('upstream_error', { message: "The upstream didn't return a stream." });
}

const writeNumbered = (event: Fields, sequence_number: number): Buffer =>
  writeEventFrame<Fields>(String(event.type), { ...event, sequence_number });

function createResponseEvents(response: Fields, output: readonly unknown[]): Fields[] {
  const startedResponse = { ...response, status: 'in_progress', output: [], usage: null };
  return [
    { type: 'response.created', response: startedResponse },
    { type: 'response.in_progress', response: startedResponse },
    ...output.filter(isFields).flatMap(createItemEvents),
    { type: `response.${response.status ?? 'completed'}`, response },
  ];
}

function createItemEvents(item: Fields, output_index: number): Fields[] {
  const position = { item_id: item.id, output_index };
  const [content, summary] = [item.content, item.summary].map((parts) => (Array.isArray(parts) ? parts.filter(isFields) : []));
  const kind = item.type === 'function_call' ? 'arguments' : 'input';
  const isCall = typeof item[kind] === 'string';
  const emptyFields = {
    ...(isSet(item.status) && { status: 'in_progress' }),
    ...(content && isSet(item.content) && { content: [] }),
    ...(summary && isSet(item.summary) && { summary: [] }),
    ...(isCall && { [kind]: '' }),
  };
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, ...emptyFields } },
    ...(summary ?? []).flatMap((part, summary_index) => createContentEvents(part, { ...position, summary_index })),
    ...(content ?? []).flatMap((part, content_index) => createContentEvents(part, { ...position, content_index })),
    ...(isCall ? createContentEvents({ ...item, type: kind }, position) : []),
    { type: 'response.output_item.done', output_index, item },
  ];
}

const isOrdered = (type: unknown): type is keyof typeof contentOrder => isKeyIn(type, contentOrder);

function createContentEvents(part: Fields, position: Fields): Fields[] {
  if (!isOrdered(part.type)) return [];
  const { opens, delta, done, field, closes } = contentOrder[part.type];
  const text = part[field] ?? '';
  const logprobs = part.type === 'output_text' ? { logprobs: part.logprobs ?? [] } : {};
  return [
    ...(opens === null ? [] : [{ type: opens, ...position, part: { ...part, [field]: '' } }]),
    ...(text === '' ? [] : [{ type: delta, ...position, delta: text, ...logprobs }]),
    { type: done, ...position, [field]: text, ...logprobs, ...(part.type === 'arguments' && { name: part.name }) },
    ...(closes === null ? [] : [{ type: closes, ...position, part }]),
  ];
}
