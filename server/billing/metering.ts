/** What an answer used: the upstream's own word, else counted here and marked as estimated (promise G4). */
import { isFields, isSet } from '../../contract/rule.ts';
import type { StreamReader } from '../dialects/dialect.ts';
import { type Pictures, PictureWatch, picturesIn } from '../dialects/images/pictures.ts';
import { countHostedCalls, HostedCallCounter, type HostedCalls } from '../dialects/responses/hosted-calls.ts';
import { partition, type Usage } from '../dialects/usage.ts';
import { Produced } from '../dialects/wire/output-text.ts';
import type { GatewayError } from '../errors.ts';
import type { Bounds } from '../ledger/charge.ts';
import type { Estimator } from '../ledger/estimator.ts';
import type { Metered } from '../ledger/store.ts';
import { asksForThoughts, type Hidden, HiddenThoughts, opaqueInput } from './uncounted-output.ts';

export interface Measured {
  readonly metered: Metered;
  readonly isEstimated: boolean;
}

/** What is known of an answer when it ends. */
export interface Evidence {
  readonly usage: Usage | null;
  /** Text that the usage does not count: all of it where there is none. */
  readonly produced: Produced | null;
  /** Null where the answer is text. */
  readonly pictures: Pictures | null;
  /** Of tools that the upstream ran. */
  readonly tools: HostedCalls;
  /** What went upstream, for counting its input. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Where it was cut off for a caller who left, and its upstream had not said what it used: what cannot be counted of it. */
  readonly cut?: Hidden | null;
}

const NO_TOKENS: Usage = { input: 0, cached: 0, output: 0, reasoning: 0 };

/** A usage without any input is none, whatever else it says: every request has some. */
export async function measure(evidence: Evidence, estimator: Estimator, most: () => Bounds = () => NO_BOUNDS): Promise<Measured> {
  const { usage, produced, pictures, tools, request, cut = null } = evidence;
  const { uncachedInput, imageInput, cachedInput, cacheWrite, ...reported } = partition(usage ?? NO_TOKENS);
  const images = pictures && pictures.count > 0 ? { [pictures.kind]: pictures.count } : {};
  const isCounted = pictures === null && reported.input === 0;
  const texts = [isCounted ? textOf(request) : '', produced?.text ?? ''];
  const [input = 0, output = 0] = await estimator.count(texts);
  const metered = {
    input: uncachedInput + imageInput + (isCounted ? countedInput(Math.max(input, 1), evidence, most) : 0),
    cachedInput,
    cacheWrite,
    images,
    output: countedOutput(reported.output + Math.ceil(output * (produced?.scale ?? 1)), cut, most),
    reasoning: reported.reasoning,
    ...(Object.keys(tools).length > 0 && { tools }),
  };
  return { metered, isEstimated: isCounted || cut !== null || output > 0 || pictures?.isEstimated === true };
}

const NO_BOUNDS: Bounds = { inputTokens: 0, outputTokens: 0, images: 0, imageKind: '' };

/** With pictures, files and what tools of the upstream have found, where it was cut: as much as was held for at most. */
function countedInput(tokens: number, { request, tools, cut }: Evidence, most: () => Bounds): number {
  if (!cut) return tokens;
  const opaque = Object.keys(tools).length > 0 ? Number.POSITIVE_INFINITY : opaqueInput(request);
  return opaque === 0 ? tokens : Math.max(tokens, Math.min(tokens + opaque, most().inputTokens));
}

/** With thoughts that were hidden, where it was cut. */
function countedOutput(tokens: number, cut: Hidden | null, most: () => Bounds): number {
  if (!cut) return tokens;
  const { outputTokens } = most();
  return Math.max(tokens, cut.isUnbounded ? outputTokens : Math.min(tokens + cut.sealedBytes, outputTokens));
}

/**
 * All texts of a request but inline files, whose tokens nobody can tell from their bytes. What is not ours to know may be nested so deep that
 * there is no calling oneself for each level.
 */
function textOf(request: unknown): string {
  const texts: string[] = [];
  const left = [request];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === 'string') {
      if (!part.startsWith('data:')) texts.push(part);
    } else if (Array.isArray(part)) for (let index = part.length - 1; index >= 0; index--) left.push(part[index]);
    else if (isFields(part)) for (const [name, each] of Object.entries(part).reverse()) if (!isOpaque(name)) left.push(each);
  }
  return texts.join('\n');
}
const isOpaque = (name: string): boolean => name === 'encrypted_content' || name === 'data' || name === 'model' || name === 'signature';

/** What the caller asked, and what went upstream for it. */
export interface Asked {
  /** The protocol that the caller reads. */
  readonly protocol: 'chat' | 'responses' | 'images';
  readonly asked: Readonly<Record<string, unknown>>;
  readonly request: Readonly<Record<string, unknown>>;
}

/** Of an answer of which nothing was handed on, where its input is owed all the same; null for pictures, whose input has no price. */
export const inputAlone = ({ protocol, request }: Asked, usage: Usage | null): Evidence | null =>
  protocol === 'images' ? null : { usage, produced: null, pictures: null, tools: {}, request };

