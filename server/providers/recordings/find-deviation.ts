/** Finds the first field of a recorded response that deviates from the contract. Unknown fields, events, and items don't deviate. */
import type { z } from 'zod';
import { contract } from '../../../contract/index.ts';
import { ErrorBody } from '../../../contract/shared/error-bodies.ts';
import { formatPath, type Path } from '../../config/config-error.ts';
import { isFields } from '../../primitives/fields.ts';
import { readFrameData } from '../../protocols/wire/frames.ts';
import { parseJson, type RecordedCall, writeFrame } from './recorded-call.ts';

type Call = Pick<RecordedCall, 'operation' | 'answer'>;

/** Returns a text such as `answer.body.choices: expected array, received undefined`, or null. */
export function findDeviation({ operation, answer }: Call): string | null {
  const { responses, metadata } = contract[operation];
  if ('error' in answer) return null;
  if ('frames' in answer) return findInFrames(answer.frames, metadata.sse);
  if ('body' in answer) return checkValue(responses[200], answer.body, ['answer', 'body']);
  const body = parseJson(answer.text);
  return body === undefined ? 'answer.text: expected JSON' : checkValue(responses[200], body, ['answer', 'text']);
}

function findInFrames(frames: Extract<Call['answer'], { frames: unknown }>['frames'], events: z.ZodType): string | null {
  for (const [index, frame] of frames.entries()) {
    const path = ['answer', 'frames', index];
    const data = 'data' in frame ? frame.data : parseJson(readFrameData(Buffer.from(writeFrame(frame))) ?? '');
    // Comments, and `[DONE]`.
    if (data === undefined) continue;
    // A chat stream that fails ends with an error body.
    const isError = isFields(data) && 'error' in data && !('type' in data);
    const deviation = checkValue(isError ? ErrorBody : events, data, [...path, 'data' in frame ? 'data' : 'text']);
    if (deviation !== null) return deviation;
  }
  return null;
}

function checkValue(schema: z.ZodType, value: unknown, start: Path): string | null {
  const { error } = schema.safeParse(value);
  if (!error) return null;
  const [{ path, message }] = error.issues.map((issue) => findDeepest(issue)) as [Deviation];
  return `${formatPath([...start, ...path])}: ${message.replace(/^Invalid input: /, '')}`;
}

interface Deviation {
  readonly path: Path;
  readonly message: string;
}

/** In a union, the branch that matches the most was meant; with several of these, the last one, which is for newer types. */
function findDeepest(issue: z.core.$ZodIssue): Deviation {
  const branches = issue.code === 'invalid_union' ? issue.errors.flatMap(([first]) => (first ? [findDeepest(first)] : [])) : [];
  const found = branches.map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
  return found.reduce((one, other) => (other.path.length >= one.path.length ? other : one), { path: issue.path, message: issue.message });
}
