/** The shortest chat request that makes a vendor answer, to see whether it works. */
import { type JsonBody, jsonBody } from '../wire/json-body.ts';

/** OpenAI takes no fewer in the responses protocol; elsewhere one token is enough. */
const LEAST_RESPONSE_TOKENS = 16;

/** `protocols`: those of the upstream, into which the request may be translated. */
export function shortestRequest(model: string, protocols: readonly string[]): JsonBody {
  const isOnlyResponses = protocols.includes('responses') && !protocols.includes('chat');
  const tokens = isOnlyResponses ? LEAST_RESPONSE_TOKENS : 1;
  return jsonBody({ model, messages: [{ role: 'user', content: 'Say ok.' }], max_completion_tokens: tokens });
}
