/** Counts the tokens of a text when the upstream reports none; such counts are always marked as estimated (promise G4). */
import { Worker } from 'node:worker_threads';
import type { Count, CountOrder } from './estimator-worker.ts';

export interface Estimator {
  /** Never rejects: when the tokenizer fails, four bytes count as one token. */
  count(texts: readonly string[]): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Longer texts are counted by samples. */
const MAX_LENGTH = 256 * 1024;
const SAMPLE = 1024;
const roughly = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/** Samples that lie evenly from the beginning of a text to its end. */
export function sampled(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const samples = MAX_LENGTH / SAMPLE;
  const stride = (text.length - SAMPLE) / (samples - 1);
  return Array.from({ length: samples }, (_, index) => text.slice(Math.floor(index * stride), Math.floor(index * stride) + SAMPLE)).join(
    '',
  );
}

/** The thread starts at the first count; with upstreams that report usage it never starts. */
export function openEstimator(): Estimator {
  let worker: Worker | null = null;
  let lastId = 0;
  const waiting = new Map<number, (tokens: readonly number[] | null) => void>();

  const giveUp = (): void => {
    worker = null;
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./estimator-worker.ts', import.meta.url));
    started.unref();
    started.on('message', ({ id, tokens }: Count) => {
      waiting.get(id)?.(tokens);
      waiting.delete(id);
      if (waiting.size === 0) started.unref();
    });
    started.on('error', giveUp);
    return started;
  };
  const ask = (texts: readonly string[]): Promise<readonly number[] | null> =>
    new Promise((resolve) => {
      worker ??= start();
      worker.ref();
      lastId += 1;
      waiting.set(lastId, resolve);
      const order: CountOrder = { id: lastId, texts };
      worker.postMessage(order);
    });

  return {
    async count(texts) {
      if (texts.every((text) => text === '')) return texts.map(() => 0);
      const tokens = await ask(texts.map(sampled));
      return texts.map((text, index) => {
        const counted = tokens?.[index];
        if (counted === undefined) return roughly(text);
        return text.length > MAX_LENGTH ? Math.ceil((counted * text.length) / MAX_LENGTH) : counted;
      });
    },
    async close() {
      const running = worker;
      giveUp();
      await running?.terminate();
    },
  };
}
