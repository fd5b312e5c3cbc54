/** Draws images on worker threads, so that a drawing delays no stream. */
import { Worker } from 'node:worker_threads';
import type { Exact } from '../../../contract/exact.ts';
import type { ImageEditEvent, ImageGenerationEvent, ImageList } from '../../../contract/images.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { FairQueue } from '../../upstreams/concurrency-limit.ts';
import { estimateTokens } from '../plan.ts';
import type { Painted, PaintOrder, Wanted } from './painter-worker.ts';
import { chooseSize, type ImageJob, type OriginalSizes } from './request.ts';

export interface Painter {
  /** Throws where the mask cannot be read. */
  read(job: ImageJob, asking?: Asking): Promise<OriginalSizes>;
  /** As a file. */
  draw(wanted: Wanted, asking?: Asking): Promise<Buffer>;
  /** Pending requests are rejected. */
  close(): Promise<void>;
}

interface Asking {
  readonly signal?: AbortSignal | undefined;
  /** Accounts take turns. */
  readonly account?: string | undefined;
}

type Order<K> = Omit<Extract<PaintOrder, { kind: K }>, 'id' | 'jobId'>;

/** While one thread has a large image, another can draw the rest. */
const MOST_THREADS = 2;

interface Waiting {
  readonly order: PaintOrder;
  readonly signal: AbortSignal | undefined;
  resolve(painted: Painted): void;
  reject(error: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  /** It is asked for one thing at a time. */
  current: Waiting | null;
  /** Its cache may still have the input images of this job. */
  lastJob: number;
}

interface Threads {
  /** An idle thread, preferably one whose cache has the images of this job; null when all are busy. */
  find(jobId: number): Thread | null;
  close(): Promise<void>;
}

/** `goOn` is called when a thread is idle again. */
function openThreads(goOn: () => void): Threads {
  const threads = new Set<Thread>();

  function start(): Thread {
    const thread: Thread = { worker: new Worker(new URL('./painter-worker.ts', import.meta.url)), current: null, lastJob: 0 };
    const fail = (error: unknown): void => {
      threads.delete(thread);
      thread.current?.reject(error);
      thread.current = null;
      goOn();
    };
    thread.worker.on('message', (painted: Painted) => {
      thread.current?.resolve(painted);
      thread.current = null;
      thread.worker.unref();
      goOn();
    });
    thread.worker.on('error', fail);
    // With or without an error before it.
    thread.worker.on('exit', () => threads.has(thread) && fail(new Error('the painter thread has ended')));
    threads.add(thread);
    return thread;
  }

  return {
    find(jobId) {
      const idle = [...threads].filter(({ current }) => current === null);
      const known = idle.find(({ lastJob }) => lastJob === jobId) ?? idle[0];
      return known ?? (threads.size < MOST_THREADS ? start() : null);
    },
    close: async () => void (await Promise.all([...threads].map(({ worker }) => worker.terminate()))),
  };
}

function give(thread: Thread, next: Waiting): void {
  thread.current = next;
  thread.lastJob = next.order.jobId;
  thread.worker.ref();
  thread.worker.postMessage(next.order);
}

/** A thread starts when all others are busy. A job with several images queues again for each. */
export function openPainter(): Painter {
  const threads = openThreads(() => goOn());
  const line = new FairQueue<Waiting>();
  let lastId = 0;
  const jobIds = new WeakMap<ImageJob, number>();

  /** Nothing starts for a caller who has disconnected meanwhile. */
  function goOn(): void {
    for (let next = line.first(); next; next = line.first()) {
      const { order, signal, reject } = next.one;
      const thread = signal?.aborted ? null : threads.find(order.jobId);
      if (!thread && !signal?.aborted) return;
      line.take(next);
      if (thread) give(thread, next.one);
      else reject(signal?.reason);
    }
  }

  function ask(order: Order<'read'> | Order<'draw'>, { signal, account = '' }: Asking = {}): Promise<Painted> {
    const { promise, resolve, reject } = Promise.withResolvers<Painted>();
    lastId += 1;
    const jobId = jobIds.get(order.job) ?? lastId;
    jobIds.set(order.job, jobId);
    line.add({ account, one: { order: { ...order, id: lastId, jobId }, signal, resolve, reject } });
    goOn();
    return promise;
  }

  return {
    async read(job, asking) {
      if (job.originals.length === 0 && !job.mask) return { first: null, mask: null };
      const painted = await ask({ kind: 'read', job }, asking);
      if (painted.kind !== 'read') throw failure(painted);
      if (job.mask && !painted.originals.mask) throw unreadableMask();
      return painted.originals;
    },
    async draw(wanted, asking) {
      const painted = await ask({ kind: 'draw', ...wanted }, asking);
      if (painted.kind !== 'drawn') throw failure(painted);
      const { buffer, byteOffset, byteLength } = painted.bytes;
      return Buffer.from(buffer, byteOffset, byteLength);
    },
    async close() {
      for (let next = line.first(); next; next = line.first()) {
        line.take(next);
        next.one.reject(new Error('the painter thread has ended'));
      }
      await threads.close();
    },
  };
}

const failure = (painted: Painted): Error =>
  new Error(painted.kind === 'failed' ? painted.why : 'the painter thread sent an unexpected answer');

/** A mask that cannot be read must not be ignored: the edit would then change what the caller wanted kept. */
function unreadableMask(): GatewayError {
  const message = 'The built-in simulator reads masks as PNG with eight bits a channel, not interlaced and without a palette.';
  return new GatewayError<CallCode>('unsupported_value', { message, param: 'mask' });
}

/** One image request on its way to an answer. */
interface Drawing {
  readonly job: ImageJob;
  readonly originals: OriginalSizes;
  readonly painter: Painter;
  readonly signal: AbortSignal;
  /** Whose it is. */
  readonly account: string | undefined;
  /** Seconds. */
  readonly created: number;
}

export type ImageAnswer = Exact<ImageList>;
export type ImageEvent = Exact<ImageGenerationEvent | ImageEditEvent>;

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
