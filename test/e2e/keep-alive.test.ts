/** F17: heartbeats while a vendor is silent: comments, and events for Codex, whose idle timer ignores comments. */
import OpenAI from 'openai';
import { afterAll, describe, expect, test } from 'vitest';
import { anthropicFrames } from '../fakes/anthropic.ts';
import { chatFrames } from '../fakes/chat.ts';
import { stream } from '../fakes/delivery.ts';
import { type Frame, frameBytes, type SseEvent } from '../fakes/frames.ts';
import { responseFrames } from '../fakes/responses.ts';
import { type Fake, openFake } from '../fakes/upstream.ts';
import { codexHeaders } from '../harness/codex-request.ts';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { expectBrokenResponses, readChat, readResponses } from '../harness/transcript.ts';

type Kind = 'responses' | 'chat' | 'anthropic';
const text = ['Grüße ', '☕ and ', '🌍.'];
const frames: Readonly<Record<Kind, readonly SseEvent[]>> = {
  responses: responseFrames({ text }),
  chat: chatFrames({ text, includeUsage: true }),
  anthropic: anthropicFrames({ text }),
};
const kinds: readonly Kind[] = ['responses', 'chat', 'anthropic'];

interface Opened {
  readonly fake: Fake;
  readonly gateway: TestGateway;
}
const opened = new Map<Kind, Opened>();
afterAll(async () => {
  for (const { gateway, fake } of opened.values()) {
    await gateway.close();
    await fake.close();
  }
});

/** One vendor of each kind, with a gateway before it, for all tests. */
async function openVendor(kind: Kind): Promise<Opened> {
  const known = opened.get(kind);
  if (known) return known;
  const fake = await openFake();
  const vendor = { kind: kind === 'anthropic' ? kind : 'openai', protocols: [kind], baseUrl: fake.url, apiKey: 'sk-vendor' };
  const both = { fake, gateway: await startGateway({ upstreams: { vendor }, server: { heartbeatMs: 50 } }) };
  opened.set(kind, both);
  return both;
}

const beat = /^event: keepalive\ndata: \{"type":"keepalive","sequence_number":\d+\}\n\n/gm;
const comment = /^: keepalive\n\n/gm;
const count = (transcript: string, what: RegExp) => transcript.match(what)?.length ?? 0;

/** Reads an answer; `hear` gets all that came so far after each chunk. */
async function read(answer: Response, hear: (transcript: string) => void): Promise<string> {
  expect(answer.status).toBe(200);
  let transcript = '';
  for await (const chunk of answer.body ?? []) {
    transcript += Buffer.from(chunk).toString();
    hear(transcript);
  }
  return transcript;
}

/** The number of events before the first silence of the vendor, in the middle of the text. */
const shown: Readonly<Record<Kind, number>> = { responses: 5, chat: 2, anthropic: 4 };

/** A vendor that falls silent in the middle of an event and again after it; `speak` ends the first silence, then the second. */
function silentTwice(kind: Kind) {
  const [within, behind] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const all = frames[kind];
  const cut = frameBytes(all[shown[kind]] ?? {});
  const halves = [{ raw: cut.subarray(0, 20) }, { until: within.promise }, { raw: cut.subarray(20) }];
  const script = [...all.slice(0, shown[kind]), ...halves, { until: behind.promise }, ...all.slice(shown[kind] + 1)];
  const speak = (beats: number) => {
    if (beats >= 2) within.resolve();
    if (beats >= 4) behind.resolve();
  };
  return { script, speak };
}

const ask = { model: 'gpt-5.4', input: 'say hello', stream: true };
const chatAsk = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'say hello' }], stream: true };

