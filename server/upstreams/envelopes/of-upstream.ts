/** The envelope of each upstream, by its place. */
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { pathOf } from '../path.ts';
import { azureEnvelope } from './azure.ts';
import { bedrockEnvelope, converseEnvelope } from './bedrock.ts';
import type { Addressee, Envelope } from './envelope.ts';
import { vertexEnvelope } from './vertex.ts';

/** Null where the dialect is sent as it is. */
export function envelopeOf(upstream: HttpUpstreamConfig): Envelope | null {
  if (upstream.kind === 'converse') return converseEnvelope;
  if (upstream.aws) return bedrockEnvelope(upstream);
  if (upstream.azure) return azureEnvelope(upstream);
  if (upstream.google) return vertexEnvelope(upstream);
  return null;
}

/** The address of a request, for the log: it holds no secret, since the configuration refuses addresses with one. */
export const addressOf = (upstream: HttpUpstreamConfig, request: Addressee): string =>
  `${upstream.baseUrl}${envelopeOf(upstream)?.path(request) ?? pathOf(request)}`;
