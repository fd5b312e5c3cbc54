/** Vertex AI: the path has the publisher or the endpoint of a model, and Claude's requests have their version in the body. */
import { publisherOf } from '../../config/clouds/google.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { type JsonBody, withFields } from '../../dialects/wire/json-body.ts';
import { pathOf } from '../path.ts';
import type { Addressee, Envelope } from './envelope.ts';

/** Null for the OpenAI-compatible endpoint, where the model is in the body. */
export function vertexEnvelope({ kind }: HttpUpstreamConfig): Envelope | null {
  const publisher = publisherOf(kind);
  if (publisher === undefined) return null;
  return publisher === 'google' ? { path: geminiPath } : { path: claudePath, body: claudeBody };
}

/** Whether the model is a tuned one: its endpoint belongs to the project, not to a publisher. */
const tuned = /^endpoints\/([\w-]+)$/;

function geminiPath(request: Addressee): string {
  const path = pathOf(request);
  const endpoint = tuned.exec(request.model)?.[1];
  // The dialect ends the path with `:` and the method.
  return endpoint === undefined ? `/publishers/google${path}` : `/endpoints/${endpoint}${path.slice(path.lastIndexOf(':'))}`;
}

function claudePath({ model, stream }: Addressee): string {
  // The version of a model follows an at sign, which is not encoded.
  const id = encodeURIComponent(model).replaceAll('%40', '@');
  return `/publishers/anthropic/models/${id}:${stream ? 'streamRawPredict' : 'rawPredict'}`;
}

const claudeBody = (body: JsonBody): Buffer => withFields(body, { model: undefined, anthropic_version: 'vertex-2023-10-16' }).bytes;
