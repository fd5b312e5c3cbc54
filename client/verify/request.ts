/** Defines the smallest valid requests, which the checks send. */
import type { VerifyClient } from './target.ts';
import { SkipCheck } from './violation.ts';

/** Large enough to include reasoning, which also counts. */
export const MAX_TOKENS = 1_000;

export const createChatRequest = ({ model }: VerifyClient) => ({
  model,
  messages: [{ role: 'user', content: 'Say hello.' }],
  max_completion_tokens: MAX_TOKENS,
});

export const createResponseRequest = ({ model }: VerifyClient) => ({
  model,
  input: 'Say hello.',
  max_output_tokens: MAX_TOKENS,
  store: false,
});

export function createImageRequest({ imageModel }: VerifyClient) {
  if (imageModel === null) throw new SkipCheck('no image model given or found');
  return { model: imageModel, prompt: 'A lighthouse', size: '1024x1024', n: 1 };
}

/** One white pixel. */
const PIXEL_DATA_URL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

export const createImageEditRequest = (caller: VerifyClient) => ({
  ...createImageRequest(caller),
  images: [{ image_url: PIXEL_DATA_URL }],
});