describe('F17: Codex', () => {
  const cases = kinds.flatMap((kind) => [true, false].map((store) => [kind, store] as const));

  test.each(cases)('gets heartbeat events over %s (stored: %s) with consecutive numbers, and no comments', async (kind, store) => {
    const { fake, gateway } = await openVendor(kind);
    const { script, speak } = silentTwice(kind);
    fake.next(stream(script));
    const answer = await gateway.call('/responses', { json: { ...ask, store }, headers: codexHeaders });
    const transcript = await read(answer, (heard) => speak(count(heard, beat)));
    expect(count(transcript, beat)).toBeGreaterThanOrEqual(4);
    expect(count(transcript, comment)).toBe(0);
    const { text: said, types, isDone } = readResponses(transcript);
    expect({ said, last: types.at(-1), isDone }).toEqual({ said: text.join(''), last: 'response.completed', isDone: true });
    expect(await gateway.lineOf(answer)).toMatchObject({ end: 'completed', outputTokens: 7 });
  });

  test.each(kinds)('C15: gets the same stream again over %s by its idempotency key, with consecutive numbers', async (kind) => {
    const { fake, gateway } = await openVendor(kind);
    const { script, speak } = silentTwice(kind);
    fake.next(stream(script));
    const order = { json: ask, headers: { ...codexHeaders, 'idempotency-key': 'once' } };
    const heard = await read(await gateway.call('/responses', order), (transcript) => speak(count(transcript, beat)));
    const again = await gateway.call('/responses', order);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const told = await read(again, () => {});
    expect(count(heard, beat)).toBeGreaterThanOrEqual(4);
    const numbers = [...told.matchAll(/"sequence_number":(\d+)/g)].map((match) => Number(match[1]));
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(told).toBe(heard.replaceAll(comment, ''));
  });

  test('C15: gets the whole stream by its idempotency key after it disconnected in a silence, with consecutive numbers', async () => {
    const { fake, gateway } = await openVendor('responses');
    const { promise: silence, resolve: speak } = Promise.withResolvers<void>();
    const before = frames.responses.slice(0, shown.responses);
    const behind = frames.responses.slice(shown.responses);
    fake.next(stream([...before, { until: silence }, ...behind]));
    const headers = { ...codexHeaders, 'idempotency-key': 'left' };
    const leaving = new AbortController();
    const first = await gateway.call('/responses', { json: ask, headers, signal: leaving.signal });
    await read(first, (transcript) => count(transcript, beat) >= 2 && leaving.abort()).catch(() => {});
    speak();
    await gateway.lineOf(first);
    const told = await read(await gateway.call('/responses', { json: ask, headers }), () => {});
    const numbers = [...told.matchAll(/"sequence_number":(\d+)/g)].map((match) => Number(match[1]));
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(count(told, beat)).toBeGreaterThanOrEqual(2);
  });

  test('gets heartbeat events while the provider sends only comments', async () => {
    const { fake, gateway } = await openVendor('responses');
    const drip = Array.from({ length: 80 }, () => ({ comment: ' vendor is thinking' }));
    fake.next(stream([...frames.responses.slice(0, shown.responses), ...drip, ...frames.responses.slice(shown.responses)], { gapMs: 10 }));
    const answer = await gateway.call('/responses', { json: ask, headers: codexHeaders });
    const transcript = await read(answer, () => {});
    expect(count(transcript, beat)).toBeGreaterThanOrEqual(2);
    expect(readResponses(transcript).text).toBe(text.join(''));
  });

  test('gets a failure with the number after that of the last heartbeat', async () => {
    for (const kind of kinds) {
      const { fake, gateway } = await openVendor(kind);
      const { promise, resolve } = Promise.withResolvers<void>();
      fake.next(stream([...frames[kind].slice(0, shown[kind]), { until: promise }], { ending: 'cut' }));
      const answer = await gateway.call('/responses', { json: ask, headers: codexHeaders });
      const transcript = await read(answer, (heard) => count(heard, beat) >= 2 && resolve());
      expectBrokenResponses(transcript);
    }
  });

  test('gets no heartbeat event before response.created, only a comment', async () => {
    const openings: readonly (readonly [Kind, readonly Frame[], RegExp])[] = [
      [
        'responses',
        frames.responses.slice(0, 2),
        /^event: response\.created\n.*\n\nevent: response\.in_progress\n.*\n\nevent: keepalive\n.*":2\}\n\n/,
      ],
      ['chat', [{ comment: ' thinking' }], /^: keepalive\n\n/],
    ];
    await Promise.all(
      openings.map(async ([kind, opening, expected]) => {
        const { fake, gateway } = await openVendor(kind);
        const { promise, resolve } = Promise.withResolvers<void>();
        fake.next(stream([...opening, { until: promise }, ...frames[kind].slice(kind === 'responses' ? 2 : 0)]));
        const answer = await gateway.call('/responses', { json: ask, headers: codexHeaders });
        let opened = '';
        const transcript = await read(answer, (heard) => {
          if (!/keepalive/.test(heard)) return;
          opened ||= heard;
          resolve();
        });
        expect(transcript).toMatch(expected);
        // What comes with the first heartbeat has none from the two seconds in which the first events were held back: that would be forty.
        expect(count(opened, /keepalive\n\n|event: keepalive\n/g)).toBeLessThan(30);
        expect(readResponses(transcript).text).toBe(text.join(''));
      }),
    );
  });
});

