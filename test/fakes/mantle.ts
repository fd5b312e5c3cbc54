/** Imitates Mantle, the host of Amazon Bedrock that speaks the protocols of the vendors: signatures and keys are checked, paths are strict, streams are Server-Sent Events. */
import { anthropicFrames, anthropicMessage } from './anthropic.ts';
import { type BedrockRules, refusalOf } from './bedrock.ts';
import { chatCompletion, chatFrames } from './chat.ts';
import { json, stream } from './delivery.ts';
import type { FakeRequest } from './exchange.ts';
import { response, responseFrames } from './responses.ts';
import type { Script } from './script.ts';

export const mantle =
  (rules: Omit<BedrockRules, 'service'>) =>
  (request: FakeRequest): Script =>
    refusalOf(request, { ...rules, service: 'bedrock-mantle' }) ?? answer(request, rules);

function answer({ method, url, fields, headers }: FakeRequest, { models }: Pick<BedrockRules, 'models'>): Script {
  const serve = served[`${method} ${url}`];
  if (!serve) return json({ error: { message: 'Not Found', type: 'invalid_request_error' } }, { status: 404 });
  const model = String(fields.model);
  if (models && !models.includes(model))
    return json(
      { error: { message: `The model '${model}' does not exist`, type: 'invalid_request_error', code: 'model_not_found' } },
      { status: 404 },
    );
  if (url.startsWith('/anthropic/') && headers['anthropic-version'] !== '2023-06-01')
    return json(
      { type: 'error', error: { type: 'invalid_request_error', message: 'anthropic-version: header is required' } },
      { status: 400 },
    );
  return serve(model, fields.stream === true);
}

const served: Readonly<Record<string, (model: string, streams: boolean) => Script>> = {
  'POST /v1/chat/completions': (model, streams) =>
    streams ? stream(chatFrames({ model, includeUsage: true })) : json(chatCompletion({ model })),
  'POST /v1/responses': (model, streams) => (streams ? stream(responseFrames({ model })) : json(response({ model }))),
  'POST /anthropic/v1/messages': (model, streams) => (streams ? stream(anthropicFrames({ model })) : json(anthropicMessage({ model }))),
};
