/** Defines the file of a recorded call, and converts a response to it and back. */
import { z } from 'zod';
import { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { forEachFrame, readFrameData } from '../../protocols/wire/frames.ts';

const Frame = z
  .union([z.strictObject({ event: z.string().optional(), data: z.json() }), z.strictObject({ text: z.string() })])
  .describe('A frame of a stream: `data` is JSON if writing it again gives the same bytes, otherwise `text` has these bytes.');

type Frame = z.infer<typeof Frame>;

const Answer = z.union([
  z.strictObject({ status: z.literal(200), body: z.json() }),
  z.strictObject({ status: z.literal(200), text: z.string() }),
  z.strictObject({ status: z.literal(200), frames: z.array(Frame) }),
  z.strictObject({
    status: z.int().min(400).max(599),
    headers: z.record(z.string(), z.string()).optional(),
    error: ErrorBody.shape.error,
  }),
]);

export type RecordedResponse = z.infer<typeof Answer>;

export const RecordedCall = z.strictObject({
  $schema: z.string().optional().describe('The JSON schema of this file, for editors. Ignored.'),
  format: z.literal(1).describe('The version of the file format.'),
  operation: z.enum(['createChatCompletion', 'createResponse', 'generateImages', 'editImages']).describe('The operation of the call.'),
  request: z
    .record(z.string(), z.json())
    .describe('The body that a call must have, including the model. Long data is replaced by its hash.'),
  deviation: z
    .string()
    .optional()
    .describe("The first field in which the provider's response deviates from the contract. With it, a replay doesn't check the response."),
  answer: Answer.describe(
    'The response: `body` is JSON, `text` any other body, `frames` a stream, and `error` the error of a status from 400 to 599.',
  ),
});

export type RecordedCall = z.infer<typeof RecordedCall>;

/** Writes indented JSON, but with one stream frame per line. */
export function writeCall({ answer, ...call }: RecordedCall): string {
  const frames = 'frames' in answer ? answer.frames : null;
  if (frames === null) return `${JSON.stringify({ ...call, answer }, null, 2)}\n`;
  const emptyFramesJson = JSON.stringify({ ...call, answer: { ...answer, frames: [] } }, null, 2);
  const lines = frames.map((frame) => `      ${JSON.stringify(frame)}`).join(',\n');
  // `frames` is the last key of the last key, so request text can't match after it.
  const framesIndex = emptyFramesJson.lastIndexOf('[]');
  return `${emptyFramesJson.slice(0, framesIndex)}[\n${lines}\n    ]${emptyFramesJson.slice(framesIndex + 2)}\n`;
}

export function toRecordedResponse(bytes: Buffer): RecordedResponse {
  const text = bytes.toString();
  const body = parseJson(text);
  return body !== undefined && JSON.stringify(body) === text ? { status: 200, body } : { status: 200, text };
}

export function toRecordedFrames(bytes: Buffer): RecordedResponse {
  const frames: Frame[] = [];
  forEachFrame(bytes, (frame) => frames.push(toRecordedFrame(frame)));
  return { status: 200, frames };
}

function toRecordedFrame(frame: Buffer): Frame {
  const text = frame.toString();
  const data = parseJson(readFrameData(frame) ?? '');
  const event = /^event: (.*)\n/.exec(text)?.[1];
  const parts: Frame = data === undefined ? { text } : { ...(event !== undefined && { event }), data };
  return writeFrame(parts) === text ? parts : { text };
}

export const writeFrame = (frame: Frame): string => {
  if ('text' in frame) return frame.text;
  return `${frame.event === undefined ? '' : `event: ${frame.event}\n`}data: ${JSON.stringify(frame.data)}\n\n`;
};

type PlayedResponse =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'frames'; readonly frames: readonly Buffer[] }
  | { readonly kind: 'error'; readonly answer: Extract<RecordedResponse, { error: unknown }> };

export function toPlayedResponse(answer: RecordedResponse): PlayedResponse {
  if ('error' in answer) return { kind: 'error', answer };
  if ('frames' in answer) return { kind: 'frames', frames: answer.frames.map((frame) => Buffer.from(writeFrame(frame))) };
  return { kind: 'whole', bytes: Buffer.from('text' in answer ? answer.text : JSON.stringify(answer.body)) };
}

/** Returns undefined if the text isn't JSON. */
export function parseJson(text: string): z.infer<(typeof Frame.options)[0]>['data'] | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