describe('F17: other clients', () => {
  const others: readonly (readonly [string, Record<string, string>])[] = [
    ['a client without a name', {}],
    ['a client of another name', { 'user-agent': 'OpenAI/JS 7.55.0', originator: 'codexample' }],
  ];

  test.each(kinds.flatMap((kind) => others.map(([name, headers]) => [name, kind, headers] as const)))(
    'sends %s over %s comments and no heartbeat events',
    async (_name, kind, headers) => {
      const { fake, gateway } = await openVendor(kind);
      const { script, speak } = silentTwice(kind);
      fake.next(stream(script));
      const answer = await gateway.call('/responses', { json: ask, headers });
      const transcript = await read(answer, (heard) => speak(count(heard, comment)));
      expect(count(transcript, comment)).toBeGreaterThanOrEqual(4);
      expect(transcript).not.toContain('event: keepalive');
      expect(readResponses(transcript).text).toBe(text.join(''));
    },
  );

  test('sends comments on a chat call, also to Codex', async () => {
    const { fake, gateway } = await openVendor('anthropic');
    const { script, speak } = silentTwice('anthropic');
    fake.next(stream(script));
    const answer = await gateway.call('/chat/completions', { json: chatAsk, headers: codexHeaders });
    const transcript = await read(answer, (heard) => speak(count(heard, comment)));
    expect(readChat(transcript)).toMatchObject({ text: text.join(''), isDone: true });
  });

  test('sends comments while the provider sends only pings', async () => {
    const { fake, gateway } = await openVendor('anthropic');
    const pings = Array.from({ length: 80 }, () => ({ event: 'ping', data: { type: 'ping' } }));
    fake.next(stream([...frames.anthropic.slice(0, shown.anthropic), ...pings, ...frames.anthropic.slice(shown.anthropic)], { gapMs: 10 }));
    const transcript = await read(await gateway.call('/responses', { json: ask }), () => {});
    expect(count(transcript, comment)).toBeGreaterThanOrEqual(2);
    expect(readResponses(transcript).text).toBe(text.join(''));
  });
});

test.each(kinds)('sends a stream with heartbeats over %s that the OpenAI SDK reads to its end', async (kind) => {
  const { fake, gateway } = await openVendor(kind);
  const { script, speak } = silentTwice(kind);
  fake.next(stream(script));
  let heard = '';
  const listen: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const [own, theirs] = answer.body?.tee() ?? [];
    void (async () => {
      for await (const chunk of own ?? []) {
        heard += Buffer.from(chunk).toString();
        speak(count(heard, comment));
      }
    })();
    return new Response(theirs ?? null, answer);
  };
  const client = new OpenAI({ baseURL: gateway.baseURL, apiKey: gateway.key, fetch: listen });
  const final = await client.responses.stream({ model: 'gpt-5.4', input: 'say hello' }).finalResponse();
  expect(final.output_text).toBe(text.join(''));
  expect(count(heard, comment)).toBeGreaterThanOrEqual(4);
});
