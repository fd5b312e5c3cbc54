/** The OpenAPI document is complete, with examples that fit their schemas. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { contract, type RouteMetadata } from '../../contract/index.ts';
import { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { buildDocument } from '../../docs/generate/openapi.ts';
import { buildTwin } from '../../docs/generate/openapi-3.2.ts';

interface Example {
  readonly value: unknown;
}
interface MediaType {
  readonly schema: unknown;
  readonly examples?: Readonly<Record<string, Example & { readonly $ref?: string }>>;
}
type Content = Readonly<Record<string, MediaType>>;
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly headers: object; readonly content: Content }>>;
}

// The document is built as plain data; this is the part of OpenAPI's own shape that the tests read.
const document = JSON.parse(JSON.stringify(buildDocument())) as ReturnType<typeof buildDocument>;
// The keys of an object are those of its type.
const operations = (Object.keys(contract) as (keyof typeof contract)[]).map((name) => {
  const route = contract[name];
  const path = document.paths[route.path.replace(/:(\w+)/g, '{$1}')] as Record<string, Operation>;
  return { name, route, metadata: route.metadata as RouteMetadata, operation: path[route.method.toLowerCase()] as Operation };
});
const streaming = operations.filter(({ metadata }) => metadata.sse !== undefined);

const valuesOf = (media: MediaType | undefined) => Object.values(media?.examples ?? {}).map(({ value }) => value);

/** Reads a transcript as a client would: frames with their names and data. */
function readFrames(text: unknown): { name: string | undefined; data: string }[] {
  if (typeof text !== 'string') throw new Error('A transcript is the text of a stream.');
  const frames = text.split('\n\n');
  expect(frames.pop()).toBe('');
  return frames.map((frame) => {
    const lines = frame.split('\n');
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    return { name: field('event'), data: field('data') ?? '' };
  });
}

describe('a reader of the document', () => {
  it('finds a target for every reference', () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    // The kind of component is one of the four that the document has; anything else is undefined and fails below.
    const components = document.components as unknown as Record<string, Record<string, unknown>>;
    expect(refs.length).toBeGreaterThan(100);
    expect(refs.filter(([, kind = '', name = '']) => components[kind]?.[name] === undefined)).toEqual([]);
  });

  it('sees the bearer key on every operation but the public ones', () => {
    expect(document.security).toEqual([{ apiKey: [] }]);
    const open = operations.filter(({ operation }) => operation.security?.length === 0);
    expect(open.map(({ name }) => name)).toEqual(operations.flatMap(({ name, metadata }) => (metadata.isPublic ? [name] : [])));
    expect(open.flatMap(({ operation }) => Object.keys(operation.responses))).not.toEqual(expect.arrayContaining(['401']));
    expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' });
  });

  it('finds retry-after on 429 and 503', () => {
    for (const { operation } of operations.filter(({ metadata }) => !metadata.isPublic)) {
      expect(operation.responses[429]?.headers).toHaveProperty('retry-after');
      expect(operation.responses[503]?.headers).toHaveProperty('retry-after');
    }
  });
});

describe('the document', () => {
  it.each(operations.filter(({ route, metadata }) => 'body' in route && !metadata.hasNoBody))(
    'contains a request of $name that fits the contract',
    ({ route, operation }) => {
      // The filter above leaves routes with a body.
      const body = (route as unknown as { body: z.ZodType }).body;
      const examples = valuesOf(operation.requestBody?.content['application/json']);
      expect(examples.length).toBeGreaterThan(2);
      for (const example of examples) expect(body.safeParse(example).error).toBeUndefined();
    },
  );

  it.each(operations)('contains a response of $name that fits the contract', ({ route, operation }) => {
    const examples = valuesOf(operation.responses[200]?.content['application/json']);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(route.responses[200].safeParse(example).error).toBeUndefined();
  });

  it.each(streaming)('contains a stream of $name that fits the contract, and ends as its protocol does', ({ metadata, operation }) => {
    const transcripts = valuesOf(operation.responses[200]?.content['text/event-stream']);
    expect(transcripts.length).toBeGreaterThan(0);
    for (const transcript of transcripts) {
      const frames = readFrames(transcript);
      const isDone = frames.at(-1)?.data === '[DONE]';
      const events = (isDone ? frames.slice(0, -1) : frames).map(({ name, data }) => ({ name, event: JSON.parse(data) }));
      for (const { name, event } of events) {
        const isError = 'error' in event && name === undefined;
        expect((isError ? ErrorBody : metadata.sse)?.safeParse(event).error).toBeUndefined();
        expect(name).toBe(event.type);
      }
      const isCut = metadata.tag === 'Chat' && 'error' in (events.at(-1)?.event ?? {});
      expect(isDone).toBe(metadata.done === true && !isCut);
    }
  });

  it('numbers a responses stream from 0 without gaps, with deltas that make up the last event', () => {
    const transcripts = valuesOf(
      operations.find(({ name }) => name === 'createResponse')?.operation.responses[200]?.content['text/event-stream'],
    );
    for (const transcript of transcripts) {
      const events = readFrames(transcript)
        .slice(0, -1)
        .map(({ data }) => JSON.parse(data));
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
      const pieces = events.filter(({ type }) => type.endsWith('.delta')).map(({ delta }) => delta);
      const [item] = events.at(-1).response.output;
      expect(pieces.join('')).toBe(item.arguments ?? item.content[0].text);
    }
  });
});

