/** Usage metering: takes the usage that the upstream reports, else counts tokens here and marks them as estimated (promise G4). */

import { Worker } from 'node:worker_threads';
import { asksForThoughts, callsUnseen, type HostedCalls, opaqueTokens, textOf } from '../dialects/asked.ts';
import { PassThroughReader, type StreamReader } from '../dialects/failure.ts';
import { countImages, type ImageCount, ImageWatch } from '../dialects/images/images.ts';
import { type CallerProtocol, callsIn, longWritesOf, partition, type Usage, watchOutput } from '../dialects/usage.ts';
import type { Hidden, ShownOutput } from '../dialects/visible-output.ts';
import { Produced, textOfAnswer } from '../dialects/wire/frames.ts';
import type { Bounds } from '../ledger/charge.ts';
import type { Count, CountOrder } from '../ledger/estimator-worker.ts';
import type { Metered } from '../ledger/store.ts';

export interface Measured {
  readonly metered: Metered;
  readonly isEstimated: boolean;
}

/** Facts of a response at its end. */
export interface Evidence {
  readonly usage: Usage | null;
  /** Text that the reported usage doesn't cover: all of it without a report. */
  readonly produced: Produced | null;
  /** Null if the response is text. */
  readonly drawn: ImageCount | null;
  /** Calls of tools that the upstream ran. */
  readonly tools: HostedCalls;
  /** The body for the upstream, to count its input. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Usage that can't be counted, because the response was aborted for a disconnected caller before the upstream reported usage. Null otherwise. */
  readonly cut?: Hidden | null;
}

const NO_TOKENS: Usage = { input: 0, cached: 0, output: 0, reasoning: 0 };

/** Measures what a response used. A report without input tokens doesn't count as one for the input: every request has some. */
export async function measure(evidence: Evidence, estimator: Estimator, ceiling: HasBounds = NO_CEILING): Promise<Measured> {
  const { usage, produced, drawn, tools, request, cut = null } = evidence;
  const { uncachedInput, imageInput, cachedInput, cacheWrite, ...reported } = partition(usage ?? NO_TOKENS);
  const images = drawn && drawn.count > 0 ? { [drawn.kind]: drawn.count } : {};
  const isCounted = drawn === null && reported.input === 0;
  const isTold = !isCounted && produced === null;
  const [input = 0, output = 0] = isTold ? [] : await estimator.count([isCounted ? textOf(request) : '', produced?.text ?? '']);
  const metered = {
    input: uncachedInput + imageInput + (isCounted ? countedInput(Math.max(input, 1), evidence, ceiling) : 0),
    cachedInput,
    cacheWrite,
    ...longWritesOf(reported),
    images,
    output: countedOutput(reported.output + Math.ceil(output * (produced?.scale ?? 1)), cut, ceiling),
    reasoning: reported.reasoning,
    ...(Object.keys(tools).length > 0 && { tools }),
  };
  return { metered, isEstimated: isCounted || cut !== null || output > 0 || drawn?.isEstimated === true };
}

/** Maximum usage of the request. Only computed if a response was aborted. */
type HasBounds = { readonly bounds: Bounds };
const NO_CEILING: HasBounds = { bounds: { inputTokens: 0, outputTokens: 0, images: 0, imageKind: '' } };

/** Input tokens. For a response that was cut off, adds the most for images, files and tool results, up to what was held. */
function countedInput(tokens: number, { request, tools, cut }: Evidence, ceiling: HasBounds): number {
  if (!cut) return tokens;
  const opaque = Object.keys(tools).length > 0 ? Number.POSITIVE_INFINITY : opaqueTokens(request);
  return Math.max(tokens, Math.min(tokens + opaque, ceiling.bounds.inputTokens));
}

/** Output tokens. For a response that was cut off, adds the most for hidden reasoning, up to what was held. */
function countedOutput(tokens: number, cut: Hidden | null, ceiling: HasBounds): number {
  if (!cut) return tokens;
  const { outputTokens } = ceiling.bounds;
  return Math.max(tokens, cut.isUnbounded ? outputTokens : Math.min(tokens + cut.encryptedBytes, outputTokens));
}

