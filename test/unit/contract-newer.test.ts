/** What a provider may send next month: events, items, parts, and words that this contract doesn't have. Whoever parses answers by it needn't change anything. */
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { ChatCompletion } from '../../contract/chat/completion.ts';
import { ImageEditEvent, ImageGenerationEvent } from '../../contract/images.ts';
import { ResponseStreamEvent } from '../../contract/responses/events.ts';
import { OutputItem } from '../../contract/responses/items.ts';
import { OutputPart } from '../../contract/responses/parts.ts';
import { Response } from '../../contract/responses.ts';

const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [] };
const call = { id: 'call_1', type: 'video', video: { frames: 2 } };
const newer: readonly (readonly [string, z.ZodType, object])[] = [
  ['an event', ResponseStreamEvent, { type: 'response.video.delta', sequence_number: 1, delta: 'x' }],
  ['an event of images', ImageGenerationEvent, { type: 'image_generation.frame', frame: 1 }],
  ['an event of edits', ImageEditEvent, { type: 'image_edit.frame', frame: 1 }],
  ['an item', OutputItem, { type: 'video_call', id: 'vc_1', frames: [] }],
  ['a part', OutputPart, { type: 'output_video', url: 'https://example.com/a' }],
  ['an item and a status of a response', Response, { ...response, status: 'paused', output: [{ type: 'video_call' }] }],
  ['a tool call', ChatCompletion.shape.choices.element.shape.message, { role: 'assistant', content: null, tool_calls: [call] }],
];

describe('a value newer than the contract', () => {
  test.each(newer)('passes unchanged: %s', (_, schema, value) => {
    expect(schema.parse(value)).toEqual(value);
  });
});

describe('a value that the contract defines', () => {
  test.each([
    [
      ResponseStreamEvent,
      { type: 'response.output_text.delta', sequence_number: 1, output_index: 0, content_index: 0, delta: 'x' },
      'item_id',
    ],
    [OutputItem, { type: 'function_call', name: 'f', arguments: '{}' }, 'call_id'],
    [OutputPart, { type: 'output_text', annotations: [] }, 'text'],
  ])('fails with the place of the mistake: %#', (schema: z.ZodType, value, place) => {
    expect(schema.safeParse(value).error?.issues.map(({ path }) => path)).toEqual([[place]]);
  });

  test.each([{ type: 5 }, {}, null, 'text'])('fails without a known type: %j', (value) => {
    for (const schema of [ResponseStreamEvent, OutputItem, OutputPart]) expect(schema.safeParse(value).success).toBe(false);
  });
});
