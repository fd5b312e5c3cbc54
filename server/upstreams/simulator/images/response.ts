/** Writes image answers, whole and streamed (specification 2.5). */
import { estimateTokens } from '../plan/tokens.ts';
import type { JsonRecord } from '../values.ts';
import { chooseSize } from './draw.ts';
import type { OriginalSizes } from './originals.ts';
import type { Painter } from './painter.ts';
import type { ImageJob } from './request.ts';

/** One image request on its way to an answer. */
export interface Drawing {
  readonly job: ImageJob;
  readonly originals: OriginalSizes;
  readonly painter: Painter;
  readonly signal: AbortSignal;
  /** Whose it is. */
  readonly account: string | undefined;
  /** Seconds. */
  readonly created: number;
}

export interface ImageEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Tokens of a picture of one megapixel, by quality; those of a picture that came in, and of a preview. */
const tokensPerMegapixel = { low: 272, medium: 1056, high: 4160 } as const;
const tokensPerInput = 323;
const tokensPerPreview = 100;

export async function writeImages(drawing: Drawing): Promise<JsonRecord> {
  const { job, signal, created } = drawing;
  const data: JsonRecord[] = [];
  for (let index = 0; index < job.count; index += 1) {
    signal.throwIfAborted();
    data.push({ b64_json: await draw(drawing, index) });
  }
  const usage = writeUsage(drawing);
  const details = { image_tokens: usage.output_tokens, text_tokens: 0 };
  return { created, ...writeSettings(drawing), data, usage: { ...usage, output_tokens_details: details } };
}

export async function* writeImageEvents(drawing: Drawing): AsyncGenerator<ImageEvent> {
  const { job, created } = drawing;
  const prefix = job.isEdit ? 'image_edit' : 'image_generation';
  const settings = { created_at: created, ...writeSettings(drawing) };
  for (let index = 0; index < job.partials; index += 1) {
    const b64_json = await draw(drawing, 0, index);
    yield { type: `${prefix}.partial_image`, partial_image_index: index, b64_json, ...settings };
  }
  const b64_json = await draw(drawing, 0);
  yield { type: `${prefix}.completed`, b64_json, ...settings, usage: writeUsage(drawing) };
}

/** A preview is made from the same drawing, which is drawn anew for it: nothing is kept between. */
async function draw({ job, painter, signal, account }: Drawing, index: number, preview: number | null = null): Promise<string> {
  return (await painter.draw({ job, index, preview }, { signal, account })).toString('base64');
}

function writeSettings({ job, originals }: Drawing): JsonRecord {
  const { width, height } = chooseSize(job, originals);
  return { background: job.background, output_format: job.format, quality: job.quality, size: `${width}x${height}` };
}

function writeUsage({ job, originals }: Drawing) {
  const { width, height } = chooseSize(job, originals);
  const perImage = Math.ceil((tokensPerMegapixel[job.quality] * width * height) / 2 ** 20);
  const details = { text_tokens: estimateTokens(job.prompt), image_tokens: tokensPerInput * job.originals.length };
  const input = details.text_tokens + details.image_tokens;
  const output = perImage * job.count + tokensPerPreview * job.partials;
  return { input_tokens: input, output_tokens: output, total_tokens: input + output, input_tokens_details: details };
}
