/** What the benchmark's vendor answers, made once and sent as the same bytes each time; callers check that they get it. */
import { anthropicFrames, anthropicMessage } from '../../fakes/anthropic.ts';
import { chatCompletion, chatFrames } from '../../fakes/chat.ts';
import { done, frameBytes, type SseEvent } from '../../fakes/frames.ts';
import { geminiAnswer, geminiFrames } from '../../fakes/gemini.ts';
import { response, responseFrames } from '../../fakes/responses.ts';

/** In a message, a mark makes the vendor space the events of a stream, which then lasts 5 or 48 seconds. */
export const paces = {
  quick: { mark: '[paced]', gapMs: 50, events: 100 },
  slow: { mark: '[paced slowly]', gapMs: 4_000, events: 12 },
} as const;
/** In a message, it makes the vendor answer after 50 to 250 ms. */
export const slowMark = '[slow]';
/** About 1 KB with all around it. */
export const answerText = 'A model gateway stands between the people who hold keys and the models that serve them. '.repeat(6).trim();
const word = 'token ';
/** How an event with content is told, by the protocol of the caller. */
export const contentMarks = { chat: Buffer.from(`"delta":{"content":"${word}"}`), responses: Buffer.from(`"delta":"${word}"`) } as const;
export const doneMark = frameBytes(done);
/** Events with content in a stream at full speed. */
export const fullSpeedEvents = 200;

/** A stream: all until the first content, the content again and again, and the last content with all that follows it. */
export interface Transcript {
  readonly first: Buffer;
  readonly content: Buffer;
  readonly last: Buffer;
}

export interface Answer {
  readonly whole: Buffer;
  readonly stream: Transcript;
}

const reply = { text: answerText, extra: null };
const streamed = { text: Array.from({ length: fullSpeedEvents }, () => word), extra: null };

function transcript(frames: readonly SseEvent[]): Transcript {
  const events = frames.map((frame) => frameBytes(frame));
  const from = events.findIndex((event) => event.includes(word));
  const content = events[from] ?? Buffer.alloc(0);
  return { first: Buffer.concat(events.slice(0, from)), content, last: Buffer.concat(events.slice(from + fullSpeedEvents - 1)) };
}

const answer = (whole: object, frames: readonly SseEvent[]): Answer => ({
  whole: Buffer.from(JSON.stringify(whole)),
  stream: transcript(frames),
});

export const answers = {
  chat: answer(chatCompletion(reply), chatFrames(streamed)),
  /** The usage chunk, and `usage: null` on the others, come only where they were asked for. */
  chatWithUsage: answer(chatCompletion(reply), chatFrames({ ...streamed, includeUsage: true })),
  responses: answer(response(reply), responseFrames(streamed)),
  anthropic: answer(anthropicMessage(reply), anthropicFrames(streamed)),
  gemini: answer(geminiAnswer(reply), geminiFrames(streamed)),
} as const;
