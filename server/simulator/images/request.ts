/** Reads an image request, generation or edit, into one job. */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';
import jpeg from 'jpeg-js';
import { type EditCode, GatewayError } from '../../errors.ts';
import type { UpstreamRequest } from '../../upstreams/upstream.ts';
import { createSeed, excerpt } from '../scenarios.ts';
import { type JsonRecord, toNumber, toRecord, toRecords, toText } from '../schema.ts';
import { coarsen, copyPicture, coverPicture, createPicture, drawScene, labelPicture, type Picture, type Size } from './drawing.ts';

export interface ImageJob {
  readonly isEdit: boolean;
  readonly prompt: string;
  readonly count: number;
  /** null: the simulator chooses. */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly quality: 'low' | 'medium' | 'high';
  readonly background: 'opaque' | 'transparent';
  readonly format: 'png' | 'jpeg';
  /** 0 to 100, the higher the better the picture; JPEG only. */
  readonly compression: number;
  readonly partials: number;
  /** Bytes of the pictures to edit. */
  readonly originals: readonly Uint8Array[];
  readonly mask: Uint8Array | null;
}

const LONGEST_SIDE = 3840;
/** Of all pictures and previews of a request. */
const MOST_PIXELS = 64_000_000;

export function readImageRequest({ operation, body, stream }: UpstreamRequest): ImageJob {
  const { value } = body;
  const isEdit = operation === 'editImages';
  const count = toNumber(value.n) ?? 1;
  const size = readSize(value);
  const partials = stream ? (toNumber(value.partial_images) ?? 0) : 0;
  if (stream && count > 1) throw refuse('unsupported_value', 'A stream draws one image: leave n out.', 'n');
  requireFit(size, count, partials);
  return {
    isEdit,
    prompt: toText(value.prompt),
    count,
    size,
    quality: value.quality === 'low' || value.quality === 'high' ? value.quality : 'medium',
    ...readFormat(value),
    partials,
    originals: isEdit ? originalsOf(body) : [],
    mask: isEdit ? readMask(body) : null,
  };
}

function readSize(value: JsonRecord): ImageJob['size'] {
  const size = toText(value.size) || 'auto';
  if (size === 'auto') return null;
  const [width = 0, height = 0] = (/^(\d{2,4})x(\d{2,4})$/.exec(size) ?? []).slice(1).map(Number);
  const isFine = (side: number) => side > 0 && side <= LONGEST_SIDE && side % 16 === 0;
  if (isFine(width) && isFine(height)) return { width, height };
  throw refuse('invalid_value', `A size is auto or WIDTHxHEIGHT, both multiples of 16 and at most ${LONGEST_SIDE}.`, 'size');
}

/** Each image and each preview is drawn separately, and those of an unstreamed answer are held until the last is done. */
function requireFit(size: ImageJob['size'], count: number, partials: number): void {
  const { width, height } = size ?? { width: 1536, height: 1024 };
  const pixels = (count + partials) * width * height;
  if (pixels <= MOST_PIXELS) return;
  const asked = `${count} of ${width}x${height}${partials > 0 ? ` with ${partials} previews` : ''}`;
  throw refuse(
    'invalid_value',
    `The built-in simulator draws ${MOST_PIXELS / 1e6} megapixels for a request at most; this asks for ${asked}.`,
    'n',
  );
}

function readFormat(value: JsonRecord): Pick<ImageJob, 'background' | 'format' | 'compression'> {
  const format = value.output_format ?? 'png';
  if (format !== 'png' && format !== 'jpeg') {
    throw refuse('unsupported_value', 'The built-in simulator draws png and jpeg; it cannot encode this format.', 'output_format');
  }
  const background = value.background === 'transparent' ? 'transparent' : 'opaque';
  if (background === 'transparent' && format === 'jpeg') {
    throw refuse('invalid_value', 'A transparent background needs the output format png.', 'background');
  }
  return { format, background, compression: toNumber(value.output_compression) ?? 100 };
}

function originalsOf(body: UpstreamRequest['body']): ImageJob['originals'] {
  if (body.kind === 'form') return body.images.map(({ bytes }) => bytes);
  return toRecords(body.value.images).map((image, index) => readDataUrl(image, `images[${index}]`));
}

