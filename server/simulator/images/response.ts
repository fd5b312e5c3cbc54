/** Writes image answers, whole and streamed. */
import type { ImageEditEvent, ImageGenerationEvent, ImageList } from '../../../contract/images.ts';
import type { Written } from '../../../contract/written.ts';
import { estimateTokens } from '../plan/tokens.ts';
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

export type ImageAnswer = Written<ImageList>;
export type ImageEvent = Written<ImageGenerationEvent | ImageEditEvent>;

/** Tokens of a picture of one megapixel, by quality; those of a picture that came in, and of a preview. */
const tokensPerMegapixel = { low: 272, medium: 1056, high: 4160 } as const;
const TOKENS_PER_INPUT = 323;
const TOKENS_PER_PREVIEW = 100;

export async function writeImages(drawing: Drawing): Promise<ImageAnswer> {
  const { job, signal, created } = drawing;
  const data: { readonly b64_json: string }[] = [];
  for (let index = 0; index < job.count; index += 1) {
    signal.throwIfAborted();
    data.push({ b64_json: await draw(drawing, index) });
  }
  const usage = writeUsage(drawing);
  const details = { image_tokens: usage.output_tokens, text_tokens: 0 };
  return { created, ...writeSettings(drawing), data, usage: { ...usage, output_tokens_details: details } };
}

const generationEvents = { partial: 'image_generation.partial_image', completed: 'image_generation.completed' } as const;
const editEvents = { partial: 'image_edit.partial_image', completed: 'image_edit.completed' } as const;

export async function* writeImageEvents(drawing: Drawing): AsyncGenerator<ImageEvent> {
  const { job, created } = drawing;
  const names = job.isEdit ? editEvents : generationEvents;
  const settings = { created_at: created, ...writeSettings(drawing) };
  for (let index = 0; index < job.partials; index += 1) {
    const b64_json = await draw(drawing, 0, index);
    yield { type: names.partial, partial_image_index: index, b64_json, ...settings };
  }
  const b64_json = await draw(drawing, 0);
  yield { type: names.completed, b64_json, ...settings, usage: writeUsage(drawing) };
}

/** A preview is made from the same drawing, which is drawn anew for it: nothing is kept between. */
async function draw({ job, painter, signal, account }: Drawing, index: number, preview: number | null = null): Promise<string> {
  return (await painter.draw({ job, index, preview }, { signal, account })).toString('base64');
}

function writeSettings({ job, originals }: Drawing): Pick<ImageAnswer, 'background' | 'output_format' | 'quality' | 'size'> {
  const { width, height } = chooseSize(job, originals);
  return { background: job.background, output_format: job.format, quality: job.quality, size: `${width}x${height}` };
}

function writeUsage({ job, originals }: Drawing): NonNullable<ImageAnswer['usage']> {
  const { width, height } = chooseSize(job, originals);
  const perImage = Math.ceil((tokensPerMegapixel[job.quality] * width * height) / 2 ** 20);
  const details = { text_tokens: estimateTokens(job.prompt), image_tokens: TOKENS_PER_INPUT * job.originals.length };
  const input = details.text_tokens + details.image_tokens;
  const output = perImage * job.count + TOKENS_PER_PREVIEW * job.partials;
  return { input_tokens: input, output_tokens: output, total_tokens: input + output, input_tokens_details: details };
}
