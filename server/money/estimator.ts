/** Counts the tokens of texts in a separate thread, and samples very long texts. */
import { Worker } from 'node:worker_threads';
import type { EstimatorRequest, EstimatorResponse } from './estimator-worker.ts';

export interface Estimator {
  /** Never rejects. If the tokenizer fails, four bytes count as one token. */
  count(texts: readonly string[]): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** In characters. Longer texts are sampled. */
const MAX_TEXT_LENGTH = 256 * 1024;

const SAMPLE_LENGTH = 1024;

const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/** Takes evenly spaced samples, from the start of a text to its end. */
export function sampleText(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const sampleCount = MAX_TEXT_LENGTH / SAMPLE_LENGTH;
  const stride = (text.length - SAMPLE_LENGTH) / (sampleCount - 1);
  return Array.from({ length: sampleCount }, (_, index) =>
    text.slice(Math.floor(index * stride), Math.floor(index * stride) + SAMPLE_LENGTH),
  ).join('');
}

/** The thread starts at the first count. It never starts if all upstreams report usage. */
export function openEstimator(): Estimator {
  let worker: Worker | null = null;
  let lastId = 0;
  const pendingRequests = new Map<number, (tokens: readonly number[] | null) => void>();

  const stopWorker = (): void => {
    worker = null;
    for (const answer of pendingRequests.values()) answer(null);
    pendingRequests.clear();
  };
  const startWorker = (): Worker => {
    const newWorker = new Worker(new URL('./estimator-worker.ts', import.meta.url));
    newWorker.unref();
    newWorker.on('message', ({ id, tokens }: EstimatorResponse) => {
      pendingRequests.get(id)?.(tokens);
      pendingRequests.delete(id);
      if (pendingRequests.size === 0) newWorker.unref();
    });
    newWorker.on('error', stopWorker);
    return newWorker;
  };
  const requestCounts = (texts: readonly string[]): Promise<readonly number[] | null> =>
    new Promise((resolve) => {
      worker ??= startWorker();
      worker.ref();
      lastId += 1;
      pendingRequests.set(lastId, resolve);
      const request: EstimatorRequest = { id: lastId, texts };
      worker.postMessage(request);
    });

  return {
    async count(texts) {
      if (texts.every((text) => text === '')) return texts.map(() => 0);
      const tokens = await requestCounts(texts.map(sampleText));
      return texts.map((text, index) => {
        const sampleTokens = tokens?.[index];
        if (sampleTokens === undefined) return estimateTokens(text);
        return text.length > MAX_TEXT_LENGTH ? Math.ceil((sampleTokens * text.length) / MAX_TEXT_LENGTH) : sampleTokens;
      });
    },
    async close() {
      const runningWorker = worker;
      stopWorker();
      await runningWorker?.terminate();
    },
  };
}