function readMask(body: UpstreamRequest['body']): ImageJob['mask'] {
  if (body.kind === 'form') return body.mask?.bytes ?? null;
  return body.value.mask ? readDataUrl(toRecord(body.value.mask), 'mask') : null;
}

/** The simulator fetches nothing: an image must be in the request itself. */
function readDataUrl(image: JsonRecord, param: string): Buffer {
  const found = /^data:image\/[\w.+-]+;base64,/i.exec(toText(image.image_url).slice(0, 64));
  if (!found) throw refuse('invalid_image_url', 'The built-in simulator accepts images as base64 data URLs only.', `${param}.image_url`);
  const bytes = Buffer.from(toText(image.image_url).slice(found[0].length), 'base64');
  if (bytes.length === 0) throw refuse('invalid_base64_image', 'The data URL holds no base64 data.', `${param}.image_url`);
  return bytes;
}

function refuse(
  code: 'unsupported_value' | 'invalid_value' | 'invalid_image_url' | 'invalid_base64_image',
  message: string,
  param: string,
) {
  return new GatewayError<EditCode>(code, { message, param });
}

const inflateAsync = promisify(inflate);
/** A small file may claim to be a huge picture. */
const MOST_PNG_PIXELS = 12_000_000;
const channelsOfType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

interface Header {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** null: no PNG, or one of a kind that is not read here, or a broken one. */
export async function readPng(file: Buffer): Promise<Picture | null> {
  const header = readHeader(file);
  if (!header) return null;
  const size = (header.width * header.channels + 1) * header.height;
  const rows = await inflateAsync(joinData(file), { maxOutputLength: size }).catch(() => null);
  if (rows?.length !== size) return null;
  unfilter(rows, header);
  return toPicture(rows, header);
}

function readHeader(file: Buffer): Header | null {
  if (file.length < 45 || !file.subarray(0, 8).equals(pngSignature)) return null;
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = channelsOfType[file.readUInt8(25)];
  const isPlain = file.readUInt8(24) === 8 && file.readUInt8(28) === 0;
  const fits = width > 0 && height > 0 && width * height <= MOST_PNG_PIXELS;
  return channels && isPlain && fits ? { width, height, channels } : null;
}

function joinData(file: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return Buffer.concat(parts);
}

/** Adds back, in place, what each row's filter took away. */
function unfilter(rows: Buffer, { width, height, channels }: Header): void {
  const stride = width * channels + 1;
  for (let y = 0; y < height; y += 1) {
    const start = y * stride + 1;
    const filter = rows[start - 1] ?? 0;
    for (let at = start; filter > 0 && at < start + stride - 1; at += 1) {
      const left = at - channels < start ? 0 : (rows[at - channels] ?? 0);
      const above = y === 0 ? 0 : (rows[at - stride] ?? 0);
      const corner = y === 0 || at - channels < start ? 0 : (rows[at - stride - channels] ?? 0);
      rows[at] = (rows[at] ?? 0) + predict(filter, { left, above, corner });
    }
  }
}

function predict(filter: number, { left, above, corner }: { left: number; above: number; corner: number }): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function toPicture(rows: Buffer, { width, height, channels }: Header): Picture {
  const picture = createPicture(width, height);
  const isGrey = channels < 3;
  const hasOpacity = channels % 2 === 0;
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0, from = y * (width * channels + 1) + 1; x < width; x += 1, from += channels, to += 4) {
      picture.bytes[to] = rows[from] ?? 0;
      picture.bytes[to + 1] = rows[isGrey ? from : from + 1] ?? 0;
      picture.bytes[to + 2] = rows[isGrey ? from : from + 2] ?? 0;
      picture.bytes[to + 3] = hasOpacity ? (rows[from + channels - 1] ?? 0) : 255;
    }
  }
  return picture;
}

