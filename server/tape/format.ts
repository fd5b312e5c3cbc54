/** The file of a recorded call: JSON that people can read, edit and compare, and that restores the answer byte for byte. */
import { z } from 'zod';
import { ErrorBody } from '../../contract/errors.ts';
import { eachFrame, frameData } from '../dialects/wire/frames.ts';

/** A frame of a stream: parsed when that can be reversed exactly, otherwise as text. */
const Frame = z.union([z.strictObject({ event: z.string().optional(), data: z.json() }), z.strictObject({ text: z.string() })]);
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
export type RecordedAnswer = z.infer<typeof Answer>;

export const RecordedCall = z.strictObject({
  /** Version of the file format. */
  format: z.literal(1),
  operation: z.enum(['createChatCompletion', 'createResponse', 'generateImages', 'editImages']),
  /** The body as it is compared, the model in it. */
  request: z.record(z.string(), z.json()),
  answer: Answer,
});
export type RecordedCall = z.infer<typeof RecordedCall>;

/** Indented JSON, but with one frame of a stream per line. */
export function writeCall({ answer, ...call }: RecordedCall): string {
  const frames = 'frames' in answer ? answer.frames : null;
  if (frames === null) return `${JSON.stringify({ ...call, answer }, null, 2)}\n`;
  const marked = JSON.stringify({ ...call, answer: { ...answer, frames: [] } }, null, 2);
  const lines = frames.map((frame) => `      ${JSON.stringify(frame)}`).join(',\n');
  // `frames` is the last key of the last key, so no text of the request can match after it.
  const at = marked.lastIndexOf('[]');
  return `${marked.slice(0, at)}[\n${lines}\n    ]${marked.slice(at + 2)}\n`;
}

export function recordWhole(bytes: Buffer): RecordedAnswer {
  const text = bytes.toString();
  const body = parse(text);
  return body !== undefined && JSON.stringify(body) === text ? { status: 200, body } : { status: 200, text };
}

export function recordFrames(bytes: Buffer): RecordedAnswer {
  const frames: Frame[] = [];
  eachFrame(bytes, (frame) => frames.push(recordFrame(frame)));
  return { status: 200, frames };
}

function recordFrame(frame: Buffer): Frame {
  const text = frame.toString();
  const data = parse(frameData(frame) ?? '');
  const event = /^event: (.*)\n/.exec(text)?.[1];
  const parts: Frame = data === undefined ? { text } : { ...(event !== undefined && { event }), data };
  return frameText(parts) === text ? parts : { text };
}

const frameText = (frame: Frame): string => {
  if ('text' in frame) return frame.text;
  return `${frame.event === undefined ? '' : `event: ${frame.event}\n`}data: ${JSON.stringify(frame.data)}\n\n`;
};

type Played =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'frames'; readonly frames: readonly Buffer[] }
  | { readonly kind: 'error'; readonly answer: Extract<RecordedAnswer, { error: unknown }> };

export function playAnswer(answer: RecordedAnswer): Played {
  if ('error' in answer) return { kind: 'error', answer };
  if ('frames' in answer) return { kind: 'frames', frames: answer.frames.map((frame) => Buffer.from(frameText(frame))) };
  return { kind: 'whole', bytes: Buffer.from('text' in answer ? answer.text : JSON.stringify(answer.body)) };
}

function parse(text: string): z.infer<(typeof Frame.options)[0]>['data'] | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
