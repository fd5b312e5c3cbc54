/** Quirks of chat providers: each has the same effect on a forwarded chat request and on a translated Responses request. */
import { describe, expect, test } from 'vitest';
import { type ChatQuirks, createQuirkDialect, createQuirkRelay, findFieldsDroppedByQuirks } from '../../../server/protocols/chat/quirks.ts';
import { createJsonBody } from '../../../server/protocols/wire/json-body.ts';
import { type Json, readRows } from '../../fixtures/rows.ts';
import { readStream, refusalOf, responsesTurn } from './upstream-reading.ts';

type Some = Partial<ChatQuirks>;
interface Row {
  readonly title: string;
  readonly quirks: Some;
  readonly caller: 'chat' | 'responses';
  /** Without `model`; without messages or input it says `hi`. */
  readonly body: Json;
  /** Without `model`, and without those messages. */
  readonly sent?: Json;
  readonly rejected?: string;
}

const plain: ChatQuirks = {
  maxTokensField: 'max_completion_tokens',
  seedField: 'seed',
  developerRole: true,
  streamUsage: true,
  structuredOutput: 'schema',
  parallelToolCalls: true,
  strictTools: true,
  reasoningEffort: 'send',
  sendReasoningBack: false,
  reasoningObject: false,
  thinkingParts: false,
  hints: true,
  unsupported: [],
};
const hello = [{ role: 'user', content: 'hi' }];

const write = {
  chat(quirks: ChatQuirks, body: Json): Json {
    const sent = createQuirkRelay(quirks).writeRequest(createJsonBody({ model: 'm', messages: hello, ...body }), { model: 'm' });
    const read: Json = JSON.parse(sent.bytes.toString());
    expect(read).toEqual(JSON.parse(JSON.stringify(sent.value)));
    return read;
  },
  responses: (quirks: ChatQuirks, body: Json): Json => createQuirkDialect(quirks).writeRequest(responsesTurn(body)),
};

function send({ quirks, caller, body }: Row): Json {
  const { model: _, messages, ...rest } = write[caller]({ ...plain, ...quirks }, body);
  return JSON.stringify(messages) === JSON.stringify(hello) ? rest : { messages, ...rest };
}

describe('a gateway with a quirk', () => {
  test.each(readRows<Row>('quirks'))('applies $quirks for a $caller caller: $title', (row) => {
    if (row.rejected === undefined) return expect(send(row)).toEqual(row.sent);
    expect(refusalOf(() => send(row))).toBe(row.rejected);
    expect(refusalOf(() => send({ ...row, quirks: {} }))).toBe('accepted');
  });

  test('changes the bytes of a chat request only where a quirk needs it', () => {
    const text = '{ "model":"m",  "temperature": 1.50, "max_tokens":5, "messages":[{"role":"user","content":"\\u00fc"}] }';
    const given = { kind: 'json', value: JSON.parse(text), bytes: Buffer.from(text) } as const;
    const sentBytes = (quirks: Some) =>
      createQuirkRelay({ ...plain, ...quirks })
        .writeRequest(given, { model: 'm' })
        .bytes.toString();
    expect(sentBytes({ maxTokensField: 'max_tokens' })).toBe(text);
    expect(sentBytes({})).toBe(`{"max_completion_tokens":5,${text.slice(1).replace('"max_tokens":5, ', '')}`);
  });

  test('reads reasoning from the field of the provider', () => {
    const read = (quirks: Some, said: Json) => {
      const dialect = createQuirkDialect({ ...plain, ...quirks });
      const [delta, message] = [{ delta: said }, { message: said }].map((one) => ({
        choices: [{ index: 0, ...one, finish_reason: 'stop' }],
      }));
      const all = [readStream(dialect, responsesTurn(), [[delta ?? {}, null]]), dialect.readResponse(message ?? {}, responsesTurn())];
      return all.map((events) => events.flatMap((event) => (event.kind === 'reasoning' ? [event.text] : [])).join());
    };
    expect(read({ reasoningField: 'thoughts' }, { thoughts: 'Hm.', content: 'Hi' })).toEqual(['Hm.', 'Hm.']);
    expect(read({}, { thoughts: 'Hm.', content: 'Hi' })).toEqual(['', '']);
    expect(read({}, { reasoning: 'Hm.', content: 'Hi' })).toEqual(['Hm.', 'Hm.']);
  });

  test.each<[Some, Json, readonly string[]]>([
    [{ reasoningEffort: 'ignore' }, { reasoning_effort: 'low' }, ['reasoning_effort']],
    [{ reasoningEffort: 'ignore' }, { reasoning: { effort: 'low' } }, ['reasoning']],
    [{ reasoningEffort: 'ignore' }, { reasoning_effort: null }, []],
    [{ reasoningEffort: 'ignore' }, { reasoning_effort: 'none' }, []],
    [{ reasoningEffort: 'ignore' }, { reasoning: { summary: 'auto' } }, []],
    [{}, { reasoning_effort: 'low', user: 'u' }, []],
    [{ hints: false }, { user: 'u', prompt_cache_key: 'k', text: { verbosity: 'low' } }, ['user', 'prompt_cache_key', 'text.verbosity']],
    [{ hints: ['prompt_cache_key', 'verbosity'] }, { user: 'u', prompt_cache_key: 'k', text: { verbosity: 'low' } }, ['user']],
  ])('reports the fields that it omits: %j of %j', (quirks, body, dropped) => {
    expect(findFieldsDroppedByQuirks(body, { ...plain, ...quirks })).toEqual(dropped);
  });
});
