/** The headers of the contract as a document shows them: components, references to them, and parameters. */
import { headersOn, type RequestHeader, type ResponseHeader, requestHeaders, responseHeaders } from '../../../contract/headers.ts';
import type { Components } from './components.ts';

/** Those that the operations of a document send, each once. */
export function headerComponents(components: Components, sent: readonly ResponseHeader[]) {
  const names = [...new Set(sent)];
  return Object.fromEntries(
    names.map((name) => {
      const { description, schema, example } = responseHeaders[name];
      return [name, { description, schema: components.add(schema), example }];
    }),
  );
}

/** References to the headers that a response with this status can carry. */
export function answerHeaders(sends: readonly ResponseHeader[], status: number) {
  return Object.fromEntries(headersOn(sends, status).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Described elsewhere in a document: the key as its security, the compression with the body. */
const elsewhere: readonly RequestHeader[] = ['authorization', 'content-encoding'];

/** The headers that a caller can send, as parameters. */
export function headerParameters(components: Components, reads: readonly RequestHeader[]) {
  return reads
    .filter((name) => !elsewhere.includes(name))
    .map((name) => {
      const { description, schema, example } = requestHeaders[name];
      return { name, in: 'header' as const, required: false, description, schema: components.add(schema), example };
    });
}
