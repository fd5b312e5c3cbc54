/** Ends a relayed stream without a charge: with its last frames, or the frames of its error. */
import type { StreamReader } from '../../../server/protocols/stream-reader.ts';
import type { StreamEnd } from '../../../server/providers/relay-stream.ts';

export async function writeLastFrames(reader: Pick<StreamReader, 'fail'>, end: StreamEnd): Promise<Buffer> {
  if (end.kind === 'completed') return end.frames;
  if (end.kind === 'client_disconnected') return Buffer.alloc(0);
  if (!end.isShown) throw end.error;
  return reader.fail(end.error);
}
