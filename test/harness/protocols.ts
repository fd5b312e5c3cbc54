/** The operations that stream, side by side: what to ask, what a vendor says, and what a caller must be able to read of it. */
import { expect } from 'vitest';
import type { ErrorBody } from '../../contract/errors.ts';
import { chatCompletion, chatFrames } from '../fakes/chat.ts';
import type { SseEvent } from '../fakes/frames.ts';
import { drawPng, imageFrames, images } from '../fakes/images.ts';
import { response, responseFrames } from '../fakes/responses.ts';
import { expectBrokenChat, expectBrokenImages, expectBrokenResponses, readChat, readImages, readResponses } from './transcript.ts';

export interface Protocol {
  readonly name: 'chat' | 'responses' | 'stored responses' | 'generations' | 'edits';
  readonly path: string;
  /** A good request without `stream`. */
  readonly ask: Readonly<Record<string, unknown>>;
  /** Added to it, a request for a stream. */
  readonly streamed: Readonly<Record<string, unknown>>;
  /** What a vendor streams, short enough to be cut at each place. */
  readonly frames: readonly SseEvent[];
  readonly whole: unknown;
  /** How many frames may come before a failure can no longer be told by its status. */
  readonly opening: number;
  /** With how many frames the answer is complete. */
  readonly enough: number;
  /** Whether the caller gets the vendor's very bytes; a stored response has an id of the gateway. */
  readonly isExact: boolean;
  /** What is at the end of a whole stream that the vendor does not send. */
  readonly added: string;
  /** Fails unless this is a whole stream. */
  readonly expectWhole: (transcript: string) => void;
  /** Fails unless this is a stream that broke and says so; returns what it says. */
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
