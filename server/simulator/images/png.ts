/** Writes a picture as PNG, with nothing but the deflate of Node. */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { Picture } from './picture.ts';

export const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

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
