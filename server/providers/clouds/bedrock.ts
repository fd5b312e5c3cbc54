/** The envelopes of Amazon Bedrock: URLs, bodies, and framed streams. */

import { usesInvokeModel } from '../../config/clouds/aws.ts';
import type { HttpUpstreamConfig } from '../../config/config.ts';
import { type JsonBody, withFields } from '../../protocols/wire/json-body.ts';
import { type Envelope, getRequestPath, type RequestTarget } from '../envelope.ts';
import { AWS_EVENT_STREAM, toSseResponse } from '../sse-response.ts';

/** Null for Mantle and for OpenAI-compatible paths, which use their providers' protocols unchanged. */
export function createBedrockEnvelope(upstream: HttpUpstreamConfig): Envelope | null {
  if (!usesInvokeModel(upstream)) return null;
  return { getPath: getModelPath, wrapBody: createBodyWriter(getBetas(upstream)), ...eventStreamSettings };
}

const eventStreamSettings: Pick<Envelope, 'accept' | 'unwrapResponse'> = { accept: AWS_EVENT_STREAM, unwrapResponse: toSseResponse };

/** The dialect writes the path and body itself. */
export const converseEnvelope: Envelope = { getPath: getRequestPath, ...eventStreamSettings };

/** Encodes the model ID, which may be an ARN with colons and slashes. */
const getModelPath = ({ model, stream }: RequestTarget): string =>
  `/model/${encodeURIComponent(model)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`;

const createBodyWriter = (betas: readonly string[]) => {
  const bedrockFields = {
    model: undefined,
    stream: undefined,
    anthropic_version: 'bedrock-2023-05-31',
    ...(betas.length > 0 && { anthropic_beta: betas }),
  };
  return (body: JsonBody): Buffer => withFields(body, bedrockFields).bytes;
};

/** Returns the beta features from the configured `anthropic-beta` header, because Bedrock reads them only from the body. */
function getBetas({ headers }: HttpUpstreamConfig): readonly string[] {
  const headerValue = Object.entries(headers).find(([name]) => name.toLowerCase() === 'anthropic-beta')?.[1] ?? '';
  return headerValue
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
