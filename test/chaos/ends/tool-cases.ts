/** Responses whose upstream runs tools itself: each call is a line of the charge (F35). */
import { json, stream } from '../../fakes/delivery.ts';
import type { SseEvent } from '../../fakes/frames.ts';
import { type Case, type Draw, exact } from './case.ts';
import { doors } from './doors.ts';
import { asked } from './text-cases.ts';

const { responses } = doors;
type Item = Readonly<Record<string, unknown>>;

export const toolCases: Readonly<Record<string, (draw: Draw) => Omit<Case, 'name'>>> = {
  'tools that the vendor runs': (draw) => {
    const searches = 1 + draw.roll(3);
    const tokens = { ...draw.tokens, tools: { web_search_call: searches, image_generation_call: 1 } };
    const items = [
      ...Array.from({ length: searches }, search),
      { id: 'ig_fake', type: 'image_generation_call', status: 'completed', result: 'aGVsbG8=' },
    ];
    const reply = { text: draw.pieces, usage: responses.usage(tokens) };
    const own = { ...draw, door: responses };
    return {
      ...asked(own, { tools: [{ type: 'web_search' }, { type: 'image_generation' }] }),
      vendor: () => (draw.isStream ? stream(withItems(responses.frames(reply), items)) : json(withOutput(responses.whole(reply), items))),
      expected: exact(tokens),
    };
  },
  'functions that the caller runs': (draw) => ({
    ...asked({ ...draw, door: responses }, { tools: [{ type: 'function', name: 'look', parameters: {} }, { type: 'web_search' }] }),
    vendor: () => {
      const reply = { text: draw.pieces, usage: responses.usage(draw.tokens) };
      const more = { toolCalls: [{ id: 'call_1', name: 'look', arguments: '{"at":"it"}' }] };
      return draw.isStream ? stream(responses.frames(reply, more)) : json(responses.whole(reply, more));
    },
    expected: exact(draw.tokens),
  }),
};

const search = (_: unknown, index: number): Item => ({
  id: `ws_fake_${index}`,
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'rivers' },
});

const withOutput = (whole: Item, items: readonly Item[]): Item => ({ ...whole, output: [...items, ...(whole.output as readonly Item[])] });

/** The items ahead of all others, and every event numbered anew. */
function withItems(frames: readonly SseEvent[], items: readonly Item[]): SseEvent[] {
  // `as`: the fake writes objects.
  const events = frames.map(({ data }) => data as Item);
  const told = items.flatMap((item, output_index) => [
    { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_item.done', output_index, item },
  ]);
  const rest = events.slice(2).map((event) => ({
    ...event,
    ...(typeof event.output_index === 'number' && { output_index: event.output_index + items.length }),
    ...(event.response !== undefined && { response: withOutput(event.response as Item, items) }),
  }));
  return [...events.slice(0, 2), ...told, ...rest].map((event, sequence_number) => ({
    event: String((event as Item).type),
    data: { ...event, sequence_number },
  }));
}
