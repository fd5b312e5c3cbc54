/** The thread that reads, draws and packs pictures: a large one takes a good part of a second, for which no stream should wait (specification 2.5). */
import { parentPort } from 'node:worker_threads';
import jpeg from 'jpeg-js';
import { drawPicture, drawPreview, finishPicture } from './draw.ts';
import { type OriginalSizes, type Originals, readOriginals, sizesOf } from './originals.ts';
import type { Picture } from './picture.ts';
import { writePng } from './png.ts';
import type { ImageJob } from './request.ts';

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

/** Those of the last job, as long as nothing else needs their memory: its pictures are asked for one by one. */
let last: { readonly jobId: number; readonly originals: WeakRef<Originals> } | null = null;

async function originalsOf({ job, jobId }: PaintOrder): Promise<Originals> {
  const known = last?.jobId === jobId ? last.originals.deref() : undefined;
  if (known) return known;
  const originals = await readOriginals(job);
  last = { jobId, originals: new WeakRef(originals) };
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

/** One after the other: as many at once would only take more memory. */
let before: Promise<unknown> = Promise.resolve();

parentPort?.on('message', (order: PaintOrder) => {
  before = before.then(async () => parentPort?.postMessage(await answer(order)));
});
