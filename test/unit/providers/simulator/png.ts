/** Reads PNG files without the code of the simulator, to check it against the format. */
import { crc32, inflateSync } from 'node:zlib';

export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel: red, green, blue and opacity. */
  readonly bytes: Buffer;
}

/** Checks signature, checksums and order of the chunks. Only reads what has a palette and no filters. */
export function readPng(file: Buffer): Raster {
  if (file.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new Error('no PNG signature');
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (crc32(file.subarray(at + 4, at + 8 + length)) !== file.readUInt32BE(at + 8 + length)) throw new Error(`bad checksum of ${type}`);
    chunks.push({ type, data: file.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  if (!/^IHDR,PLTE,(tRNS,)?IDAT,IEND$/.test(chunks.map(({ type }) => type).join())) throw new Error('unexpected chunks');
  const dataOf = (name: string): Buffer => chunks.find(({ type }) => type === name)?.data ?? Buffer.alloc(0);
  const [header, palette, opacities] = [dataOf('IHDR'), dataOf('PLTE'), dataOf('tRNS')];
  if (header.toString('hex', 8) !== '0803000000') throw new Error('no palette of eight bits');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const rows = inflateSync(dataOf('IDAT'));
  if (rows.length !== (width + 1) * height) throw new Error('wrong amount of data');
  const bytes = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    if (rows[y * (width + 1)] !== 0) throw new Error('a filter');
    for (let x = 0; x < width; x += 1) {
      const place = rows[y * (width + 1) + 1 + x] ?? 0;
      bytes.set([...palette.subarray(3 * place, 3 * place + 3), opacities[place] ?? 255], (y * width + x) * 4);
    }
  }
  return { width, height, bytes };
}

export const pixelAt = ({ width, bytes }: Raster, x: number, y: number): number[] => [
  ...bytes.subarray((y * width + x) * 4, (y * width + x + 1) * 4),
];
