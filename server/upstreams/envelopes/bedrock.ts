/** Claude by InvokeModel of Amazon Bedrock: the model in the path, the version in the body, and streams in AWS's own framing. */
import { invokesModels } from '../../config/clouds/aws.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { type JsonBody, withFields } from '../../dialects/wire/json-body.ts';
import { eventsAsSse } from '../framing/as-sse.ts';
import type { Addressee, Envelope } from './envelope.ts';

/** Null for Mantle and for the OpenAI-shaped addresses, which speak as their vendors do. */
export function bedrockEnvelope(upstream: HttpUpstreamConfig): Envelope | null {
  if (!invokesModels(upstream)) return null;
  return { path, body, accept: 'application/vnd.amazon.eventstream', answer: eventsAsSse };
}

/** An id may be an ARN: its colons and slashes are encoded. */
const path = ({ model, stream }: Addressee): string =>
  `/model/${encodeURIComponent(model)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`;

const body = (written: JsonBody): Buffer =>
  withFields(written, { model: undefined, stream: undefined, anthropic_version: 'bedrock-2023-05-31' }).bytes;
