/** Recorded requests, written for each kind of upstream: the result is recorded under the same name, or the request is rejected. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import type { CanonicalRequest } from '../../../server/protocols/canonical/canonical-request.ts';
import { type Dialect, dialects, type Fixture, fixturesOf } from '../../fixtures/files.ts';
import { type Caller, callers, upstreams } from './fixture-answers.ts';
import { refusalOf } from './upstream-reading.ts';

type Json = Readonly<Record<string, unknown>>;
const contracts = { chat: ChatCompletionRequest, responses: ResponseRequest } as const;
const models: Readonly<Record<Dialect, string>> = {
  chat: 'gpt-5.4',
  responses: 'gpt-5.4',
  anthropic: 'claude-opus-5',
  gemini: 'gemini-3.5-flash',
};
/** The field of each refusal, by upstream and name, for both callers or for each one. */
const rejected: Readonly<Record<Dialect, Readonly<Record<string, string | Readonly<Record<Caller, string>>>>>> = JSON.parse(
  readFileSync(new URL('../../fixtures/turn/rejected.json', import.meta.url), 'utf8'),
);

const read = (caller: Caller, body: Json, upstream: Dialect): CanonicalRequest =>
  callers[caller].readRequest({ ...contracts[caller].parse(body) }, models[upstream]);

/** A turn without paths, and without the hints that the gateway handles itself. */
function meaning({ caller: _caller, hints, ...turn }: CanonicalRequest): Json {
  const { store: _store, include: _include, stream_options: _options, ...kept } = hints;
  return JSON.parse(JSON.stringify({ ...turn, hints: kept }, (key, value) => (key === 'path' ? undefined : value)));
}

const isSent = ({ path }: Fixture): boolean => path.endsWith('.sent.json');

/** The expected request. A `.sent` file has it where it differs from the request of a caller of that protocol. */
function expectedAt(upstream: Dialect, { path, shown }: Fixture): Fixture | undefined {
  const found = fixturesOf(upstream, 'requests').filter((fixture) => fixture.shown === shown);
  return found.find((fixture) => fixture.path === path && isSent(fixture)) ?? found.find(isSent) ?? found[0];
}

const asked = (['chat', 'responses'] as const).flatMap((caller) =>
  fixturesOf(caller, 'requests').map((fixture) => ({ caller, fixture, path: fixture.path })),
);
const ways = dialects.flatMap((upstream) =>
  asked
    .filter(({ caller, fixture }) => upstream === caller || !isSent(fixture))
    .map((each) => ({ ...each, upstream, sent: expectedAt(upstream, each.fixture) })),
);
const served = ways.flatMap(({ sent, ...way }) => (sent ? [{ ...way, sent }] : []));
const unserved = ways.filter(({ sent }) => !sent);

describe('the gateway', () => {
  test.each(served)('sends $path to $upstream as it is recorded there', ({ caller, fixture, upstream, sent }) => {
    const written: Json = JSON.parse(JSON.stringify(upstreams[upstream].writeRequest(read(caller, JSON.parse(fixture.text), upstream))));
    if (upstream === 'anthropic' || upstream === 'gemini') return expect(written).toEqual(JSON.parse(sent.text));
    expect(meaning(read(upstream, written, upstream))).toEqual(meaning(read(upstream, JSON.parse(sent.text), upstream)));
  });
});

describe('the gateway', () => {
  test.each(unserved)('rejects $path for $upstream with the caller’s name of the field', ({ caller, fixture, upstream }) => {
    const field = rejected[upstream][fixture.shown];
    const act = () => upstreams[upstream].writeRequest(read(caller, JSON.parse(fixture.text), upstream));
    expect(refusalOf(act)).toBe(`unsupported_parameter ${typeof field === 'string' ? field : field?.[caller]}`);
  });
});

test('reads the same turn from requests of the same name in both protocols', () => {
  const written = (caller: Caller) => fixturesOf(caller, 'requests').filter((fixture) => !isSent(fixture));
  const inBoth = written('chat').flatMap((one) =>
    written('responses').flatMap((other) => (one.shown === other.shown ? [{ one, other }] : [])),
  );
  expect(inBoth.length).toBeGreaterThan(10);
  for (const { one, other } of inBoth) {
    const [chat, responses] = [read('chat', JSON.parse(one.text), 'chat'), read('responses', JSON.parse(other.text), 'chat')];
    expect(meaning(chat), one.shown).toEqual(meaning(responses));
  }
});

test('covers each recorded request of Anthropic and Gemini with one of a caller', () => {
  const names = new Set(asked.map(({ fixture }) => fixture.shown));
  for (const upstream of ['anthropic', 'gemini'] as const) {
    for (const { path, shown } of fixturesOf(upstream, 'requests')) expect(names, path).toContain(shown);
  }
});
