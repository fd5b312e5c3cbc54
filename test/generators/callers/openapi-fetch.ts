/** What a program does with openapi-fetch and the types of openapi-typescript: the five calls and an error, as one line of JSON. */
import createClient from 'openapi-fetch';
import type { paths } from './generated/types.ts';
import { greeting, key, origin, pictureUrl, print } from './surroundings.ts';

const client = createClient<paths>({ baseUrl: origin, headers: { authorization: `Bearer ${key}` } });
/** Who never streams says so once, and is answered by whole answers alone. */
const whole = createClient<paths, 'application/json'>({ baseUrl: origin, headers: { authorization: `Bearer ${key}` } });

async function models() {
  const { data } = await client.GET('/v1/models');
  return data?.data.map(({ id }) => id);
}

async function chat() {
  const { data } = await whole.POST('/v1/chat/completions', {
    body: { model: 'gpt-5.4', messages: [{ role: 'user', content: greeting }] },
  });
  return data?.choices[0]?.message.content;
}

async function response() {
  const { data } = await client.POST('/v1/responses', { body: { model: 'gpt-5.4', input: greeting } });
  // An answer or an event: only the answer has an output.
  const message = data && 'output' in data ? data.output.find((item) => item.type === 'message') : undefined;
  const part = message && 'content' in message ? message.content?.[0] : undefined;
  return part?.type === 'output_text' ? part.text : undefined;
}

async function drawn() {
  const { data } = await whole.POST('/v1/images/generations', { body: { model: 'gpt-image-2', prompt: 'A lighthouse' } });
  return data?.data[0]?.b64_json;
}

async function edited() {
  const body = { model: 'gpt-image-2', prompt: 'Add a hat', images: [{ image_url: pictureUrl }] };
  const { data } = await whole.POST('/v1/images/edits', { body });
  return data?.data[0]?.b64_json;
}

async function rejected() {
  const { error, response: answer } = await client.POST('/v1/chat/completions', {
    body: { model: 'gpt-0', messages: [{ role: 'user', content: greeting }] },
  });
  return { status: answer.status, code: error?.error.code, param: error?.error.param, known: error?.error.code === 'model_not_found' };
}

print({
  models: await models(),
  chat: await chat(),
  response: await response(),
  drawn: await drawn(),
  edited: await edited(),
  rejected: await rejected(),
});