/** Bounds for pictures that claim to be larger than they should be. */
const MOST_MEGAPIXELS = 12;
const MOST_MEGABYTES = 256;
/** Two for each pixel of the largest picture: no camera writes as many. */
const MOST_BYTES = 24_000_000;
/** Each scan goes over the whole picture, once for each of its channels; a progressive JPEG as cameras and libraries write it has a dozen passes. */
const MOST_PASSES = 400;
/** Passes times megapixels: the largest picture may have twenty. */
const MOST_WORK = 240;

/** null: broken, too large, or more work than it may be. The edit is then drawn without it, as with every kind that cannot be read. */
export function readJpeg(file: Buffer): Picture | null {
  const upToEnd = file.subarray(0, findEnd(file));
  const passes = countPasses(upToEnd);
  if (passes > MOST_PASSES || upToEnd.length > MOST_BYTES) return null;
  try {
    const { width, height, data } = jpeg.decode(upToEnd, {
      useTArray: true,
      maxResolutionInMP: Math.min(MOST_MEGAPIXELS, MOST_WORK / Math.max(passes, 1)),
      maxMemoryUsageInMB: MOST_MEGABYTES,
    });
    return createPicture(width, height, data);
  } catch {
    return null;
  }
}

/** The decoder may reach any scan marker, so all are counted, each with its channels. */
export function countPasses(file: Buffer): number {
  let passes = 0;
  for (let at = file.indexOf(startOfScan); at >= 0; at = file.indexOf(startOfScan, at + 2)) passes += Math.max(1, file[at + 4] ?? 0);
  return passes;
}

const startOfScan = Buffer.from([0xff, 0xda]);

/** Phones append films and further images after the end. When the end is unclear, the end of the file. */
function findEnd(file: Buffer): number {
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff; ) {
    const marker = file[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker === 0xd9) return at + 2;
    else at = skipSegment(file, at, marker);
  }
  return file.length;
}

function skipSegment(file: Buffer, start: number, marker: number): number {
  const behind = start + 2 + file.readUInt16BE(start + 2);
  if (marker !== startOfScan[1]) return behind;
  let at = file.indexOf(0xff, behind);
  while (at >= 0 && isData(file[at + 1] ?? 0)) at = file.indexOf(0xff, at + 2);
  return at < 0 ? file.length : at;
}

/** Behind 0xff in the data of a scan: the byte itself, or a mark to begin anew from. */
const isData = (byte: number): boolean => byte === 0 || (byte >= 0xd0 && byte <= 0xd7);

/** How much of an edited place is the drawing, the rest shows the original. */
const SHARE_OF_DRAWING = 0.55;

export function chooseSize({ size }: ImageJob, { first }: Pick<OriginalSizes, 'first'>): Size {
  if (size) return size;
  if (!first || Math.abs(first.width / first.height - 1) < 0.2) return { width: 1024, height: 1024 };
  return first.width > first.height ? { width: 1536, height: 1024 } : { width: 1024, height: 1536 };
}

/** Without its label: previews are made from it first. `index` tells the pictures of one job apart. */
export async function drawPicture(job: ImageJob, originals: Originals, index: number): Promise<Picture> {
  const { width, height } = chooseSize(job, originals);
  const seed = createSeed(job.prompt, String(index), originals.digest);
  const isTransparent = job.background === 'transparent';
  const scene = await drawScene({ width, height, seed, prompt: job.prompt, isTransparent });
  if (!originals.first) return scene;
  const below = coverPicture(originals.first, width, height);
  const mask = originals.mask ? coverPicture(originals.mask, width, height) : null;
  return layOver(below, scene, mask);
}

/** Ready to be encoded: the label is on it. */
export function finishPicture(picture: Picture, job: ImageJob): Picture {
  const finished = copyPicture(picture);
  const noun = job.originals.length > 1 ? `${job.originals.length} images` : 'an image';
  labelPicture(finished, `Built-in simulator${job.isEdit ? `, edit of ${noun}` : ', not a model'}`, excerpt(job.prompt, 200));
  return finished;
}

/** Like a picture that comes into focus: each preview has squares of half the side. */
export function drawPreview(picture: Picture, job: ImageJob, index: number): Picture {
  const cell = Math.max(2, Math.round(Math.min(picture.width, picture.height) / 12 / 2 ** index));
  return finishPicture(coarsen(picture, cell), job);
}

