/** What a program does with the client that hey-api writes: the five calls and an error, as one line of JSON. */
import { client } from './generated/client.gen.js';
import { createChatCompletion, createResponse, editImages, generateImages, listModels } from './generated/index.js';
import { greeting, key, origin, pictureUrl, print } from './surroundings.ts';

client.setConfig({ baseUrl: origin, auth: key });

async function models() {
  const { data } = await listModels({ throwOnError: true });
  return data.data.map(({ id }) => id);
}

async function chat() {
  const body = { model: 'gpt-5.4', messages: [{ role: 'user' as const, content: greeting }] };
  const { data } = await createChatCompletion({ body, throwOnError: true });
  return data.choices[0]?.message.content;
}

async function response() {
  const { data } = await createResponse({ body: { model: 'gpt-5.4', input: greeting }, throwOnError: true });
  const message = data.output.find((item) => item.type === 'message');
  const part = message?.content[0];
  return part?.type === 'output_text' ? part.text : undefined;
}

async function drawn() {
  const { data } = await generateImages({ body: { model: 'gpt-image-2', prompt: 'A lighthouse' }, throwOnError: true });
  return data.data[0]?.b64_json;
}

async function edited() {
  const body = { model: 'gpt-image-2', prompt: 'Add a hat', images: [{ image_url: pictureUrl }] };
  const { data } = await editImages({ body, throwOnError: true });
  return data.data[0]?.b64_json;
}

async function rejected() {
  const body = { model: 'gpt-0', messages: [{ role: 'user' as const, content: greeting }] };
  const { error, response: answer } = await createChatCompletion({ body });
  return { status: answer?.status, code: error?.error.code, param: error?.error.param, known: error?.error.code === 'model_not_found' };
}

print({
  models: await models(),
  chat: await chat(),
  response: await response(),
  drawn: await drawn(),
  edited: await edited(),
  rejected: await rejected(),
});
