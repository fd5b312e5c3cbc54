/** The envelope of Azure OpenAI: URLs by deployment and API version. */
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { withFields } from '../../protocols/wire/json-body.ts';
import { type Envelope, getRequestPath, type RequestTarget } from '../envelope.ts';

/** Null for `/openai/v1`, where the body's `model` is the deployment. */
export function createAzureEnvelope({ azure }: HttpUpstreamConfig): Envelope | null {
  const version = azure?.apiVersion;
  if (version === undefined) return null;
  return {
    // Azure stores a chat only on request, and its 2024 API versions reject a body with this field.
    wrapBody: (body) => withFields(body, { store: undefined }).bytes,
    getPath: (request: RequestTarget) =>
      `/deployments/${encodeURIComponent(request.model)}${getRequestPath(request)}?api-version=${version}`,
  };
}
