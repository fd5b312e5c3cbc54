/** Checks complete responses against the contract's schemas: models, chat, responses, and images. */

import { z } from 'zod';
import { ChatCompletion } from '../../contract/chat/completion.ts';
import { ImageList } from '../../contract/images.ts';
import { Model, ModelList } from '../../contract/models.ts';
import { Response } from '../../contract/responses.ts';
import { assert, assertAll, parseOkBody, parseWithSchema } from './assert.ts';
import type { Check } from './check.ts';
import { createChatRequest, createImageEditRequest, createImageRequest, createResponseRequest } from './request.ts';
import { Violation } from './violation.ts';

/** PNG, JPEG, WebP. */
const IMAGE_SIGNATURE = /^(?:89504e470d0a1a0a|ffd8ff|52494646.{8}57454250)/;
export function assertImage(base64: string | undefined): void {
  assert(IMAGE_SIGNATURE.test(Buffer.from(base64 ?? '', 'base64').toString('hex', 0, 12)), "the image isn't a PNG, JPEG, or WebP");
}

const placeFormat = {
  name: 'place',
  strict: true,
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
};
const Place = z.strictObject({ city: z.string() });

function assertCity(text: string): void {
  parseWithSchema(Place, parseJson(text), 'the JSON');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(`the text isn't JSON: ${text.slice(0, 80)}`);
  }
}

export const operationChecks: readonly Check[] = [
  {
    group: 'operations',
    area: 'models',
    name: 'lists the models that the key can call',
    async run(caller) {
      const { data } = parseOkBody(await caller.send('/models'), ModelList);
      assert(
        data.some(({ id }) => id === caller.model),
        `the list doesn't contain the model ${caller.model}`,
      );
    },
  },
  {
    group: 'operations',
    area: 'models',
    name: 'retrieves a listed model by its ID',
    async run(caller) {
      const { id } = parseOkBody(await caller.send(`/models/${encodeURIComponent(caller.model)}`), Model);
      assert(id === caller.model, `the model is ${id}, not ${caller.model}`);
    },
  },
  {
    group: 'operations',
    area: 'chat',
    name: 'returns a chat completion',
    async run(caller) {
      const { choices } = parseOkBody(await caller.send('/chat/completions', { json: createChatRequest(caller) }), ChatCompletion);
      assert(choices.length === 1 && Boolean(choices[0]?.message.content), 'the response has no text');
    },
  },
  {
    group: 'operations',
    area: 'responses',
    name: 'returns a response',
    async run(caller) {
      const { status, output } = parseOkBody(await caller.send('/responses', { json: createResponseRequest(caller) }), Response);
      const hasMessage = output.some(({ type }) => type === 'message');
      assertAll([
        () => assert(status === 'completed', `the status is ${String(status)}, not completed`),
        () => assert(hasMessage, 'the output has no message'),
      ]);
    },
  },
  {
    group: 'operations',
    area: 'chat',
    name: 'returns chat content that matches the requested JSON schema',
    async run(caller) {
      const json = { ...createChatRequest(caller), response_format: { type: 'json_schema', json_schema: placeFormat } };
      const { choices } = parseOkBody(await caller.send('/chat/completions', { json }), ChatCompletion);
      assertCity(choices[0]?.message.content ?? '');
    },
  },
  {
    group: 'operations',
    area: 'responses',
    name: 'returns response text that matches the requested JSON schema',
    async run(caller) {
      const json = { ...createResponseRequest(caller), text: { format: { type: 'json_schema', ...placeFormat } } };
      const { output } = parseOkBody(await caller.send('/responses', { json }), Response);
      const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
      assertCity(parts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''));
    },
  },
  ...(['generations', 'edits'] as const).map(
    (kind): Check => ({
      group: 'operations',
      area: 'images',
      name: kind === 'edits' ? 'edits an image' : 'generates an image',
      async run(caller) {
        const json = kind === 'edits' ? createImageEditRequest(caller) : createImageRequest(caller);
        const { data } = parseOkBody(await caller.send(`/images/${kind}`, { json }), ImageList);
        assertAll([
          () => assert(data?.length === 1, `expected 1 image, got ${data?.length ?? 0}`),
          () => assertImage(data?.[0]?.b64_json ?? undefined),
        ]);
      },
    }),
  ),
];
