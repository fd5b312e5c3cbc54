/**
 * Adds the cost of a call to its response, for callers who ask for it (`usage: { include: true }`). It is known when the call is charged, before its last
 * event.
 */
import { type Fields, isFields } from '../primitives/fields.ts';
import { PassThroughReader } from './stream-reader.ts';
import { forEachFrame, NOTHING, parseFrame, writeDataFrame, writeEventFrame } from './wire/frames.ts';

export const isCostRequested = ({ usage }: Fields): boolean => isFields(usage) && usage.include === true;

const MICROS_PER_DOLLAR = 1_000_000;

/** `cost` is in micro-dollars. */
const withCost = (usage: unknown, cost: bigint): Fields => ({ ...(isFields(usage) && usage), cost: Number(cost) / MICROS_PER_DOLLAR });

export function addCostToResponse(bytes: Buffer, cost: bigint): Buffer {
  // A response reader has already validated the bytes as a JSON object.
  const response = JSON.parse(bytes.toString()) as Fields;
  return Buffer.from(JSON.stringify({ ...response, usage: withCost(response.usage, cost) }));
}

/** `frames` contains the last frames of a stream. */
export function addCostToFrames(frames: Buffer, cost: bigint): Buffer {
  const outputFrames: Buffer[] = [];
  forEachFrame(frames, (frame) => outputFrames.push(addCostToFrame(frame, cost)));
  return Buffer.concat(outputFrames);
}

function addCostToFrame(frame: Buffer, cost: bigint): Buffer {
  const event = parseFrame(frame);
  if (event === null) return frame;
  if (isUsageChunk(event)) return writeDataFrame<Fields>({ ...event, usage: withCost(event.usage, cost) });
  const { response } = event;
  if (!isFields(response) || !isFields(response.usage)) return frame;
  return writeEventFrame<Fields>(String(event.type), { ...event, response: { ...response, usage: withCost(response.usage, cost) } });
}

/** True for the usage chunk at the end of a chat stream, the only chunk without choices. */
const isUsageChunk = ({ choices, usage }: Fields): boolean => Array.isArray(choices) && choices.length === 0 && isFields(usage);

/** Holds the usage chunk of a chat stream until the stream ends, when the cost is known. */
export class DeferredUsageReader extends PassThroughReader {
  #usageFrame: Buffer = NOTHING;

  override transform(frames: Buffer): Buffer {
    const outputFrames: Buffer[] = [];
    forEachFrame(super.transform(frames), (frame) => {
      const chunk = parseFrame(frame);
      if (chunk && isUsageChunk(chunk)) this.#usageFrame = frame;
      else outputFrames.push(frame);
    });
    return Buffer.concat(outputFrames);
  }

  override flush(): Buffer {
    return Buffer.concat([this.#usageFrame, super.flush()]);
  }
}
