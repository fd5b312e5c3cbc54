/** Writes a plan as the events of a streamed response, in the order that strict clients insist on. */
import type { Ask } from '../plan/ask.ts';
import { describePiece, describePieces } from '../plan/logprobs.ts';
import { type OutputItem, openItem, writeItem, writePart } from './items.ts';
import { type Answer, writeFinal, writeOpening } from './response.ts';

export interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** `now` in seconds, asked at the end: the stream takes its time. */
export function* writeEvents(answer: Answer, now: () => number): Generator<ResponseEvent> {
  let sequence = 0;
  for (const { type, ...fields } of writeUnnumbered(answer, now)) {
    yield { type, sequence_number: sequence, ...fields };
    sequence += 1;
  }
}

function* writeUnnumbered(answer: Answer, now: () => number): Generator<ResponseEvent> {
  yield { type: 'response.created', response: writeOpening(answer) };
  yield { type: 'response.in_progress', response: writeOpening(answer) };
  for (const [output_index, item] of answer.items.entries()) {
    yield { type: 'response.output_item.added', output_index, item: openItem(item) };
    for (const { type, ...fields } of writeContent(item, answer.ask)) yield { type, item_id: item.id, output_index, ...fields };
    yield { type: 'response.output_item.done', output_index, item: writeItem(item, answer.ask) };
  }
  yield { type: answer.plan.isCut ? 'response.incomplete' : 'response.completed', response: writeFinal(answer, now()) };
}

function writeContent(item: OutputItem, ask: Ask): Generator<ResponseEvent> {
  switch (item.kind) {
    case 'reasoning':
      return writeSummary(item);
    case 'message':
      return item.planned.kind === 'refusal' ? writeRefusal(item) : writeText(item, ask);
    case 'call':
      return writeArguments(item);
  }
}

function* writeSummary({ planned }: OutputItem & { kind: 'reasoning' }): Generator<ResponseEvent> {
  const text = planned.pieces.join('');
  const place = { summary_index: 0 };
  yield { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } };
  for (const delta of planned.pieces) yield { type: 'response.reasoning_summary_text.delta', ...place, delta };
  yield { type: 'response.reasoning_summary_text.done', ...place, text };
  yield { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text } };
}

function* writeText({ planned }: OutputItem & { kind: 'message' }, { topLogprobs }: Ask): Generator<ResponseEvent> {
  const text = planned.pieces.join('');
  const place = { content_index: 0 };
  yield { type: 'response.content_part.added', ...place, part: writePart(planned, '', topLogprobs) };
  for (const delta of planned.pieces) {
    const logprobs = topLogprobs === null ? [] : [describePiece(delta, topLogprobs)];
    yield { type: 'response.output_text.delta', ...place, delta, logprobs };
  }
  const logprobs = topLogprobs === null ? [] : describePieces(planned.pieces, topLogprobs);
  yield { type: 'response.output_text.done', ...place, text, logprobs };
  yield { type: 'response.content_part.done', ...place, part: writePart(planned, text, topLogprobs) };
}

function* writeRefusal({ planned }: OutputItem & { kind: 'message' }): Generator<ResponseEvent> {
  const refusal = planned.pieces.join('');
  const place = { content_index: 0 };
  yield { type: 'response.content_part.added', ...place, part: writePart(planned, '', null) };
  for (const delta of planned.pieces) yield { type: 'response.refusal.delta', ...place, delta };
  yield { type: 'response.refusal.done', ...place, refusal };
  yield { type: 'response.content_part.done', ...place, part: writePart(planned, refusal, null) };
}

function* writeArguments({ planned }: OutputItem & { kind: 'call' }): Generator<ResponseEvent> {
  const { tool, pieces } = planned;
  const text = pieces.join('');
  const event = tool.kind === 'custom' ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  for (const delta of pieces) yield { type: `${event}.delta`, delta };
  yield tool.kind === 'custom' ? { type: `${event}.done`, input: text } : { type: `${event}.done`, name: tool.name, arguments: text };
}