/** Mixes the drawing into the original; with a mask only where the mask is fully see-through, the rest stays as it was. */
function layOver(below: Picture, scene: Picture, mask: Picture | null): Picture {
  const mixed = copyPicture(scene);
  for (let at = 0; at < mixed.bytes.length; at += 4) {
    const isKept = mask !== null && mask.bytes[at + 3] !== 0;
    const drawn = (scene.bytes[at + 3] ?? 0) / 255;
    const share = ((below.bytes[at + 3] ?? 0) / 255) * (isKept ? 1 : 1 - SHARE_OF_DRAWING * drawn);
    const rest = drawn * (1 - share);
    const total = share + rest || 1;
    for (let channel = at; channel < at + 3; channel += 1) {
      mixed.bytes[channel] = Math.round(((below.bytes[channel] ?? 0) * share + (scene.bytes[channel] ?? 0) * rest) / total);
    }
    mixed.bytes[at + 3] = Math.round((share + rest) * 255);
  }
  return mixed;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const deflateAsync = promisify(deflate);
/** Fast; drawn pictures pack well anyway. */
const PACK_LEVEL = 2;

/** With opacity where the picture is see-through anywhere by design, else three bytes a pixel. */
export async function writePng(picture: Picture, hasOpacity: boolean): Promise<Buffer> {
  const { width, height } = picture;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a channel; colour with (6) or without (2) opacity; the only compression and filter there are; not interlaced.
  header.set([8, hasOpacity ? 6 : 2, 0, 0, 0], 8);
  const packed = await deflateAsync(filterRows(picture, hasOpacity ? 4 : 3), { level: PACK_LEVEL });
  return Buffer.concat([pngSignature, writeChunk('IHDR', header), writeChunk('IDAT', packed), writeChunk('IEND', Buffer.alloc(0))]);
}

/** Filter 1: each byte less the same channel of the pixel before, so that even areas become zeros. */
function filterRows({ width, height, bytes }: Picture, channels: 3 | 4): Buffer {
  const stride = width * channels + 1;
  const rows = Buffer.allocUnsafe(stride * height);
  for (let y = 0; y < height; y += 1) {
    let to = y * stride;
    let from = y * width * 4;
    rows[to++] = 1;
    for (let channel = 0; channel < channels; channel += 1) rows[to++] = bytes[from + channel] ?? 0;
    for (let x = 1; x < width; x += 1) {
      from += 4;
      for (let channel = 0; channel < channels; channel += 1) {
        rows[to++] = (bytes[from + channel] ?? 0) - (bytes[from + channel - 4] ?? 0);
      }
    }
  }
  return rows;
}

function writeChunk(type: 'IHDR' | 'IDAT' | 'IEND', data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8);
  return chunk;
}

export interface Originals {
  /** The first picture; null where it is of a kind that cannot be read here. */
  readonly first: Picture | null;
  /** The same. */
  readonly mask: Picture | null;
  /** Stands for the bytes of all of them. */
  readonly digest: string;
}

export async function readOriginals({ originals, mask }: ImageJob): Promise<Originals> {
  const [file] = originals;
  return {
    first: file ? await readPicture(asBuffer(file)) : null,
    mask: mask ? await readPng(asBuffer(mask)) : null,
    digest: digestOf(originals),
  };
}

function digestOf(originals: ImageJob['originals']): string {
  const hash = createHash('sha256');
  for (const { length } of originals) hash.update(`${length}:`);
  for (const bytes of originals) hash.update(bytes);
  return hash.digest('hex');
}

/** What the main thread keeps of them: large images take long to copy. */
export type OriginalSizes = { readonly [K in 'first' | 'mask']: Size | null };

export const sizesOf = ({ first, mask }: Originals): OriginalSizes => ({ first: first && sizeOf(first), mask: mask && sizeOf(mask) });

const sizeOf = ({ width, height }: Picture): Size => ({ width, height });

async function readPicture(file: Buffer): Promise<Picture | null> {
  return file[0] === 0xff && file[1] === 0xd8 ? readJpeg(file) : readPng(file);
}

/** What comes from another thread is plain bytes. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);
