/** What an answer used: the upstream's own word, else counted here and marked as estimated (promise G4). */
import { isFields } from '../contract/rule.ts';
import type { StreamReader } from './dialects/dialect.ts';
import { Produced } from './dialects/produced.ts';
import { partition, type Usage } from './dialects/usage.ts';
import type { GatewayError } from './errors.ts';
import type { Estimator } from './ledger/estimator.ts';
import type { Metered } from './ledger/store.ts';

export interface Measured {
  readonly metered: Metered;
  readonly isEstimated: boolean;
}

/** What is known of an answer when it ends. */
export interface Evidence {
  readonly usage: Usage | null;
  readonly produced: Produced | null;
  readonly pictures: Pictures | null;
  /** What went upstream, for counting its input. */
  readonly request: Readonly<Record<string, unknown>>;
}

export interface Pictures {
  readonly count: number;
  /** `size/quality`. */
  readonly kind: string;
}

export async function measure({ usage, produced, pictures, request }: Evidence, estimator: Estimator): Promise<Measured> {
  const images = pictures && pictures.count > 0 ? { [pictures.kind]: pictures.count } : {};
  if (usage) {
    const { uncachedInput, imageInput, cachedInput, cacheWrite, output, reasoning } = partition(usage);
    return { metered: { input: uncachedInput + imageInput, cachedInput, cacheWrite, output, reasoning, images }, isEstimated: false };
  }
  const [input = 0, output = 0] = await estimator.count([textOf(request), produced?.text ?? '']);
  const tokens = { input, output: Math.ceil(output * (produced?.scale ?? 1)) };
  // Pictures are counted, not estimated.
  return { metered: { ...tokens, cachedInput: 0, cacheWrite: 0, reasoning: 0, images }, isEstimated: pictures === null };
}

/** All texts of a request but inline files, whose tokens nobody can tell from their bytes. */
function textOf(value: unknown): string {
  const texts: string[] = [];
  const walk = (part: unknown): void => {
    if (typeof part === 'string') {
      if (!part.startsWith('data:')) texts.push(part);
    } else if (Array.isArray(part)) for (const each of part) walk(each);
    else if (isFields(part)) for (const [name, each] of Object.entries(part)) if (!isOpaque(name)) walk(each);
  };
  walk(value);
  return texts.join('\n');
}
const isOpaque = (name: string): boolean => name === 'encrypted_content' || name === 'data' || name === 'model' || name === 'signature';

/** Texts that an answer grows by, in the two protocols that callers speak. */
const grown = /"(?:content|arguments|input|reasoning_content|reasoning|refusal|delta)"\s*:\s*"/g;
/** The same in a whole answer. */
const said = /"(?:content|arguments|input|reasoning_content|reasoning|refusal|text)"\s*:\s*"/g;

function read(produced: Produced, text: string, openings: RegExp): void {
  for (const { index, 0: opening } of text.matchAll(openings)) {
    const start = index + opening.length;
    produced.add(unescaped(text.slice(start, closingQuote(text, start))));
  }
}

/** Where a JSON text ends that begins here. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** What a whole answer without a usage says. */
export function producedIn(bytes: Buffer): Produced {
  const produced = new Produced();
  read(produced, bytes.toString(), said);
  return produced;
}

/** Reads along what a caller is sent. */
export class MeteredReader implements StreamReader {
  readonly produced = new Produced();
  readonly #inner: StreamReader;

  constructor(inner: StreamReader) {
    this.#inner = inner;
  }

  get failure(): GatewayError | null {
    return this.#inner.failure;
  }
  get hasBegun(): boolean {
    return this.#inner.hasBegun;
  }
  get isComplete(): boolean {
    return this.#inner.isComplete;
  }
  get usage(): Usage | null {
    return this.#inner.usage;
  }

  pass(frames: Buffer): Buffer {
    const out = this.#inner.pass(frames);
    // Once the upstream has said what it used, nothing need be counted.
    if (out.length > 0 && this.#inner.usage === null) read(this.produced, out.toString(), grown);
    return out;
  }
  closing(): Buffer {
    return this.#inner.closing();
  }
  failing(error: GatewayError): Buffer {
    return this.#inner.failing(error);
  }
  keepAlive(): Buffer | null {
    return this.#inner.keepAlive?.() ?? null;
  }
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    // A frame in which no JSON parser would find it either: its length is all that is known.
    return text;
  }
}

/** Pictures in a whole answer: base64 holds no quotes, and a quote inside of a text is escaped. */
export function countPictures(bytes: Buffer): number {
  return Math.max(occurrences(bytes, '"b64_json"'), occurrences(bytes, '"url"'));
}

function occurrences(bytes: Buffer, name: string): number {
  let count = 0;
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + name.length)) count += 1;
  return count;
}