describe('an uploader', () => {
  it('sees the form of an edit before its JSON, with `image` as a required array of files, and only simple field names', () => {
    const form = document.components.schemas.ImageEditForm;
    expect(form?.required).toContain('image');
    const { properties } = form as { properties: Record<string, unknown> };
    expect(properties.image).toMatchObject({ type: 'array', minItems: 1, description: expect.stringContaining('image[]') });
    expect(Object.keys(properties).filter((name) => !/^[a-z]\w*$/.test(name))).toEqual([]);
    expect(Object.keys(operations.find(({ name }) => name === 'editImages')?.operation.requestBody?.content ?? {})).toEqual([
      'multipart/form-data',
      'application/json',
    ]);
  });
});

describe('a reader of the document in OpenAPI 3.2', () => {
  const twin = JSON.parse(JSON.stringify(buildTwin()));
  const streamsIn = ({ paths }: { paths: object }) =>
    streaming.map(({ name, route }) => {
      // Both documents have the operations of the contract; the types of their paths are plain data.
      const methods = (paths as Record<string, Record<string, { responses: Record<string, { content: Record<string, unknown> }> }>>)[
        route.path.replace(/:(\w+)/g, '{$1}')
      ];
      const content = methods?.[route.method.toLowerCase()]?.responses[200]?.content ?? {};
      return { name, content, stream: content['text/event-stream'] as { itemSchema?: object; examples: Record<string, object> } };
    });

  it('finds the same document, apart from its version and its streams', () => {
    const copy = structuredClone(document);
    for (const { content } of [...streamsIn(copy), ...streamsIn(twin)]) delete content['text/event-stream'];
    expect(twin).toEqual({ ...copy, openapi: '3.2.0' });
  });

  const { components } = document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  it.each(streamsIn(JSON.parse(JSON.stringify(buildTwin()))))('gets the schema of each event of a stream of $name', ({ name, stream }) => {
    const item = ajv.compile({ ...stream.itemSchema, components });
    const { data } = (stream.itemSchema as { properties: { data: { contentMediaType: string; contentSchema: object } } }).properties;
    expect(data.contentMediaType).toBe('application/json');
    const json = ajv.compile({ ...data.contentSchema, components });
    const transcripts = Object.values(stream.examples).map((example) => ('serializedValue' in example ? example.serializedValue : ''));
    const frames = transcripts.flatMap(readFrames).map(({ name: event, data }) => ({ ...(event !== undefined && { event }), data }));
    expect(frames.length).toBeGreaterThan(1);
    for (const frame of frames) expect(item(frame), JSON.stringify(frame)).toBe(true);
    const isJson = ({ data }: { data: string }) => data !== '[DONE]' && !data.startsWith('{"error"');
    for (const { data } of frames.filter(isJson)) expect(json(JSON.parse(data)), data).toBe(true);
    expect(item({ event: 'ping', data: '{}' })).toBe(name === 'createChatCompletion');
  });
});

it('lists tools, response_format and max_completion_tokens among the first twelve chat fields', () => {
  const schemas: Readonly<Record<string, { readonly properties?: object }>> = document.components.schemas;
  expect(Object.keys(schemas.ChatCompletionRequest?.properties ?? {}).slice(0, 12)).toEqual(
    expect.arrayContaining(['tools', 'response_format', 'max_completion_tokens']),
  );
});
