/** Checks of unstreamed answers: models, chat, responses, image generations and edits, by the schemas of the contract. */
import { ChatCompletion } from '../../contract/chat-completion.ts';
import { ImageList } from '../../contract/images.ts';
import { ModelList } from '../../contract/models.ts';
import { Response } from '../../contract/responses.ts';
import type { Caller } from './caller.ts';
import { type Check, goodBody } from './check.ts';
import { demand, demandAll, LeftOut } from './violation.ts';

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
  ...(['generations', 'edits'] as const).map(
    (kind): Check => ({
      group: 'operations',
      area: 'images',
      name: kind === 'edits' ? 'edits a picture' : 'draws a picture',
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
  {
    group: 'operations',
    area: 'models',
    name: 'gives every answer a different id',
    async run(caller) {
      const [one, other] = [await caller.ask('/models'), await caller.ask('/models')];
      const id = one.headers.get('x-request-id');
      demand(Boolean(id) && id !== other.headers.get('x-request-id'), `two answers have the x-request-id ${String(id)}`);
    },
  },
];
