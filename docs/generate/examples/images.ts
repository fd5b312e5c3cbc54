/** Examples of the two image operations. */
import type {
  ImageEditEvent,
  ImageEditRequest,
  ImageGenerationEvent,
  ImageGenerationRequest,
  ImageList,
} from '../../../contract/images.ts';
import type { Example, OperationExamples } from './example.ts';
import { TINY_PNG, TINY_PNG_URL } from './pictures.ts';

const model = 'gpt-image-2';
const prompt = 'A lighthouse in the fog';
const change = 'Turn the light on';

const drawn = { background: 'opaque', output_format: 'png', quality: 'low', size: '1024x1024' };
const usageOf = (text: number, image: number) => ({
  input_tokens: text + image,
  output_tokens: 272,
  total_tokens: text + image + 272,
  input_tokens_details: { text_tokens: text, image_tokens: image },
  output_tokens_details: { text_tokens: 0, image_tokens: 272 },
});

const draw = (summary: string, value: ImageGenerationRequest): Example => ({ summary, value });
const edit = (summary: string, value: ImageEditRequest): Example => ({ summary, value });
const list = (summary: string, pictures: number, usage: ImageList['usage']): Example => {
  const value: ImageList = { created: 1790000000, ...drawn, data: Array(pictures).fill({ b64_json: TINY_PNG }), usage };
  return { summary, value };
};

const picture = { b64_json: TINY_PNG, created_at: 1790000001, ...drawn };
const failure = { message: 'The upstream failed.', type: 'server_error', param: null, code: 'upstream_error' };

const generation: ImageGenerationEvent[] = [
  { type: 'image_generation.partial_image', partial_image_index: 0, ...picture },
  { type: 'image_generation.completed', ...picture, usage: usageOf(7, 0) },
];
const brokenGeneration: ImageGenerationEvent[] = [
  { type: 'image_generation.partial_image', partial_image_index: 0, ...picture },
  { type: 'error', error: failure },
];
const editing: ImageEditEvent[] = [
  { type: 'image_edit.partial_image', partial_image_index: 0, ...picture },
  { type: 'image_edit.completed', ...picture, usage: usageOf(5, 194) },
];

export const generationExamples: OperationExamples = {
  requests: {
    simple: draw('One image', { model, prompt }),
    several: draw('Two JPEG images with a given size', {
      model,
      prompt,
      n: 2,
      size: '1536x1024',
      quality: 'low',
      output_format: 'jpeg',
      output_compression: 80,
    }),
    transparent: draw('A cutout with a transparent background', { model, prompt: 'A paper boat', background: 'transparent' }),
    stream: draw('A stream with one partial image', { model, prompt, stream: true, partial_images: 1 }),
  },
  answers: { one: list('One image', 1, usageOf(7, 0)), several: list('Two images', 2, usageOf(7, 0)) },
  streams: {
    partial: { summary: 'A partial image, then the final one', events: generation },
    failed: { summary: 'An upstream that closed the connection midway', events: brokenGeneration },
  },
};

export const editExamples: OperationExamples = {
  requests: {
    simple: edit('An image as a data URL', { model, prompt: change, images: [{ image_url: TINY_PNG_URL }] }),
    mask: edit('Only the area marked by a mask', {
      model,
      prompt: change,
      images: [{ image_url: TINY_PNG_URL }],
      mask: { image_url: TINY_PNG_URL },
    }),
    stream: edit('A streamed edit', { model, prompt: change, images: [{ image_url: TINY_PNG_URL }], stream: true, partial_images: 1 }),
  },
  forms: {
    upload: { summary: 'One file', value: { model, prompt: change, image: ['lighthouse.png'] } },
    several: { summary: 'Several files', value: { model, prompt: 'Combine both images', image: ['lighthouse.png', 'boat.png'] } },
  },
  answers: { one: list('One image', 1, usageOf(5, 194)) },
  streams: { partial: { summary: 'A partial image, then the final one', events: editing } },
};