/** The caller's body, and the body for the upstream. */
export interface Asked {
  /** The protocol of the caller. */
  readonly protocol: CallerProtocol;
  readonly asked: Readonly<Record<string, unknown>>;
  readonly request: Readonly<Record<string, unknown>>;
}

/** Evidence of a response that wasn't sent to the caller and whose input is charged anyway; null for images, whose input has no price. */
export const inputAlone = ({ protocol, request }: Asked, usage: Usage | null): Evidence | null =>
  protocol === 'images' ? null : { usage, produced: null, drawn: null, tools: {}, request };

/** Evidence of a response that the caller didn't wait for: it may already contain hidden reasoning. */
export function cutInput(asked: Asked): Evidence | null {
  const evidence = inputAlone(asked, null);
  return evidence && { ...evidence, cut: { isUnbounded: asksForThoughts(asked.request), encryptedBytes: 0 } };
}

/** Evidence of a complete response. */
export function evidenceIn(bytes: Buffer, usage: Usage | null, { protocol, asked, request }: Asked): Evidence {
  if (protocol === 'images') return { usage, produced: null, tools: {}, request, drawn: countImages(asked, bytes) };
  return { usage, produced: producedIn(bytes, usage), tools: callsIn(bytes, protocol, request), request, drawn: null };
}

/** The text of a complete response, to be counted; null if the reported usage has output tokens. */
function producedIn(bytes: Buffer, usage: Usage | null): Produced | null {
  if (usage !== null && usage.output > 0) return null;
  return textOfAnswer(bytes);
}

/** Whether the usage of a failed answer reports any tokens. */
export const saysSomething = (usage: Usage | null): usage is Usage => usage !== null && usage.input + usage.output > 0;

/** A stream reader that measures what is sent to the caller. */
export class MeteredReader extends PassThroughReader {
  readonly #request: Asked['request'];
  readonly #shown: ShownOutput | null;
  readonly #drawn: ImageWatch | null;
  /** Whether the caller was sent text, or the upstream reported usage for a failed answer: then a failed answer is charged. */
  #isOwed = false;

  /** `isMeasured`: whether the usage will be needed; if not, nothing is counted. */
  constructor(inner: StreamReader, { protocol, asked, request }: Asked, isMeasured = true) {
    super(inner);
    this.#request = request;
    this.#shown = isMeasured ? (inner.written?.output ?? watchOutput(protocol)) : null;
    this.#drawn = isMeasured && protocol === 'images' ? new ImageWatch(asked) : null;
  }

  /** Returns the usage to charge for a response that ended this way, or null. `isWhole` says that the upstream sent all of it, even if the caller had disconnected. */
  evidence(end: 'completed' | 'failed' | 'client_disconnected', isWhole = end === 'completed'): Evidence | null {
    const drawn = this.#drawn?.counted(end) ?? null;
    if (drawn ? drawn.count === 0 : end === 'failed' && !this.#isOwed) return null;
    const tools = this.#shown?.calls ?? (this.#isOwed || isWhole ? callsUnseen(this.#request) : {});
    const cut = end === 'client_disconnected' && !isWhole && !drawn ? this.#cut() : null;
    return { usage: this.usage, produced: this.#shown?.text ?? new Produced(), drawn, tools, request: this.#request, cut };
  }

  /** Usage of an aborted response that can't be counted. Null if the upstream has reported its output, or nothing is measured. */
  #cut(): Hidden | null {
    if (!this.#shown || (this.usage !== null && this.usage.output > 0)) return null;
    return this.#shown.hidden(asksForThoughts(this.#request));
  }

  override pass(frames: Buffer): Buffer {
    const before = this.inner.usage;
    const out = super.pass(frames);
    this.#shown?.see(out);
    this.#drawn?.see(out);
    this.#isOwed ||= (this.#shown?.text.length ?? 0) > 0 || (this.failure !== null && this.usage !== before && saysSomething(this.usage));
    this.#forgetCounted(before);
    return out;
  }
  override closing(): Buffer {
    const before = this.inner.usage;
    const out = super.closing();
    this.#forgetCounted(before);
    return out;
  }

  #forgetCounted(before: Usage | null): void {
    const { usage } = this.inner;
    if (usage !== before && usage !== null && usage.output > 0) this.#shown?.forgetText();
  }
}

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
    const started = new Worker(new URL('../ledger/estimator-worker.ts', import.meta.url));
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
