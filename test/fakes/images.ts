/** Builds image answers in the vendor's format, whole and as a stream of partial images. */
import { crc32, deflateSync } from 'node:zlib';
import { fakeCreated } from './chat.ts';
import type { SseEvent } from './frames.ts';
import { oddField } from './odd.ts';

export const imageUsage = {
  input_tokens: 50,
  output_tokens: 1_056,
  total_tokens: 1_106,
  input_tokens_details: { text_tokens: 10, image_tokens: 40 },
  output_tokens_details: { image_tokens: 1_056, text_tokens: 0 },
};

export interface ImagesReply {
  readonly operation?: 'image_generation' | 'image_edit';
  readonly n?: number;
  readonly size?: string;
  readonly quality?: string;
  readonly background?: string;
  readonly outputFormat?: string;
  /** Number of partial images before the final one in a stream. */
  readonly partials?: number;
  /** Null leaves it out. */
  readonly usage?: unknown;
  readonly extra?: Readonly<Record<string, unknown>> | null;
}

export function images(reply: ImagesReply = {}): Record<string, unknown> {
  const data = Array.from({ length: reply.n ?? 1 }, (_, shade) => ({ b64_json: draw(reply, shade) }));
  return { created: fakeCreated, ...extraOf(reply), ...used(reply), data, ...usageOf(reply) };
}

export function imageFrames(reply: ImagesReply = {}): SseEvent[] {
  const operation = reply.operation ?? 'image_generation';
  const event = (name: string, fields: Readonly<Record<string, unknown>>): SseEvent => ({
    event: `${operation}.${name}`,
    data: { type: `${operation}.${name}`, ...fields, created_at: fakeCreated, ...used(reply), ...extraOf(reply) },
  });
  const partials = Array.from({ length: reply.partials ?? 0 }, (_, partial_image_index) =>
    event('partial_image', { partial_image_index, b64_json: draw(reply, partial_image_index + 1) }),
  );
  return [...partials, event('completed', { b64_json: draw(reply, 0), ...usageOf(reply) })];
}

/** A valid PNG of one shade of grey. The same arguments give the same bytes. */
export function drawPng(width = 16, height = 16, shade = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const row = Buffer.alloc(width + 1, 0x40 + 16 * shade);
  row[0] = 0;
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, content: Buffer): Buffer {
  const framed = Buffer.alloc(content.length + 12);
  framed.writeUInt32BE(content.length, 0);
  framed.write(name, 4, 'latin1');
  content.copy(framed, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, content.length + 8)), content.length + 8);
  return framed;
}

function draw({ size }: ImagesReply, shade: number): string {
  const [width, height] = (/^(\d+)x(\d+)$/.exec(size ?? '') ?? ['', '1024', '1024']).slice(1).map(Number);
  return drawPng(width, height, shade % 12).toString('base64');
}

/** The value that was used, never `auto`. */
function used(reply: ImagesReply): Record<string, unknown> {
  const known = (value: string | undefined, otherwise: string): string => (value === undefined || value === 'auto' ? otherwise : value);
  return {
    background: known(reply.background, 'opaque'),
    output_format: known(reply.outputFormat, 'png'),
    quality: known(reply.quality, 'high'),
    size: known(reply.size, '1024x1024'),
  };
}

function extraOf({ extra }: ImagesReply): Readonly<Record<string, unknown>> {
  return extra === undefined ? oddField : (extra ?? {});
}

function usageOf({ usage }: ImagesReply): Record<string, unknown> {
  return usage === null ? {} : { usage: usage ?? imageUsage };
}
