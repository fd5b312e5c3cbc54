/** Reads recorded answers into events and events into one plain form, and writes them for callers, for the tests of the fixtures. */
import { ChatCompletion, ChatCompletionChunk } from '../../../contract/chat/completion.ts';
import { ResponseStreamEvent } from '../../../contract/responses/events.ts';
import { Response } from '../../../contract/responses.ts';
import { anthropicDialect } from '../../../server/protocols/anthropic/dialect.ts';
import type { CanonicalEvent } from '../../../server/protocols/canonical/canonical-events.ts';
import type { CanonicalRequest } from '../../../server/protocols/canonical/canonical-request.ts';
import { chatCallerDialect, chatUpstreamDialect } from '../../../server/protocols/chat/dialect.ts';
import type { CallerDialect, ResponseHead, UpstreamDialect } from '../../../server/protocols/dialect.ts';
import { geminiDialect } from '../../../server/protocols/gemini/dialect.ts';
import { responsesCallerDialect, responsesUpstreamDialect } from '../../../server/protocols/responses/dialect.ts';
import { openOrderCheck } from '../../../server/protocols/responses/order-check.ts';
import type { Usage } from '../../../server/protocols/usage.ts';
import { readFrames } from '../../fakes/frames.ts';
import { unmarked } from '../../fakes/gemini.ts';
import type { Dialect, Fixture } from '../../fixtures/files.ts';
import { createHead } from '../../fixtures/turn/heads.ts';
import { readData, writeFrames } from './caller-frames.ts';
import { chatTurn, eventsOf, join, readStream, responsesTurn } from './upstream-reading.ts';

export type Caller = 'chat' | 'responses';
type Json = Readonly<Record<string, unknown>>;

export const upstreams: Readonly<Record<Dialect, UpstreamDialect>> = {
  chat: chatUpstreamDialect,
  responses: responsesUpstreamDialect,
  anthropic: anthropicDialect,
  gemini: geminiDialect,
};
export const callers: Readonly<Record<Caller, CallerDialect>> = { chat: chatCallerDialect, responses: responsesCallerDialect };

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
/** The tools that the recorded answers call. Chat has no namespaces. */
export const offered: Readonly<Record<Caller, readonly Json[]>> = {
  chat: [
    { type: 'function', function: { name: 'get_weather', parameters } },
    { type: 'function', function: { name: 'now' } },
    { type: 'custom', custom: { name: 'apply_patch' } },
  ],
  responses: [
    { type: 'function', name: 'get_weather', parameters },
    { type: 'function', name: 'now' },
    { type: 'custom', name: 'apply_patch' },
    { type: 'namespace', name: 'agents', description: '', tools: [{ type: 'function', name: 'close' }] },
  ],
};
export const askedBy: Readonly<Record<Caller, () => CanonicalRequest>> = {
  chat: () => chatTurn({ tools: offered.chat }),
  responses: () => responsesTurn({ tools: offered.responses }),
};
const heads: Readonly<Record<Caller, () => ResponseHead>> = {
  chat: () => createHead('chatcmpl', { stream_options: { include_usage: true } }),
  responses: () => createHead('resp', { include: ['reasoning.encrypted_content'] }),
};

/** Reads a fixture by its own dialect. */
export function readFixture({ dialect, isStream, text }: Fixture, turn: CanonicalRequest): CanonicalEvent[] {
  return isStream
    ? readStream(upstreams[dialect], turn, eventsOf(framesIn(text)))
    : upstreams[dialect].readResponse(JSON.parse(text), turn);
}

const framesIn = (text: string) => readFrames(text).map(({ event, data }) => ({ data, ...(event !== null && { event }) }));

type Plain = Readonly<Record<string, unknown>>;

/** The events with joined pieces, as in the files of `turn/said`. */
export function plain(events: readonly CanonicalEvent[]): Plain[] {
  const usage = events.findLast(({ kind }) => kind === 'usage');
  const said = events.filter(({ kind }) => kind !== 'start' && kind !== 'encrypted' && kind !== 'usage' && kind !== 'arguments');
  const joined = join(said).map(
    (event): Plain =>
      event.kind === 'call' ? { ...event, callId: unmarked(event.callId), arguments: argumentsOf(events, event.index) } : event,
  );
  return usage ? [...joined, { ...usage, ...(usage.kind === 'usage' && { usage: withoutDefaultTier(usage.usage) }) }] : joined;
}

/** A writer that isn't told the service tier writes the default one. */
export const withoutDefaultTier = ({ serviceTier, ...usage }: Usage): Usage =>
  serviceTier === undefined || serviceTier === 'default' ? usage : { ...usage, serviceTier };

const argumentsOf = (events: readonly CanonicalEvent[], index: number): string =>
  events.map((event) => (event.kind === 'arguments' && event.index === index ? event.text : '')).join('');

export const sealsIn = (events: readonly CanonicalEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'encrypted' ? [event.encrypted] : []));

/** The events that a caller of this protocol can get: chat has no reasoning, and responses no unknown bytes of a token. */
export function toldTo(caller: Caller, said: readonly Plain[]): Plain[] {
  if (caller === 'chat') return said.filter(({ kind }) => kind !== 'reasoning');
  return JSON.parse(JSON.stringify(said).replaceAll('"bytes":null', '"bytes":[]'));
}

/** Writes a whole answer, which must fit the contract, and reads it again. */
export function throughWhole(caller: Caller, events: readonly CanonicalEvent[]): CanonicalEvent[] {
  const written = JSON.parse(JSON.stringify(callers[caller].writeResponse(events, heads[caller]())));
  const schema = caller === 'chat' ? ChatCompletion : Response;
  schema.parse(written);
  return upstreams[caller].readResponse(written, askedBy[caller]());
}

/** Writes a stream, which must fit the contract and its order, and reads it again. */
export function throughStream(caller: Caller, events: readonly CanonicalEvent[]): CanonicalEvent[] {
  const frames = writeFrames(callers[caller].openStream(heads[caller]()), events);
  // The frame of a failure is no chunk.
  if (caller === 'chat') for (const data of readData(frames)) if (!('error' in data)) ChatCompletionChunk.parse(data);
  if (caller === 'responses') checkOrder(readData(frames));
  const named = frames.map(({ event, data }) => ({ data: data === '[DONE]' ? data : JSON.parse(data), ...(event !== null && { event }) }));
  return readStream(upstreams[caller], askedBy[caller](), eventsOf(named));
}

function checkOrder(events: readonly Json[]): void {
  const check = openOrderCheck();
  for (const event of events) ResponseStreamEvent.parse(event);
  const faults = [...events.map((event) => check.check(event)), check.end()].filter((fault) => fault !== null);
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

/** The next request to the vendor of an answer, with its whole output and a result for each call. */
export function askAgain(fixture: Fixture): Json {
  const written = responsesCallerDialect.writeResponse(readFixture(fixture, askedBy.responses()), heads.responses());
  const output: Json[] = JSON.parse(JSON.stringify(written.output));
  const results = output.flatMap(({ call_id }) => (call_id === undefined ? [] : [{ type: 'function_call_output', call_id, output: 'ok' }]));
  const input = [{ role: 'user', content: 'hi' }, ...output, ...results];
  return upstreams[fixture.dialect].writeRequest(responsesTurn({ tools: offered.responses, input }));
}
