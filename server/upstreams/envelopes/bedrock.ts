/** Models in Amazon Bedrock: streams have AWS's framing, and Claude by InvokeModel has its model in the path and its version in the body. */
import { invokesModels } from '../../config/clouds/aws.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { type JsonBody, withFields } from '../../dialects/wire/json-body.ts';
import { eventsAsSse } from '../framing/as-sse.ts';
import { pathOf } from '../path.ts';
import type { Addressee, Envelope } from './envelope.ts';

/** Null for Mantle and for the OpenAI-compatible paths, which use the protocols of their vendors unchanged. */
export function bedrockEnvelope(upstream: HttpUpstreamConfig): Envelope | null {
  if (!invokesModels(upstream)) return null;
  return { path, body: bodyWith(betasOf(upstream)), ...framed };
}

const framed = { accept: 'application/vnd.amazon.eventstream', answer: eventsAsSse } as const;

/** The dialect writes path and body itself. */
export const converseEnvelope: Envelope = { path: pathOf, ...framed };

/** Encodes the model's id, which may be an ARN with colons and slashes. */
const path = ({ model, stream }: Addressee): string =>
  `/model/${encodeURIComponent(model)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`;

const bodyWith = (betas: readonly string[]) => {
  const own = {
    model: undefined,
    stream: undefined,
    anthropic_version: 'bedrock-2023-05-31',
    ...(betas.length > 0 && { anthropic_beta: betas }),
  };
  return (written: JsonBody): Buffer => withFields(written, own).bytes;
};

/** The beta features of the header `anthropic-beta` in the configuration: Bedrock reads them from the body alone. */
function betasOf({ headers }: HttpUpstreamConfig): readonly string[] {
  const written = Object.entries(headers).find(([name]) => name.toLowerCase() === 'anthropic-beta')?.[1] ?? '';
  return written
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
