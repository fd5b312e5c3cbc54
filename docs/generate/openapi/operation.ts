/** Adds to an operation what ts-rest doesn't know: streams, forms, headers, examples, and samples. */
import type { z } from 'zod';
import { operationHeaders } from '../../../contract/headers.ts';
import type { Contract, contract, RouteMetadata } from '../../../contract/index.ts';
import { operationErrors } from '../../../contract/operation-errors.ts';
import { type Example, transcript } from '../examples/example.ts';
import { examples } from '../examples/index.ts';
import type { Components } from './components.ts';
import { errorAnswer, statusesOf } from './errors.ts';
import { formContent } from './form.ts';
import { answerHeaders, headerParameters } from './headers.ts';
import type { CodeSample } from './samples.ts';

export type OperationName = keyof Contract;
type Route = (typeof contract)[OperationName];

interface Parts {
  readonly name: OperationName;
  readonly route: Route;
  readonly components: Components;
}

const shown = (list: Readonly<Record<string, Example>> | undefined) => (list ? { examples: list } : {});

function requestBody({ name, route, components }: Parts) {
  const metadata: RouteMetadata = route.metadata;
  if (!('body' in route) || metadata.hasNoBody) return {};
  const json = { 'application/json': { schema: components.add(route.body), ...shown(examples[name].requests) } };
  const form = metadata.form ? formContent(components.add(metadata.form), examples[name].forms) : {};
  // The form goes first: some generators support only the first content type, and most callers have files.
  return { requestBody: { required: true, content: { ...form, ...json } } };
}

/** Follows OpenAI's own document: the schema describes one event, and the example is the text of a whole stream. */
function streamContent({ name, route, components }: Parts) {
  const { sse, done = false }: RouteMetadata = route.metadata;
  const streams = Object.entries(examples[name].streams ?? {});
  if (!sse) return {};
  const transcripts = streams.map(([key, stream]) => [key, { summary: stream.summary, value: transcript(stream, done) }]);
  return { 'text/event-stream': { schema: components.add(sse), examples: Object.fromEntries(transcripts) } };
}

function answers(parts: Parts) {
  const { name, route, components } = parts;
  const { sse }: RouteMetadata = route.metadata;
  const { sends } = operationHeaders[name];
  const json = { schema: components.add(route.responses[200]), ...shown(examples[name].answers) };
  const description = sse ? 'The response. With `stream`, a stream of events as `text/event-stream`.' : 'The response.';
  const good = { description, headers: answerHeaders(sends, 200), content: { 'application/json': json, ...streamContent(parts) } };
  const codes = operationErrors[name];
  const responses: Readonly<Record<number, z.ZodType>> = route.responses;
  const bad = statusesOf(codes).flatMap((status) => {
    const body = responses[status];
    if (!body) return [];
    return [[status, errorAnswer({ codes, status, schema: components.add(body), headers: answerHeaders(sends, status) })]];
  });
  return { 200: good, ...Object.fromEntries(bad) };
}

/** Describes an operation, except its summary and description. */
export function describeOperation(parts: Parts, samples: readonly CodeSample[]) {
  const { tag, isPublic = false }: RouteMetadata = parts.route.metadata;
  const parameters = headerParameters(parts.components, operationHeaders[parts.name].reads);
  return {
    tags: [tag],
    ...(isPublic && { security: [] }),
    parameters,
    ...requestBody(parts),
    responses: answers(parts),
    'x-codeSamples': samples,
  };
}
