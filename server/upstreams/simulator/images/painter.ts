/** Has pictures drawn on a thread of their own, so that a demonstration holds up nobody's stream (specification 2.5). */
import { Worker } from 'node:worker_threads';
import { GatewayError } from '../../../errors.ts';
import type { OriginalSizes } from './originals.ts';
import type { Painted, PaintOrder, Wanted } from './painter-worker.ts';
import type { ImageJob } from './request.ts';

export interface Painter {
  /** Throws where the mask cannot be read. */
  read(job: ImageJob): Promise<OriginalSizes>;
  /** As a file. */
  draw(wanted: Wanted): Promise<Buffer>;
  /** What is still asked for comes to nothing. */
  close(): Promise<void>;
}

type Order<K> = Omit<Extract<PaintOrder, { kind: K }>, 'id' | 'jobId'>;

/** The thread starts with the first picture. */
export function openPainter(): Painter {
  let worker: Worker | null = null;
  let lastId = 0;
  const jobIds = new WeakMap<ImageJob, number>();
  const waiting = new Map<number, { resolve(painted: Painted): void; reject(error: unknown): void }>();

  const fail = (error: unknown): void => {
    worker = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./painter-worker.ts', import.meta.url));
    started.on('message', (painted: Painted) => {
      waiting.get(painted.id)?.resolve(painted);
      waiting.delete(painted.id);
      if (waiting.size === 0) started.unref();
    });
    started.on('error', fail);
    // Without a word, or after an error that was told.
    started.on('exit', () => worker === started && fail(new Error('the painter has ended')));
    return started;
  };
  function ask(order: Order<'read'> | Order<'draw'>): Promise<Painted> {
    const { promise, resolve, reject } = Promise.withResolvers<Painted>();
    worker ??= start();
    worker.ref();
    lastId += 1;
    waiting.set(lastId, { resolve, reject });
    const jobId = jobIds.get(order.job) ?? lastId;
    jobIds.set(order.job, jobId);
    worker.postMessage({ ...order, id: lastId, jobId });
    return promise;
  }

  return {
    async read(job) {
      if (job.originals.length === 0 && !job.mask) return { first: null, mask: null };
      const painted = await ask({ kind: 'read', job });
      if (painted.kind !== 'read') throw failure(painted);
      if (job.mask && !painted.originals.mask) throw unreadableMask();
      return painted.originals;
    },
    async draw(wanted) {
      const painted = await ask({ kind: 'draw', ...wanted });
      if (painted.kind !== 'drawn') throw failure(painted);
      const { buffer, byteOffset, byteLength } = painted.bytes;
      return Buffer.from(buffer, byteOffset, byteLength);
    },
    async close() {
      await worker?.terminate();
    },
  };
}

const failure = (painted: Painted): Error => new Error(painted.kind === 'failed' ? painted.why : 'the painter answered something else');

/** A mask that cannot be read must not be ignored: the edit would then change what the caller wanted kept. */
function unreadableMask(): GatewayError {
  const message = 'The built-in simulator reads masks as PNG with eight bits a channel, not interlaced and without a palette.';
  return new GatewayError('unsupported_value', { message, param: 'mask' });
}
