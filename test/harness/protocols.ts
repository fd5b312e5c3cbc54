/** The streaming operations: for each a request, the vendor's answer, and checks of what the caller gets. */
import { expect } from 'vitest';
import type { ErrorBody } from '../../contract/shared/error-bodies.ts';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import type { SseEvent } from '../fakes/frames.ts';
import { drawPng, imageFrames, images } from '../fakes/images.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import { expectBrokenChat, expectBrokenImages, expectBrokenResponses, readChat, readImages, readResponses } from './transcript.ts';

export interface Protocol {
  readonly name: 'chat' | 'responses' | 'stored responses' | 'generations' | 'edits';
  readonly path: string;
  /** A valid request without `stream`. */
  readonly ask: Readonly<Record<string, unknown>>;
  /** Fields that make it a request for a stream. */
  readonly streamed: Readonly<Record<string, unknown>>;
  /** The vendor's stream, short enough for a test that cuts it at each place. */
  readonly frames: readonly SseEvent[];
  readonly whole: unknown;
  /** Number of frames after which a failure can no longer be answered by a status. */
  readonly opening: number;
  /** Number of frames after which the answer is complete. */
  readonly enough: number;
  /** Whether the caller gets exactly the vendor's bytes. A stored response has an id of the gateway. */
  readonly isExact: boolean;
  /** What the gateway adds at the end of a complete stream. */
  readonly added: string;
  /** Fails unless the stream is complete. */
  readonly expectWhole: (transcript: string) => void;
  /** Fails unless the stream ends with an error; returns that error. */
  readonly expectBroken: (transcript: string) => ErrorBody['error'];
}

const text = ['Grüße ', '☕ and ', '🌍.'];
const done = 'data: [DONE]\n\n';
const draw = { model: 'gpt-image-2', prompt: 'a lighthouse', size: '32x16' };
const drawn = { partials: 2, size: '32x16' };

const chat: Protocol = {
  name: 'chat',
  path: '/chat/completions',
  ask: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'say hello' }] },
  streamed: { stream: true, stream_options: { include_usage: true } },
  frames: chatFrames({ text, includeUsage: true }),
  whole: chatCompletion({ text }),
  opening: 0,
  enough: 5,
  isExact: true,
  added: '',
  expectWhole(transcript) {
    expect(readChat(transcript)).toMatchObject({ text: text.join(''), finishReason: 'stop', error: null, isDone: true });
  },
  expectBroken: expectBrokenChat,
};

const responses: Protocol = {
  name: 'responses',
  path: '/responses',
  ask: { model: 'gpt-5.4', input: 'say hello', store: false },
  streamed: { stream: true },
  frames: responseFrames({ text }),
  whole: response({ text }),
  opening: 2,
  enough: responseFrames({ text }).length,
  isExact: true,
  added: done,
  expectWhole(transcript) {
    const { types, isDone, ...read } = readResponses(transcript);
    expect(types.filter((type) => /completed|incomplete|failed|error/.test(type))).toEqual(['response.completed']);
    expect({ last: types.at(-1), text: read.text, isDone }).toEqual({ last: 'response.completed', text: text.join(''), isDone: true });
  },
  expectBroken: expectBrokenResponses,
};

const stored: Protocol = { ...responses, name: 'stored responses', ask: { model: 'gpt-5.4', input: 'say hello' }, isExact: false };

const drawing = (name: 'generations' | 'edits', operation: 'image_generation' | 'image_edit', more: object): Protocol => ({
  name,
  path: `/images/${name}`,
  ask: { ...draw, ...more },
  streamed: { stream: true, partial_images: 2 },
  frames: imageFrames({ ...drawn, operation }),
  whole: images({ size: '32x16' }),
  opening: 0,
  enough: 3,
  isExact: true,
  added: '',
  expectWhole(transcript) {
    const types = readImages(transcript, operation).map(({ type }) => type.slice(operation.length + 1));
    expect(types).toEqual(['partial_image', 'partial_image', 'completed']);
  },
  expectBroken: (transcript) => expectBrokenImages(transcript, operation),
});

const picture = { image_url: `data:image/png;base64,${drawPng().toString('base64')}` };

export const protocols: readonly Protocol[] = [
  chat,
  responses,
  stored,
  drawing('generations', 'image_generation', {}),
  drawing('edits', 'image_edit', { images: [picture] }),
];
export { chat, responses };
