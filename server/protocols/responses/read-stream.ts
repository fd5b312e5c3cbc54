/** Reads the events of a responses stream as canonical events. */

import { type CallCode, CLOSED_EARLY, GatewayError } from '../../primitives/errors.ts';
import { type Fields, isFields } from '../../primitives/fields.ts';
import { readAnnotation } from '../canonical/annotations.ts';
import type { CanonicalEvent, FinishReason } from '../canonical/canonical-events.ts';
import type { CanonicalStreamReader } from '../dialect.ts';
import { readFailure } from '../errors.ts';
import { readUsage } from '../usage.ts';
import { OutputState, openCall, readArguments, readItem, readItems, readText, toText } from './read-items.ts';

type ReadEvent = (output: OutputState, event: Fields) => CanonicalEvent[];

const toIndex = (value: unknown) => (typeof value === 'number' ? value : 0);

/** Marks a piece as emitted, so that the finished item doesn't emit it again. */
function markPiece(output: OutputState, event: Fields, piece: string): void {
  output.getItem(output.getKey(event)).emitted.add(piece);
}

const readTextDelta: ReadEvent = (output, event) => {
  const events = readText(toText(event.delta), event.logprobs);
  if (events.length > 0) markPiece(output, event, `content ${toIndex(event.content_index)}`);
  return events;
};

const readRefusalDelta: ReadEvent = (output, event) => {
  const text = toText(event.delta);
  if (text === '') return [];
  markPiece(output, event, `content ${toIndex(event.content_index)}`);
  return [{ kind: 'refusal', text }];
};

const readAnnotationEvent: ReadEvent = (output, event) => {
  const events = readAnnotation(event.annotation);
  if (events.length > 0) markPiece(output, event, `annotation ${toIndex(event.content_index)}`);
  return events;
};

const readReasoningDelta =
  (kind: 'content' | 'summary', indexField: string): ReadEvent =>
  (output, event) => {
    const text = toText(event.delta);
    if (text === '') return [];
    const piece = `${kind} ${toIndex(event[indexField])}`;
    const part = output.getPartNumber(`${output.getKey(event)} ${piece}`);
    markPiece(output, event, piece);
    return [{ kind: 'reasoning', part, text }];
  };

const readArgumentsDelta: ReadEvent = (output, event) => readArguments(output.getItem(output.getKey(event)), toText(event.delta));

const callTypes = new Set<unknown>(['function_call', 'custom_tool_call']);

const readItemAdded: ReadEvent = (output, event) => {
  const key = output.getKey(event);
  return isFields(event.item) && callTypes.has(event.item.type) ? openCall(output, key, event.item) : [];
};

const readItemDone: ReadEvent = (output, event) => {
  const events = isFields(event.item) ? readItem(output, output.getKey(event), event.item) : [];
  output.finishItem();
  return events;
};

function readUsageEvent(response: Fields): CanonicalEvent[] {
  const usage = readUsage(response.usage, response.service_tier);
  return usage === null ? [] : [{ kind: 'usage', usage }];
}

function getFinishReason(response: Fields, isCompleted: boolean, output: OutputState): FinishReason {
  if (isCompleted) return output.calls > 0 ? 'tool_calls' : 'stop';
  const details = isFields(response.incomplete_details) ? response.incomplete_details : {};
  return details.reason === 'content_filter' ? 'content_filter' : 'length';
}

/** Reads items from the terminal event only if none arrived before. */
const readTerminal =
  (isCompleted: boolean): ReadEvent =>
  (output, { response }) => {
    const answer = isFields(response) ? response : {};
    const events = output.isEmpty ? readItems(output, answer.output) : [];
    return [...events, ...readUsageEvent(answer), { kind: 'finish', reason: getFinishReason(answer, isCompleted, output) }];
  };

/** The usage of a failed response is billed too. */
const readFailed: ReadEvent = (_, { response }) => {
  const answer = isFields(response) ? response : {};
  return [...readUsageEvent(answer), { kind: 'failed', error: readFailure(answer.error) }];
};

/** The error can be flat, nested, or both. */
const readError: ReadEvent = (_, event) => [{ kind: 'failed', error: readFailure(isFields(event.error) ? event.error : event) }];

const readers: Readonly<Record<string, ReadEvent>> = {
  'response.output_item.added': readItemAdded,
  'response.output_item.done': readItemDone,
  'response.output_text.delta': readTextDelta,
  'response.output_text.annotation.added': readAnnotationEvent,
  'response.refusal.delta': readRefusalDelta,
  'response.reasoning_summary_text.delta': readReasoningDelta('summary', 'summary_index'),
  'response.reasoning_text.delta': readReasoningDelta('content', 'content_index'),
  'response.function_call_arguments.delta': readArgumentsDelta,
  'response.custom_tool_call_input.delta': readArgumentsDelta,
  'response.completed': readTerminal(true),
  'response.incomplete': readTerminal(false),
  'response.failed': readFailed,
  error: readError,
};
const terminalEvents = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);
const failureEvents = new Set(['response.failed', 'error']);

class ResponsesStreamReader implements CanonicalStreamReader {
  readonly #output = new OutputState();
  #hasStarted = false;
  isComplete = false;

  read(data: Fields, name: string | null): CanonicalEvent[] {
    if (this.isComplete) return [];
    const type = toText(data.type) || (name ?? '');
    this.isComplete = terminalEvents.has(type);
    const events = Object.hasOwn(readers, type) ? (readers[type]?.(this.#output, data) ?? []) : [];
    return [...this.#start(type), ...events];
  }

  end(): CanonicalEvent[] {
    if (this.isComplete) return [];
    this.isComplete = true;
    return [
      {
        kind: 'failed',
        error: new GatewayError<CallCode>('upstream_error', { message: CLOSED_EARLY }),
      },
    ];
  }

  #start(type: string): CanonicalEvent[] {
    if (this.#hasStarted || failureEvents.has(type) || !type.startsWith('response.')) return [];
    this.#hasStarted = true;
    return [{ kind: 'start' }];
  }
}

export const readResponseStream = (): CanonicalStreamReader => new ResponsesStreamReader();
