/** Events of a responses stream as events of a turn: one small reader for each kind, in a table. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { readFailure } from '../failure.ts';
import { readAnnotation } from '../turn/annotations.ts';
import type { FinishReason, TurnEvent, TurnStreamReader } from '../turn/turn.ts';
import { readUsage } from '../usage.ts';
import { Output, openCall, readArguments, readItem, readItems, readText, textOf } from './read-output.ts';

type ReadEvent = (output: Output, event: Fields) => TurnEvent[];

const placeOf = (value: unknown) => (typeof value === 'number' ? value : 0);

/** Marks a piece as told, so that the finished item does not tell it again. */
function tell(output: Output, event: Fields, piece: string): void {
  output.seen(output.keyOf(event)).told.add(piece);
}

const readTextDelta: ReadEvent = (output, event) => {
  const events = readText(textOf(event.delta), event.logprobs);
  if (events.length > 0) tell(output, event, `content ${placeOf(event.content_index)}`);
  return events;
};

const readRefusalDelta: ReadEvent = (output, event) => {
  const text = textOf(event.delta);
  if (text === '') return [];
  tell(output, event, `content ${placeOf(event.content_index)}`);
  return [{ kind: 'refusal', text }];
};

const readNote: ReadEvent = (output, event) => {
  const events = readAnnotation(event.annotation);
  if (events.length > 0) tell(output, event, `annotation ${placeOf(event.content_index)}`);
  return events;
};

const readThought =
  (kind: 'content' | 'summary', indexField: string): ReadEvent =>
  (output, event) => {
    const text = textOf(event.delta);
    if (text === '') return [];
    const piece = `${kind} ${placeOf(event[indexField])}`;
    const part = output.partNumber(`${output.keyOf(event)} ${piece}`);
    tell(output, event, piece);
    return [{ kind: 'reasoning', part, text }];
  };

const readArgumentsDelta: ReadEvent = (output, event) => readArguments(output.seen(output.keyOf(event)), textOf(event.delta));

const callTypes = new Set<unknown>(['function_call', 'custom_tool_call']);

const readAdded: ReadEvent = (output, event) => {
  const key = output.keyOf(event);
  return isFields(event.item) && callTypes.has(event.item.type) ? openCall(output, key, event.item) : [];
};

const readDone: ReadEvent = (output, event) => {
  const events = isFields(event.item) ? readItem(output, output.keyOf(event), event.item) : [];
  output.finishItem();
  return events;
};

function usageOf(response: Fields): TurnEvent[] {
  const usage = readUsage(response.usage);
  return usage === null ? [] : [{ kind: 'usage', usage }];
}

function finishReason(response: Fields, isWhole: boolean, output: Output): FinishReason {
  if (isWhole) return output.calls > 0 ? 'tool_calls' : 'stop';
  const details = isFields(response.incomplete_details) ? response.incomplete_details : {};
  return details.reason === 'content_filter' ? 'content_filter' : 'length';
}

/** When no items came before, they are read from the terminal event. */
const readTerminal =
  (isWhole: boolean): ReadEvent =>
  (output, { response }) => {
    const answer = isFields(response) ? response : {};
    const told = output.isEmpty ? readItems(output, answer.output) : [];
    return [...told, ...usageOf(answer), { kind: 'finish', reason: finishReason(answer, isWhole, output) }];
  };

/** The usage of a failed answer is charged too. */
const readFailed: ReadEvent = (_, { response }) => {
  const answer = isFields(response) ? response : {};
  return [...usageOf(answer), { kind: 'failed', error: readFailure(answer.error) }];
};

/** The error may be flat, nested or both. */
const readError: ReadEvent = (_, event) => [{ kind: 'failed', error: readFailure(isFields(event.error) ? event.error : event) }];

const readers: Readonly<Record<string, ReadEvent>> = {
  'response.output_item.added': readAdded,
  'response.output_item.done': readDone,
  'response.output_text.delta': readTextDelta,
  'response.output_text.annotation.added': readNote,
  'response.refusal.delta': readRefusalDelta,
  'response.reasoning_summary_text.delta': readThought('summary', 'summary_index'),
  'response.reasoning_text.delta': readThought('content', 'content_index'),
  'response.function_call_arguments.delta': readArgumentsDelta,
  'response.custom_tool_call_input.delta': readArgumentsDelta,
  'response.completed': readTerminal(true),
  'response.incomplete': readTerminal(false),
  'response.failed': readFailed,
  error: readError,
};
const terminal = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);
const failures = new Set(['response.failed', 'error']);

class ResponsesTurnReader implements TurnStreamReader {
  readonly #output = new Output();
  #hasStarted = false;
  isComplete = false;

  read(data: Fields, name: string | null): TurnEvent[] {
    if (this.isComplete) return [];
    const type = textOf(data.type) || (name ?? '');
    this.isComplete = terminal.has(type);
    const events = Object.hasOwn(readers, type) ? (readers[type]?.(this.#output, data) ?? []) : [];
    return [...this.#start(type), ...events];
  }

  end(): TurnEvent[] {
    if (this.isComplete) return [];
    this.isComplete = true;
    return [
      {
        kind: 'failed',
        error: new GatewayError<CallCode>('upstream_error', { message: 'The upstream broke off in the middle of its answer.' }),
      },
    ];
  }

  #start(type: string): TurnEvent[] {
    if (this.#hasStarted || failures.has(type) || !type.startsWith('response.')) return [];
    this.#hasStarted = true;
    return [{ kind: 'start' }];
  }
}

export const openResponseStream = (): TurnStreamReader => new ResponsesTurnReader();
