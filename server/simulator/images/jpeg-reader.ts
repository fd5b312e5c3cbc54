/** Reads the JPEG of an edit, as far as it costs no more than a picture of its size should. */
import jpeg from 'jpeg-js';
import { createPicture, type Picture } from './picture.ts';

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