/** The same of an answer that its caller did not wait for: whether it was thought about, nobody knows. */
export function cutInput(asked: Asked): Evidence | null {
  const evidence = inputAlone(asked, null);
  return evidence && { ...evidence, cut: { isUnbounded: asksForThoughts(asked.request), sealedBytes: 0 } };
}

/** A vendor of chat searches once for each call that asks for it, and its answer does not say so. */
const searchesOf = ({ web_search_options: search }: Asked['request']): HostedCalls => (isSet(search) ? { web_search_call: 1 } : {});

/** Of a whole answer. */
export function evidenceIn(bytes: Buffer, usage: Usage | null, { protocol, asked, request }: Asked): Evidence {
  if (protocol === 'images') return { usage, produced: null, tools: {}, request, pictures: picturesIn(asked, bytes) };
  const tools = protocol === 'responses' ? countHostedCalls(bytes) : searchesOf(request);
  return { usage, produced: producedIn(bytes, usage), tools, request, pictures: null };
}

/** Fields of texts that a stream grows by. What a responses stream says once more at the end of each part counts once. */
const grown: Readonly<Record<Asked['protocol'], RegExp | null>> = {
  chat: /"(?:content|arguments|input|reasoning_content|reasoning|refusal)"\s*:\s*"/g,
  responses: /"delta"\s*:\s*"/g,
  images: null,
};
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

/** What a whole answer says beside its usage: all of it where that counts no output. */
function producedIn(bytes: Buffer, usage: Usage | null): Produced | null {
  if (usage !== null && usage.output > 0) return null;
  const produced = new Produced();
  read(produced, bytes.toString(), said);
  return produced;
}

/** Of a failed answer: an upstream that counts nothing has used nothing. */
export const saysSomething = (usage: Usage | null): usage is Usage => usage !== null && usage.input + usage.output > 0;

/** Reads along what a caller is sent. */
export class MeteredReader implements StreamReader {
  readonly #inner: StreamReader;
  readonly #request: Asked['request'];
  readonly #grown: RegExp | null;
  readonly #tools: HostedCallCounter | null;
  readonly #pictures: PictureWatch | null;
  readonly #thoughts: HiddenThoughts | null;
  /** Text that came since the upstream last said what it used: some say it all along, some once of the input and at the end of the rest. */
  #produced = new Produced();
  /** Whether the caller was sent some of the answer, or the upstream said of a failed one what it used. */
  #isOwed = false;

  /** `isMeasured`: whether anybody will ask what was used; nothing is counted for nobody. */
  constructor(inner: StreamReader, { protocol, asked, request }: Asked, isMeasured = true) {
    this.#inner = inner;
    this.#request = request;
    this.#grown = isMeasured ? grown[protocol] : null;
    this.#tools = isMeasured && protocol === 'responses' ? new HostedCallCounter() : null;
    this.#thoughts = isMeasured && protocol !== 'images' ? new HiddenThoughts() : null;
    this.#pictures = isMeasured && protocol === 'images' ? new PictureWatch(asked) : null;
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
  /** Null where nothing is owed for such an end. `isWhole`: all of it came, be it to nobody. */
  evidence(end: 'completed' | 'failed' | 'client_gone', isWhole = end === 'completed'): Evidence | null {
    const pictures = this.#pictures?.counted(end) ?? null;
    if (pictures ? pictures.count === 0 : end === 'failed' && !this.#isOwed) return null;
    const tools = this.#tools?.calls ?? (this.#isOwed || isWhole ? searchesOf(this.#request) : {});
    const cut = end === 'client_gone' && !isWhole && !pictures ? this.#cut() : null;
    return { usage: this.usage, produced: this.#produced, pictures, tools, request: this.#request, cut };
  }

  /** Null where the upstream has said what it used, or nobody asks. */
  #cut(): Hidden | null {
    if (!this.#thoughts || (this.usage !== null && this.usage.output > 0)) return null;
    // A responses stream has items for its thoughts.
    return this.#thoughts.hidden(this.#grown === grown.chat && asksForThoughts(this.#request));
  }

  pass(frames: Buffer): Buffer {
    const before = this.#inner.usage;
    const out = this.#inner.pass(frames);
    if (out.length > 0 && this.#grown) read(this.#produced, out.toString(), this.#grown);
    this.#tools?.see(out);
    this.#thoughts?.see(out);
    this.#pictures?.see(out);
    this.#isOwed ||= this.#produced.length > 0 || (this.failure !== null && this.usage !== before && saysSomething(this.usage));
    this.#forgetCounted(before);
    return out;
  }
  closing(): Buffer {
    const before = this.#inner.usage;
    const out = this.#inner.closing();
    this.#forgetCounted(before);
    return out;
  }
  failing(error: GatewayError): Buffer {
    return this.#inner.failing(error);
  }
  keepAlive(): Buffer | null {
    return this.#inner.keepAlive?.() ?? null;
  }

  #forgetCounted(before: Usage | null): void {
    const { usage } = this.#inner;
    if (usage !== before && usage !== null && usage.output > 0) this.#produced = new Produced();
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
