/** Writes a plan as the events of a streamed response, in the order that strict clients insist on. */
import type { Event, Unnumbered } from '../../dialects/responses/wire.ts';
import type { Ask } from '../plan/ask.ts';
import { describePiece, describePieces } from '../plan/logprobs.ts';
import { type OutputItem, openItem, writeItem, writePart } from './items.ts';
import { type Answer, writeFinal, writeOpening } from './response.ts';

/** `now` in seconds, asked at the end: the stream takes its time. */
export function* writeEvents(answer: Answer, now: () => number): Generator<Event> {
  let sequence = 0;
  for (const { type, ...fields } of writeUnnumbered(answer, now)) {
    // What was taken apart is put together again, with its number in second place.
    yield { type, sequence_number: sequence, ...fields } as Event;
    sequence += 1;
  }
}

function* writeUnnumbered(answer: Answer, now: () => number): Generator<Unnumbered> {
  yield { type: 'response.created', response: writeOpening(answer) };
  yield { type: 'response.in_progress', response: writeOpening(answer) };
  for (const [output_index, item] of answer.items.entries()) {
    yield { type: 'response.output_item.added', output_index, item: openItem(item) };
    yield* writeContent(item, { item_id: item.id, output_index }, answer.ask);
    yield { type: 'response.output_item.done', output_index, item: writeItem(item, answer.ask) };
  }
  yield { type: answer.plan.isCut ? 'response.incomplete' : 'response.completed', response: writeFinal(answer, now()) };
}

/** What every event about an item repeats. */
interface ItemPlace {
  readonly item_id: string;
  readonly output_index: number;
}

function writeContent(item: OutputItem, place: ItemPlace, ask: Ask): Generator<Unnumbered> {
  switch (item.kind) {
    case 'reasoning':
      return writeSummary(item, place);
    case 'message':
      return item.planned.kind === 'refusal' ? writeRefusal(item, place) : writeText(item, place, ask);
    case 'call':
      return writeArguments(item, place);
  }
}

function* writeSummary({ planned }: OutputItem & { kind: 'reasoning' }, item: ItemPlace): Generator<Unnumbered> {
  const text = planned.pieces.join('');
  const place = { ...item, summary_index: 0 };
  yield { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } };
  for (const delta of planned.pieces) yield { type: 'response.reasoning_summary_text.delta', ...place, delta };
  yield { type: 'response.reasoning_summary_text.done', ...place, text };
  yield { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text } };
}

type Message = OutputItem & { kind: 'message' };

function* writeText({ planned }: Message, item: ItemPlace, { topLogprobs }: Ask): Generator<Unnumbered> {
  const text = planned.pieces.join('');
  const place = { ...item, content_index: 0 };
  yield { type: 'response.content_part.added', ...place, part: writePart(planned, '', topLogprobs) };
  for (const delta of planned.pieces) {
    const logprobs = topLogprobs === null ? [] : [describePiece(delta, topLogprobs)];
    yield { type: 'response.output_text.delta', ...place, delta, logprobs };
  }
  const logprobs = topLogprobs === null ? [] : describePieces(planned.pieces, topLogprobs);
  yield { type: 'response.output_text.done', ...place, text, logprobs };
  yield { type: 'response.content_part.done', ...place, part: writePart(planned, text, topLogprobs) };
}

function* writeRefusal({ planned }: Message, item: ItemPlace): Generator<Unnumbered> {
  const refusal = planned.pieces.join('');
  const place = { ...item, content_index: 0 };
  yield { type: 'response.content_part.added', ...place, part: writePart(planned, '', null) };
  for (const delta of planned.pieces) yield { type: 'response.refusal.delta', ...place, delta };
  yield { type: 'response.refusal.done', ...place, refusal };
  yield { type: 'response.content_part.done', ...place, part: writePart(planned, refusal, null) };
}

function* writeArguments({ planned }: OutputItem & { kind: 'call' }, place: ItemPlace): Generator<Unnumbered> {
  const { tool, pieces } = planned;
  const text = pieces.join('');
  if (tool.kind === 'custom') {
    for (const delta of pieces) yield { type: 'response.custom_tool_call_input.delta', ...place, delta };
    yield { type: 'response.custom_tool_call_input.done', ...place, input: text };
  } else {
    for (const delta of pieces) yield { type: 'response.function_call_arguments.delta', ...place, delta };
    yield { type: 'response.function_call_arguments.done', ...place, name: tool.name, arguments: text };
  }
}
