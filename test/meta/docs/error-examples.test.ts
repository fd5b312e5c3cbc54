/** The documented bodies of a caller's mistakes are the very ones that the gateway answers with. */
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ChatCompletionRequest } from '../../../contract/chat.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import { ImageEditRequest, ImageGenerationRequest } from '../../../contract/images.ts';
import { ResponseRequest } from '../../../contract/responses.ts';
import { errorExample } from '../../../docs/generate/examples/errors.ts';

import { explainIssues } from '../../../server/api/http/explain-issues.ts';

const user = { role: 'user', content: 'Hello' };
const chat = { model: 'gpt-5.4', messages: [user] };
const image = { model: 'gpt-image-2', prompt: 'A lighthouse' };
const tool = { type: 'function', function: { name: 'f' } };
const told = { role: 'user', content: [{ type: 'text', text: { value: 'Hello' } }] };

const mistakes: [ErrorCode, z.ZodType, object][] = [
  ['unknown_parameter', ResponseRequest, { model: 'gpt-5.4', input: 'Hello', max_tokens: 5 }],
  ['unsupported_parameter', ResponseRequest, { model: 'gpt-5.4', input: 'Hello', conversation: 'conv_1' }],
  ['unsupported_value', ResponseRequest, { model: 'gpt-5.4', input: 'Hello', background: true, store: false }],
  ['missing_required_parameter', ChatCompletionRequest, { messages: [user] }],
  ['invalid_type', ChatCompletionRequest, { ...chat, messages: [user, user, told] }],
  ['invalid_value', ChatCompletionRequest, { ...chat, messages: [{ role: 'critic', content: 'Hi' }] }],
  ['integer_below_min_value', ImageGenerationRequest, { ...image, n: 0 }],
  ['integer_above_max_value', ImageGenerationRequest, { ...image, n: 11 }],
  ['decimal_below_min_value', ChatCompletionRequest, { ...chat, temperature: -1 }],
  ['decimal_above_max_value', ChatCompletionRequest, { ...chat, temperature: 2.5 }],
  ['string_above_max_length', ImageGenerationRequest, { ...image, prompt: 'a'.repeat(32_001) }],
  ['empty_string', ImageGenerationRequest, { ...image, prompt: '' }],
  ['array_above_max_length', ChatCompletionRequest, { ...chat, tools: Array(129).fill(tool) }],
  ['empty_array', ChatCompletionRequest, { ...chat, messages: [] }],
  ['invalid_image_url', ImageEditRequest, { ...image, images: [{ image_url: 'http://example.com/a.png' }] }],
];

describe('a caller', () => {
  it.each(mistakes)('gets the documented body for %s', (code, schema, body) => {
    const { error } = schema.safeParse(body);
    expect(explainIssues(error?.issues ?? [], body).body).toEqual(errorExample(code));
  });
});
