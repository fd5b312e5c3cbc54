/** The worker thread that reads, draws and encodes images: a large one takes a good part of a second, and streams must not wait for it. */
import { parentPort } from 'node:worker_threads';
import jpeg from 'jpeg-js';
import type { Picture } from './drawing.ts';
import {
  drawPicture,
  drawPreview,
  finishPicture,
  type ImageJob,
  type OriginalSizes,
  type Originals,
  readOriginals,
  sizesOf,
  writePng,
} from './request.ts';

/** Which picture of a job; with a `preview`, that one of its previews. */
export interface Wanted {
  readonly job: ImageJob;
  readonly index: number;
  readonly preview: number | null;
}

/** `jobId`: by which a job is known again. */
export type PaintOrder = { readonly id: number; readonly jobId: number } & (
  | { readonly kind: 'read'; readonly job: ImageJob }
  | ({ readonly kind: 'draw' } & Wanted)
);

export type Painted =
  | { readonly id: number; readonly kind: 'read'; readonly originals: OriginalSizes }
  | { readonly id: number; readonly kind: 'drawn'; readonly bytes: Uint8Array }
  | { readonly id: number; readonly kind: 'failed'; readonly why: string };

const MOST_KNOWN = 4;
/** The images of the last jobs, as long as memory allows: the images of a job are requested one by one, between those of other jobs. */
const known = new Map<number, WeakRef<Originals>>();

async function originalsOf({ job, jobId }: PaintOrder): Promise<Originals> {
  const originals = known.get(jobId)?.deref() ?? (await readOriginals(job));
  known.delete(jobId);
  known.set(jobId, new WeakRef(originals));
  const [oldest] = known.keys();
  if (oldest !== undefined && known.size > MOST_KNOWN) known.delete(oldest);
  return originals;
}

async function draw({ job, index, preview }: Wanted, originals: Originals): Promise<Buffer> {
  const picture = await drawPicture(job, originals, index);
  return pack(preview === null ? finishPicture(picture, job) : drawPreview(picture, job, preview), job);
}

async function pack(picture: Picture, { format, background, compression }: ImageJob): Promise<Buffer> {
  if (format === 'png') return writePng(picture, background === 'transparent');
  const { width, height, bytes } = picture;
  return Buffer.from(jpeg.encode({ width, height, data: bytes }, Math.max(1, Math.min(compression, 92))).data);
}

async function answer(order: PaintOrder): Promise<Painted> {
  const { id, kind } = order;
  try {
    const originals = await originalsOf(order);
    return kind === 'read' ? { id, kind, originals: sizesOf(originals) } : { id, kind: 'drawn', bytes: await draw(order, originals) };
  } catch (error) {
    return { id, kind: 'failed', why: String(error) };
  }
}

/** The next one comes when this one is answered. */
parentPort?.on('message', async (order: PaintOrder) => parentPort?.postMessage(await answer(order)));
