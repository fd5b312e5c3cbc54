/** Assembles a response from its events, if it ended before an event contained all of its output. */

import { type Fields, isFields } from '../../primitives/fields.ts';
import { DONE, forEachFrame, parseFrame, writeEventFrame } from '../wire/frames.ts';

/** The list of an item that a delta belongs to, the field of its index, and the field of the part that it extends. */
interface DeltaTarget {
  readonly list: string;
  readonly index: string;
  readonly part: Fields;
  readonly field: string;
}

const OUTPUT_TEXT: DeltaTarget = { list: 'content', index: 'content_index', part: { type: 'output_text', annotations: [] }, field: 'text' };
const partTargets: Readonly<Record<string, DeltaTarget>> = {
  'response.output_text.delta': OUTPUT_TEXT,
  'response.refusal.delta': { ...OUTPUT_TEXT, part: { type: 'refusal' }, field: 'refusal' },
  'response.reasoning_text.delta': { ...OUTPUT_TEXT, part: { type: 'reasoning_text' } },
  'response.reasoning_summary_text.delta': { list: 'summary', index: 'summary_index', part: { type: 'summary_text' }, field: 'text' },
};
const itemFields: Readonly<Record<string, string>> = {
  'response.function_call_arguments.delta': 'arguments',
  'response.custom_tool_call_input.delta': 'input',
};

export interface FailedError {
  readonly code: string;
  readonly message: string;
}

export const isUnfinished = ({ status }: Fields): boolean => status === 'queued' || status === 'in_progress';

export class PartialOutput {
  readonly #items = new Map<number, Record<string, unknown>>();
  /** The last response object in an event. Empty before the first event. */
  response: Fields = {};
  /** The sequence number of the next event. */
  nextSequence = 0;

  /** Adds complete frames, in order. */
  add(frames: Buffer): void {
    forEachFrame(frames, (frame) => {
      const event = parseFrame(frame);
      if (event) this.addEvent(event);
    });
  }

  /** The items so far. An unfinished item has the status `incomplete`. */
  get output(): readonly Fields[] {
    return [...this.#items]
      .toSorted(([a], [b]) => a - b)
      .map(([, item]) => (item.status === 'in_progress' ? { ...item, status: 'incomplete' } : item));
  }

  /** Whether the last response object came in a final event. */
  get hasEnded(): boolean {
    return this.response.status !== undefined && !isUnfinished(this.response);
  }

  /** Returns the response as failed, or as canceled if `error` is null, with the output so far. `base`: the response as it began. */
  end(base: Fields, error: FailedError | null): Fields {
    const status = error ? 'failed' : 'cancelled';
    return { ...base, ...this.response, status, error, output: this.output, completed_at: null, usage: this.response.usage ?? null };
  }

  /** Writes the event that ends the stream, for a response that has ended. */
  writeLastEvent(response: Fields): Buffer {
    const type = response.status === 'cancelled' ? 'response.failed' : `response.${response.status}`;
    return Buffer.concat([writeEventFrame<Fields>(type, { type, response, sequence_number: this.nextSequence }), DONE]);
  }

  addEvent(event: Fields): void {
    const { type, sequence_number: sequence, output_index: index, item, delta } = event;
    if (typeof sequence === 'number') this.nextSequence = sequence + 1;
    if (isFields(event.response)) this.response = event.response;
    if (typeof index !== 'number') return;
    if (isFields(item)) this.#items.set(index, { ...item });
    const current = this.#items.get(index);
    if (!current || typeof delta !== 'string') return;
    const field = itemFields[String(type)];
    if (field !== undefined) current[field] = appendText(current[field], delta);
    const target = partTargets[String(type)];
    if (target) current[target.list] = appendToPart(current[target.list], event, target, delta);
  }
}

const appendText = (text: unknown, delta: string): string => (typeof text === 'string' ? text : '') + delta;

function appendToPart(list: unknown, event: Fields, { index, part, field }: DeltaTarget, delta: string): readonly unknown[] {
  const parts: unknown[] = Array.isArray(list) ? [...list] : [];
  const at = Number(event[index] ?? 0);
  const current = isFields(parts[at]) ? parts[at] : part;
  parts[at] = { ...current, [field]: appendText(current[field], delta) };
  return parts;
}
