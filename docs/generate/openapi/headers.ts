/** Writes the contract's headers into a document: components, references, and parameters. */
import { listHeaders, type RequestHeader, type ResponseHeader, requestHeaders, responseHeaders } from '../../../contract/headers.ts';
import type { Components } from './components.ts';

/** Returns the components of the given headers, without duplicates. */
export function headerComponents(components: Components, sent: readonly ResponseHeader[]) {
  const names = [...new Set(sent)];
  return Object.fromEntries(
    names.map((name) => {
      const { description, schema, example } = responseHeaders[name];
      return [name, { description, schema: components.add(schema), example }];
    }),
  );
}

/** Returns references to the headers that a response with this status can have. */
export function answerHeaders(sends: readonly ResponseHeader[], status: number) {
  return Object.fromEntries(listHeaders(sends, status).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers that the document describes elsewhere: the key as its security scheme, the compression with the body. */
const elsewhere: readonly RequestHeader[] = ['authorization', 'content-encoding'];

/** Returns the parameters for headers that callers can send. */
export function headerParameters(components: Components, reads: readonly RequestHeader[]) {
  return reads
    .filter((name) => !elsewhere.includes(name))
    .map((name) => {
      const { description, schema, example } = requestHeaders[name];
      return { name, in: 'header' as const, required: false, description, schema: components.add(schema), example };
    });
}
