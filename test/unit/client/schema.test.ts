/** Structured outputs, checked by any library with the Standard Schema interface. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  type ChatCompletion,
  createParsedCompletion,
  createParsedResponse,
  jsonSchemaOf,
  type ModelResponse,
  ParseError,
  parse,
  type StandardSchema,
} from '../../../client/sdk/src/index.ts';
import { json, openServer } from './server.ts';

const City = z.object({ city: z.string(), people: z.number().min(0) });
/** A schema of no library: only the interface, and asynchronous. */
const Slow: StandardSchema<number> = {
  '~standard': {
    version: 1,
    vendor: 'none',
    validate: async (value) =>
      typeof value === 'number' ? { value: value * 2 } : { issues: [{ message: 'no number', path: [{ key: 'a' }, 0] }] },
  },
};

const response = (text: string): ModelResponse => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  output: [
    { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
  ],
});
const completion = (content: string): ChatCompletion => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
});
const oslo = '{"city":"Oslo","people":709037}';

test.each([
  ['a response', response(oslo)],
  ['a chat completion', completion(oslo)],
  ['a text', oslo],
])('parses %s into the type of the schema', async (_what, answer) => {
  const { city, people }: { city: string; people: number } = await parse(answer, City);
  expect([city, people]).toEqual(['Oslo', 709037]);
});

test('accepts an asynchronous schema that changes the value', async () => {
  expect(await parse('21', Slow)).toBe(42);
  const thrown = await parse('"x"', Slow).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ message: 'What the model wrote does not fit the schema: a.0: no number', text: '"x"' });
});

test("throws a ParseError with the path of every issue if text doesn't fit the schema", async () => {
  const thrown = await parse(response('{"city":1,"people":-1}'), City).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(ParseError);
  expect(thrown).toMatchObject({
    name: 'ParseError',
    text: '{"city":1,"people":-1}',
    message: expect.stringMatching(/city: .*; people: /),
  });
  expect((thrown as ParseError).issues.map(({ path }) => path)).toEqual([['city'], ['people']]);
});

test.each([
  ['I cannot do that.', 'The model did not write JSON: I cannot do that.'],
  ['', 'The model did not write JSON: it wrote no text.'],
  ['{"city":"Os', 'The model did not write JSON: {"city":"Os'],
])("throws a ParseError with the text if it isn't JSON: %o", async (text, message) => {
  await expect(parse(completion(text), City)).rejects.toMatchObject({ name: 'ParseError', message, text, issues: [] });
});

test('sends the strict format of the schema with the rest of the request, and options without the name', async () => {
  const { connect, asked: requests } = await openServer(json(200, response(oslo)), json(200, completion(oslo)));
  const [client, options] = [connect(), { name: 'city', headers: { 'x-team': 'maps' } }];
  const request = { model: 'm', input: 'Name a city.', text: { verbosity: 'low' } } as const;
  expect(await createParsedResponse(client, request, City, options)).toEqual({ parsed: JSON.parse(oslo), response: response(oslo) });
  const chat = { model: 'm', messages: [{ role: 'user' as const, content: 'Name a city.' }] };
  expect(await createParsedCompletion(client, chat, City)).toEqual({ parsed: JSON.parse(oslo), response: completion(oslo) });
  const schema = jsonSchemaOf(City);
  const format = { type: 'json_schema', name: 'city', strict: true, schema };
  const response_format = { type: 'json_schema', json_schema: { name: 'output', strict: true, schema } };
  expect(requests.map(({ body }) => JSON.parse(String(body)))).toEqual([
    { ...request, text: { verbosity: 'low', format }, stream: false },
    { ...chat, response_format, stream: false },
  ]);
  expect(requests[0]?.headers['x-team']).toBe('maps');
});

test('throws a ParseError with the text of a refusal', async () => {
  const { connect } = await openServer(json(200, response('I would rather not.')));
  const parsing = createParsedResponse(connect(), { model: 'm', input: 'Name a city.' }, City);
  await expect(parsing).rejects.toMatchObject({ name: 'ParseError', text: 'I would rather not.' });
});

test('turns a schema into a JSON schema with closed objects at every depth', () => {
  const Deep = z.object({ list: z.array(City), either: z.union([City, z.null()]), properties: z.string().optional() });
  expect(jsonSchemaOf(Deep)).toEqual({
    type: 'object',
    properties: {
      list: { type: 'array', items: expect.objectContaining({ additionalProperties: false, required: ['city', 'people'] }) },
      either: { anyOf: [expect.objectContaining({ additionalProperties: false }), { type: 'null' }] },
      properties: { type: 'string' },
    },
    required: ['list', 'either'],
    additionalProperties: false,
  });
});

test('keeps a record and an open object open', () => {
  expect(jsonSchemaOf(z.record(z.string(), z.number()))).toMatchObject({ additionalProperties: { type: 'number' } });
  expect(jsonSchemaOf(z.looseObject({ a: z.string() }))).toMatchObject({ additionalProperties: {} });
});
