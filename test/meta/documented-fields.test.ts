/** What the document says of upstreams is what they are sent: each sentence about a kind of upstream is tried with a body. */
import { describe, expect, test } from 'vitest';
import { ChatCompletionRequest } from '../../contract/chat.ts';
import { ResponseRequest } from '../../contract/responses.ts';
import { isObject } from '../../docs/openapi/json-schema.ts';
import { buildDocument } from '../../docs/openapi.ts';
import { jsonBody } from '../../server/dialects/wire/json-body.ts';
import { GatewayError } from '../../server/errors.ts';
import { openTranscoder } from '../../server/request/transcoder.ts';
import { placeAt } from '../unit/request/places.ts';
import { chatRows } from './documented-fields/chat-rows.ts';
import { responseRows } from './documented-fields/response-rows.ts';
import { type Fate, type Kind, kinds, type Row } from './documented-fields/row.ts';

const { schemas } = buildDocument().components;

/** Every text below a value of the document. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  const own = typeof value.description === 'string' ? [value.description] : [];
  return [...own, ...Object.values(value).flatMap(textsIn)];
}

/** All that is said at a place, in the shapes without a name below it too. */
function textAt(at: string): string {
  const steps = at.split('.').flatMap((name, index) => (index === 0 ? [name] : ['properties', name]));
  const found = steps.reduce<unknown>((value, step) => (isObject(value) ? value[step] : undefined), JSON.parse(JSON.stringify(schemas)));
  if (!isObject(found)) throw new Error(`There is no ${at} in the document.`);
  return JSON.stringify(found);
}

const hello = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'hello' }] },
  responses: { model: 'm', input: 'hello' },
} as const;

type Caller = keyof typeof hello;

/** The bytes that an upstream of this kind would get; null where the call is refused. */
function sentTo(kind: Kind, caller: Caller, { body }: Row): string | null {
  const value = { ...hello[caller], ...body };
  (caller === 'chat' ? ChatCompletionRequest : ResponseRequest).parse(value);
  const model = placeAt('u', { protocols: [kind], fields: { allow: [], deny: [] }, quirks: undefined });
  const operation = caller === 'chat' ? 'createChatCompletion' : 'createResponse';
  const head = () => ({ id: 'a', createdAt: 0, model: 'm', request: value, newId: (prefix: string) => prefix, now: () => 0 });
  try {
    const { body: sent } = openTranscoder({ operation, body: jsonBody(value) }, model, head);
    if (sent.kind !== 'json') throw new Error('A text call went out as a form.');
    return sent.bytes.toString();
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.status === 400) return null;
    throw thrown;
  }
}

function fateOf(sent: string | null, { mark }: Row, promised: Fate): Fate {
  if (sent === null) return 'refused';
  if (typeof promised !== 'string') return promised.filter((text) => sent.includes(text) && !sent.includes(mark));
  return sent.includes(mark) ? 'sent' : 'left out';
}

describe.each([
  { caller: 'chat', rows: chatRows },
  { caller: 'responses', rows: responseRows },
] as const)('over each kind of upstream, of a call of $caller', ({ caller, rows }) => {
  test.each(rows)('$at: $says', (row) => {
    expect(textAt(row.at)).toContain(row.says);
    expect(kinds.map((kind, index) => fateOf(sentTo(kind, caller, row), row, row.fates[index] ?? 'sent'))).toEqual(row.fates);
  });
});

const ofUpstreams = /Anthropic|Gemini|[Cc]hat upstreams|speaks? (chat|responses)|responses upstream|served over/;

test('no sentence about a kind of upstream goes untried', () => {
  const texts = [...new Set(textsIn(schemas).filter((text) => ofUpstreams.test(text)))];
  expect(texts.length).toBeGreaterThan(50);
  expect(texts.filter((text) => ![...chatRows, ...responseRows].some(({ says }) => text.includes(says)))).toEqual([]);
});
