/** Defines the envelope of a request: what a cloud changes in its path, its body, and its stream. */

import type { JsonBody } from '../protocols/wire/json-body.ts';
import type { Operation, UpstreamRequest, UpstreamResponse } from './upstream.ts';

const paths: Readonly<Record<Operation, string>> = {
  createChatCompletion: '/chat/completions',
  createResponse: '/responses',
  generateImages: '/images/generations',
  editImages: '/images/edits',
};
/** Returns the path of a request, appended to the path of the base URL. */
export const getRequestPath = ({ operation, path }: Pick<UpstreamRequest, 'operation' | 'path'>): string => path ?? paths[operation];
/** The values that a path depends on. */
export type RequestTarget = Pick<UpstreamRequest, 'operation' | 'path' | 'model' | 'stream'>;

export interface Envelope {
  /** Returns the path below the base URL, with a query if the cloud needs one. */
  getPath(request: RequestTarget): string;
  /** Changes the body for the cloud. If omitted, the body is sent as the dialect wrote it. */
  wrapBody?(body: JsonBody): Buffer;
  /** The `accept` header of a stream. Defaults to `text/event-stream`. */
  readonly accept?: string;
  /** Converts the response for the dialect. If omitted, the dialect reads it unchanged. */
  unwrapResponse?(answer: UpstreamResponse): UpstreamResponse;
}
