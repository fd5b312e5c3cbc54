/** Fields that need or exclude each other: the OpenAPI document and the contract refuse the same bodies. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { ChatCompletionRequest } from '../../contract/chat.ts';
import { ImageEditRequest, ImageGenerationRequest } from '../../contract/images.ts';
import { buildDocument } from '../../docs/generate/openapi.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(JSON.parse(JSON.stringify(buildDocument())), 'document');
const taken = (component: string, body: object): boolean => ajv.validate(`document#/components/schemas/${component}`, body) === true;

interface Case {
  readonly schema: z.ZodType;
  readonly component: string;
  readonly base: object;
  readonly rejected: readonly object[];
  /** Accepted bodies that are close to the rejected ones: null counts as absent, and either field may stand alone. */
  readonly fine: readonly object[];
}

const image: Pick<Case, 'rejected' | 'fine'> = {
  rejected: [
    { background: 'transparent', output_format: 'jpeg' },
    { output_compression: 50 },
    { output_compression: 50, output_format: null },
    { output_compression: 50, output_format: 'png' },
    { partial_images: 1 },
    { partial_images: 2, stream: false },
    { n: 2, stream: true },
    { response_format: 'url' },
    { size: 'large' },
    { size: '1024 x 1024' },
    { size: '01024x1024' },
  ],
  fine: [
    { background: 'transparent', output_format: 'webp' },
    { background: 'opaque', output_format: 'jpeg' },
    { output_compression: 50, output_format: 'webp' },
    { output_compression: null },
    { partial_images: 0 },
    { partial_images: 1, stream: true },
    { n: 2, stream: null },
    { n: 1, stream: true },
    { response_format: 'b64_json' },
    { size: '1024x1536' },
    { size: 'auto' },
    { size: null },
  ],
};

const cases: readonly Case[] = [
  {
    schema: ChatCompletionRequest,
    component: 'ChatCompletionRequest',
    base: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hello' }] },
    rejected: [
      { max_tokens: 5, max_completion_tokens: 5 },
      { stream_options: {} },
      { stream_options: { include_usage: true }, stream: false },
      { stream_options: {}, stream: null },
      { top_logprobs: 2 },
      { top_logprobs: 2, logprobs: false },
      { modalities: ['text', 'audio'] },
      { modalities: ['audio'], audio: null },
    ],
    fine: [
      { max_tokens: 5, max_completion_tokens: null },
      { max_tokens: null, max_completion_tokens: 5 },
      { stream_options: {}, stream: true },
      { stream_options: null },
      { top_logprobs: 2, logprobs: true },
      { top_logprobs: null },
      { modalities: ['text'] },
      { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } },
    ],
  },
  {
    schema: ImageGenerationRequest,
    component: 'ImageGenerationRequest',
    base: { model: 'gpt-image-2', prompt: 'A lighthouse' },
    ...image,
  },
  {
    schema: ImageEditRequest,
    component: 'ImageEditRequest',
    base: { model: 'gpt-image-2', prompt: 'A hat', images: [{ image_url: 'data:image/png;base64,iVBORw0KGgo=' }] },
    ...image,
  },
];
const bodies = cases.flatMap(({ schema, component, base, rejected, fine }) => [
  ...rejected.map((fields) => ({ component, schema, body: { ...base, ...fields }, fields: JSON.stringify(fields), is: false })),
  ...fine.map((fields) => ({ component, schema, body: { ...base, ...fields }, fields: JSON.stringify(fields), is: true })),
]);

test.each(bodies)('accepts $component with $fields in the document as in the contract: $is', ({ component, schema, body, is }) => {
  expect(schema.safeParse(body).success).toBe(is);
  expect(taken(component, body)).toBe(is);
});
