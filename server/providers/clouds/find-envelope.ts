/** Finds the envelope of an upstream's cloud, and the URL of a request. */
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { type Envelope, getRequestPath, type RequestTarget } from '../envelope.ts';
import { createAzureEnvelope } from './azure.ts';
import { converseEnvelope, createBedrockEnvelope } from './bedrock.ts';
import { createVertexEnvelope } from './vertex.ts';

/** Null if the dialect's request is sent unchanged. */
export function findEnvelope(upstream: HttpUpstreamConfig): Envelope | null {
  if (upstream.kind === 'converse') return converseEnvelope;
  if (upstream.aws) return createBedrockEnvelope(upstream);
  if (upstream.azure) return createAzureEnvelope(upstream);
  if (upstream.google) return createVertexEnvelope(upstream);
  return null;
}

/** Returns the URL of a request, for the log. It contains no secret, because the configuration rejects URLs with one. */
export const getRequestUrl = (upstream: HttpUpstreamConfig, request: RequestTarget): string =>
  `${upstream.baseUrl}${findEnvelope(upstream)?.getPath(request) ?? getRequestPath(request)}`;
