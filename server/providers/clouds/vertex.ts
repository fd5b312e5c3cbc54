/** The envelope of Vertex AI: URLs and bodies, for Gemini and for Claude. */

import { findPublisher } from '../../config/clouds/google.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { type JsonBody, withFields } from '../../protocols/wire/json-body.ts';
import { type Envelope, getRequestPath, type RequestTarget } from '../envelope.ts';

/** Null for the OpenAI-compatible endpoint, where the body contains the model. */
export function createVertexEnvelope({ kind }: HttpUpstreamConfig): Envelope | null {
  const publisher = findPublisher(kind);
  if (publisher === undefined) return null;
  return publisher === 'google' ? { getPath: getGeminiPath } : { getPath: getClaudePath, wrapBody: writeClaudeBody };
}

/** Matches a tuned model, whose endpoint belongs to the project, not to a publisher. */
const tunedModelPattern = /^endpoints\/([\w-]+)$/;

function getGeminiPath(request: RequestTarget): string {
  const path = getRequestPath(request);
  const endpoint = tunedModelPattern.exec(request.model)?.[1];
  // The dialect's path ends with `:` and the method.
  return endpoint === undefined ? `/publishers/google${path}` : `/endpoints/${endpoint}${path.slice(path.lastIndexOf(':'))}`;
}

function getClaudePath({ model, stream }: RequestTarget): string {
  // A model version follows an at sign, which must not be encoded.
  const id = encodeURIComponent(model).replaceAll('%40', '@');
  return `/publishers/anthropic/models/${id}:${stream ? 'streamRawPredict' : 'rawPredict'}`;
}

const writeClaudeBody = (body: JsonBody): Buffer => withFields(body, { model: undefined, anthropic_version: 'vertex-2023-10-16' }).bytes;
