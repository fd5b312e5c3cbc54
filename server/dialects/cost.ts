/** The cost of a call in its response, for callers who ask for it (`usage: { include: true }`): it is known when the call is charged, before its last event. */
import { type Fields, isFields } from '../primitives/fields.ts';
import { PassThroughReader } from './failure.ts';
import { dataFrame, eachFrame, eventFrame, frameObject, NOTHING } from './wire/frames.ts';

export const asksForCost = ({ usage }: Fields): boolean => isFields(usage) && usage.include === true;

const MICROS = 1_000_000;

/** `cost`: in micro-dollars. */
const withCost = (usage: unknown, cost: bigint): Fields => ({ ...(isFields(usage) && usage), cost: Number(cost) / MICROS });

export function costInWhole(bytes: Buffer, cost: bigint | null): Buffer {
  if (cost === null) return bytes;
  // A reader has read it as a JSON object before.
  const answer = JSON.parse(bytes.toString()) as Fields;
  return Buffer.from(JSON.stringify({ ...answer, usage: withCost(answer.usage, cost) }));
}

/** `frames`: the last ones of a stream. */
export function costInFrames(frames: Buffer, cost: bigint | null): Buffer {
  if (cost === null) return frames;
  const out: Buffer[] = [];
  eachFrame(frames, (frame) => out.push(costInFrame(frame, cost)));
  return Buffer.concat(out);
}

function costInFrame(frame: Buffer, cost: bigint): Buffer {
  const event = frameObject(frame);
  if (event === null) return frame;
  if (isUsageChunk(event)) return dataFrame<Fields>({ ...event, usage: withCost(event.usage, cost) });
  const { response } = event;
  if (!isFields(response) || !isFields(response.usage)) return frame;
  return eventFrame<Fields>(String(event.type), { ...event, response: { ...response, usage: withCost(response.usage, cost) } });
}

/** The last chunk of a chat stream with its usage; it is the only one without choices. */
const isUsageChunk = ({ choices, usage }: Fields): boolean => Array.isArray(choices) && choices.length === 0 && isFields(usage);

/** Holds the usage chunk of a chat stream back until the stream ends, when its cost is known. */
export class UsageLast extends PassThroughReader {
  #held: Buffer = NOTHING;

  override pass(frames: Buffer): Buffer {
    const out: Buffer[] = [];
    eachFrame(super.pass(frames), (frame) => {
      const chunk = frameObject(frame);
      if (chunk && isUsageChunk(chunk)) this.#held = frame;
      else out.push(frame);
    });
    return Buffer.concat(out);
  }

  override closing(): Buffer {
    return Buffer.concat([this.#held, super.closing()]);
  }
}
