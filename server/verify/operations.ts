/** Checks of whole answers: models, chat, responses and both kinds of pictures, by the schemas of the contract. */
import { z } from 'zod';
import { ChatCompletion } from '../../contract/chat-completion.ts';
import { ImageList } from '../../contract/images.ts';
import { Model, ModelList } from '../../contract/models.ts';
import { Response } from '../../contract/responses.ts';
import type { Caller } from './caller.ts';
import { type Check, fitting, goodBody } from './check.ts';
import { demand, demandAll, LeftOut, Violation } from './violation.ts';

/** Large enough for reasoning, which counts too. */
const MOST_TOKENS = 1_000;
export const chatAsk = ({ model }: Caller) => ({
  model,
  messages: [{ role: 'user', content: 'Say hello.' }],
  max_completion_tokens: MOST_TOKENS,
});
export const responseAsk = ({ model }: Caller) => ({ model, input: 'Say hello.', max_output_tokens: MOST_TOKENS, store: false });

export function pictureAsk({ imageModel }: Caller) {
  if (imageModel === null) throw new LeftOut('no image model was named or found');
  return { model: imageModel, prompt: 'A lighthouse', size: '1024x1024', n: 1 };
}

/** One white pixel. */
const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
export const editAsk = (caller: Caller) => ({ ...pictureAsk(caller), images: [{ image_url: PIXEL }] });

/** PNG, JPEG, WebP. */
const MAGIC = /^(?:89504e470d0a1a0a|ffd8ff|52494646.{8}57454250)/;
export function demandPicture(base64: string | undefined): void {
  demand(MAGIC.test(Buffer.from(base64 ?? '', 'base64').toString('hex', 0, 12)), 'the image is neither PNG nor JPEG nor WebP');
}

const place = {
  name: 'place',
  strict: true,
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
};
const Place = z.strictObject({ city: z.string() });

function demandPlace(text: string): void {
  fitting(Place, parseJson(text), 'the JSON');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(`the text is not JSON: ${text.slice(0, 80)}`);
  }
}

export const operations: readonly Check[] = [
  {
    group: 'operations',
    area: 'models',
    name: 'lists the models that the key can call',
    async run(caller) {
      const { data } = goodBody(await caller.ask('/models'), ModelList);
      demand(
        data.some(({ id }) => id === caller.model),
        `the list does not have the model ${caller.model}`,
      );
    },
  },
  {
    group: 'operations',
    area: 'models',
    name: 'has a model of the list by its id',
    async run(caller) {
      const { id } = goodBody(await caller.ask(`/models/${encodeURIComponent(caller.model)}`), Model);
      demand(id === caller.model, `it is the model ${id}, not ${caller.model}`);
    },
  },
  {
    group: 'operations',
    area: 'chat',
    name: 'answers a chat',
    async run(caller) {
      const { choices } = goodBody(await caller.ask('/chat/completions', { json: chatAsk(caller) }), ChatCompletion);
      demand(choices.length === 1 && Boolean(choices[0]?.message.content), 'the answer has no text');
    },
  },
  {
    group: 'operations',
    area: 'responses',
    name: 'answers a response',
    async run(caller) {
      const { status, output } = goodBody(await caller.ask('/responses', { json: responseAsk(caller) }), Response);
      const hasMessage = output.some(({ type }) => type === 'message');
      demandAll([
        () => demand(status === 'completed', `its status is ${String(status)}, not completed`),
        () => demand(hasMessage, 'the output has no message'),
      ]);
    },
  },
  {
    group: 'operations',
    area: 'chat',
    name: 'answers a chat in JSON of the schema that is asked for',
    async run(caller) {
      const json = { ...chatAsk(caller), response_format: { type: 'json_schema', json_schema: place } };
      const { choices } = goodBody(await caller.ask('/chat/completions', { json }), ChatCompletion);
      demandPlace(choices[0]?.message.content ?? '');
    },
  },
  {
    group: 'operations',
    area: 'responses',
    name: 'answers a response in JSON of the schema that is asked for',
    async run(caller) {
      const json = { ...responseAsk(caller), text: { format: { type: 'json_schema', ...place } } };
      const { output } = goodBody(await caller.ask('/responses', { json }), Response);
      const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
      demandPlace(parts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''));
    },
  },
  ...(['generations', 'edits'] as const).map(
    (kind): Check => ({
      group: 'operations',
      area: 'images',
      name: kind === 'edits' ? 'edits an image' : 'generates an image',
      async run(caller) {
        const json = kind === 'edits' ? editAsk(caller) : pictureAsk(caller);
        const { data } = goodBody(await caller.ask(`/images/${kind}`, { json }), ImageList);
        demandAll([
          () => demand(data?.length === 1, `there are ${data?.length ?? 0} images, not 1`),
          () => demandPicture(data?.[0]?.b64_json ?? undefined),
        ]);
      },
    }),
  ),
];
