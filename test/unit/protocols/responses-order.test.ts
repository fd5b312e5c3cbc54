/** The check of the order of a Responses stream: legal streams pass, and each kind of fault is found. */
import { describe, expect, it } from 'vitest';
import { responsesCallerDialect } from '../../../server/protocols/responses/dialect.ts';
import { openOrderCheck } from '../../../server/protocols/responses/order-check.ts';
import { open, stop, text, thought } from '../../fixtures/turn/answers.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { citySchema, functionTool, readEvents, send } from '../providers/simulator/ask.ts';
import { readData, type Wire, writeFrames } from './caller-frames.ts';

/** The faults that the check finds in a stream. */
function faults(events: readonly Wire[]): string[] {
  const check = openOrderCheck();
  return [...events.map((event) => check.check(event)), check.end()].filter((fault) => fault !== null);
}

const written = (events: Parameters<typeof writeFrames>[1]): Wire[] =>
  readData(writeFrames(responsesCallerDialect.openStream(createHead('resp')), events));

/** A stream with reasoning, text and a call; `find` returns the index of the nth event of a type. */
const sound = written([thought('a'), text('b'), text('c'), open(0, 'f'), stop]);
const find = (type: string, nth = 0): number => sound.findIndex((event, at) => event.type === type && countBefore(type, at) === nth);
const countBefore = (type: string, at: number) => sound.slice(0, at).filter((event) => event.type === type).length;

const numbered = (events: readonly Wire[]): Wire[] => events.map((event, sequence_number) => ({ ...event, sequence_number }));
const without = (at: number): Wire[] => numbered(sound.toSpliced(at, 1));
const changed = (at: number, fields: Wire): Wire[] => sound.with(at, { ...sound[at], ...fields });
const swapped = (at: number): Wire[] => numbered(sound.toSpliced(at, 2, ...sound.slice(at, at + 2).reverse()));
const delta = 'response.output_text.delta';

const broken: readonly (readonly [string, Wire[], RegExp])[] = [
  ['does not begin with created', without(0), /in_progress can't follow start/],
  ['skips in_progress', without(1), /item.added can't follow response.created/],
  ['has a gap in its numbers', sound.toSpliced(5, 1), /sequence_number is 6, not 5/],
  ['repeats a number', sound.toSpliced(5, 0, sound[4] ?? {}), /sequence_number is 4, not 5/],
  ['has a delta before its item', without(find('response.output_item.added', 2)), /before item 2 was added/],
  ['has a delta before its part', without(find('response.content_part.added')), /delta can't follow response.output_item.added/],
  ['has the done of a text before its delta', swapped(find(delta, 1)), /differs from its deltas/],
  ['closes a part before its text', swapped(find('response.output_text.done')), /content_part.done output_text can't follow/],
  ['loses a delta', without(find(delta)), /differs from its deltas/],
  ['names another item', changed(find(delta), { item_id: 'msg_9' }), /item_id msg_9/],
  ['names no item', changed(find(delta), { output_index: undefined }), /can't follow/],
  ['jumps in output_index', changed(find('response.output_item.added', 1), { output_index: 4 }), /output_index is 4, not 1/],
  ['jumps in content_index', changed(find('response.content_part.added'), { content_index: 1 }), /content_index is 1, not 0/],
  ['leaves an item open', without(find('response.output_item.done', 2)), /item 2 is open/],
  ['adds an item while another is open', swapped(find('response.output_item.done')), /added while item 0 is open/],
  [
    'closes an item with another id',
    changed(find('response.output_item.done'), { item: { type: 'reasoning', id: 'rs_9' } }),
    /id of item 0 changed/,
  ],
  ['goes on in an item that is done', numbered(sound.toSpliced(-1, 0, sound[find(delta)] ?? {})), /after item 1 was done/],
  ['has no end', sound.slice(0, -1), /without a terminal event/],
  ['ends twice', numbered([...sound, sound.at(-1) ?? {}]), /completed can't follow response.completed/],
  ['goes on after its end', numbered([...sound, { type: 'keepalive' }]), /keepalive can't follow response.completed/],
  ['ends empty', changed(sound.length - 1, { response: { id: 'resp_1', output: [] } }), /repeats 0 of 3 items/],
  ['changes its id', changed(sound.length - 1, { response: { id: 'resp_2', output: [] } }), /response ID changed/],
  ['completes after an error', numbered(sound.toSpliced(-1, 0, { type: 'error' })), /completed can't follow error/],
  ['begins with a newer event', numbered([{ type: 'response.magic' }, ...sound]), /magic can't follow start/],
  ['goes on with a newer event after its end', numbered([...sound, { type: 'response.magic' }]), /magic can't follow/],
];

describe('a stream that passes the check of the order', () => {
  it('contains heartbeats, an event newer than the contract, and a failure', () => {
    expect(faults(numbered(sound.toSpliced(4, 0, { type: 'keepalive' })))).toEqual([]);
    expect(faults(numbered(sound.toSpliced(4, 0, { type: 'response.magic', output_index: 7 })))).toEqual([]);
    const failed = { type: 'response.failed', response: { id: 'resp_1', output: [] } };
    expect(faults(numbered([...sound.slice(0, 2), { type: 'error' }, failed]))).toEqual([]);
  });

  it('V10: differs in the encrypted reasoning of its last event', async () => {
    const asked = { input: 'Why?', reasoning: { effort: 'high' }, include: ['reasoning.encrypted_content'] };
    const events = await readEvents(send('createResponse', asked, true));
    const last = JSON.stringify(events.at(-1));
    const anew = last.replace(/"encrypted_content":"[^"]*"/, '"encrypted_content":"another"');
    expect(anew).not.toBe(last);
    expect(faults(events.with(-1, JSON.parse(anew)))).toEqual([]);
  });

  const tools = [functionTool('get_weather', citySchema), { type: 'custom', name: 'poem' }];
  it.each<Wire>([
    { input: 'Why is the sky blue?' },
    { input: 'Why?', reasoning: { effort: 'high' }, include: ['reasoning.encrypted_content'] },
    { input: 'please refuse' },
    { input: 'call get_weather for Oslo and Paris', tools },
    { input: 'Rain', tools, tool_choice: { type: 'custom', name: 'poem' } },
    { input: 'count to 90', max_output_tokens: 16 },
  ])('comes from the simulator for %j', async (value) => {
    expect(faults(await readEvents(send('createResponse', value, true)))).toEqual([]);
  });
});

describe('the check of the order', () => {
  it.each(broken)('finds a stream that %s', (_what, events, fault) => {
    expect(faults(events)[0]).toMatch(fault);
  });
});
