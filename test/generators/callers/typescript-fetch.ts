/** What a program does with the client that openapi-generator writes for TypeScript: the five calls and an error, as one line of JSON. */
import {
  ChatApi,
  Configuration,
  ImagesApi,
  instanceOfModelNotFoundErrorDetail,
  ModelNotFoundErrorBodyFromJSON,
  ModelsApi,
  ResponseError,
  ResponsesApi,
} from './generated/index.js';
import { greeting, key, origin, picture, print } from './surroundings.ts';

const configuration = new Configuration({ basePath: origin, accessToken: key });
const chats = new ChatApi(configuration);
const images = new ImagesApi(configuration);

async function models() {
  const { data } = await new ModelsApi(configuration).listModels();
  return data.map(({ id }) => id);
}

const ask = (model: string) =>
  chats.createChatCompletion({ chatCompletionRequest: { model, messages: [{ role: 'user', content: greeting }] } });

async function chat() {
  const { choices } = await ask('gpt-5.4');
  return choices[0]?.message.content;
}

async function response() {
  const { output } = await new ResponsesApi(configuration).createResponse({ responseRequest: { model: 'gpt-5.4', input: greeting } });
  const message = output.find((item) => item.type === 'message');
  const part = message?.content[0];
  return part?.type === 'output_text' ? part.text : undefined;
}

async function drawn() {
  const { data } = await images.generateImages({ imageGenerationRequest: { model: 'gpt-image-2', prompt: 'A lighthouse' } });
  return data[0]?.b64Json;
}

async function edited() {
  const image = [new Blob([picture], { type: 'image/png' })];
  const { data } = await images.editImages({ model: 'gpt-image-2', prompt: 'Add a hat', image });
  return data[0]?.b64Json;
}

async function rejected() {
  const caught = await ask('gpt-0').catch((error: unknown) => error);
  if (!(caught instanceof ResponseError)) throw caught;
  const { error } = ModelNotFoundErrorBodyFromJSON(await caught.response.json());
  return { status: caught.response.status, code: error.code, param: error.param, known: instanceOfModelNotFoundErrorDetail(error) };
}

print({
  models: await models(),
  chat: await chat(),
  response: await response(),
  drawn: await drawn(),
  edited: await edited(),
  rejected: await rejected(),
});
