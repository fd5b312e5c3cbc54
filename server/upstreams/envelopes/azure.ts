/** Azure's paths with an API version: the deployment is in the path, the version in the query. */
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { withFields } from '../../dialects/wire/json-body.ts';
import { pathOf } from '../path.ts';
import type { Addressee, Envelope } from './envelope.ts';

/** Null for `/openai/v1`, where the deployment is the `model` of the body. */
export function azureEnvelope({ azure }: HttpUpstreamConfig): Envelope | null {
  const version = azure?.apiVersion;
  if (version === undefined) return null;
  return {
    // Azure stores a chat only on request, and versions of 2024 refuse a body with this field.
    body: (body) => withFields(body, { store: undefined }).bytes,
    path: (request: Addressee) => `/deployments/${encodeURIComponent(request.model)}${pathOf(request)}?api-version=${version}`,
  };
}
