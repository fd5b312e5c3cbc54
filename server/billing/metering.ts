/** Usage metering: takes the usage that the upstream reports, else counts tokens here and marks them as estimated (promise G4). */
import { isFields, isSet } from '../../contract/rule.ts';
import type { StreamReader } from '../dialects/dialect.ts';
import { type Pictures, PictureWatch, picturesIn } from '../dialects/images/pictures.ts';
import { PassThroughReader } from '../dialects/pass-through-reader.ts';
import { countHostedCalls, HostedCallCounter, type HostedCalls } from '../dialects/responses/hosted-calls.ts';
import { partition, type Usage } from '../dialects/usage.ts';
import { Produced } from '../dialects/wire/output-text.ts';
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
  /** Text that the reported usage does not cover: all of it without a report. */
  readonly produced: Produced | null;
  /** Null when the answer is text. */
  readonly pictures: Pictures | null;
  /** Calls of tools that the upstream ran. */
  readonly tools: HostedCalls;
  /** The body for the upstream, to count its input. */
  readonly request: Readonly<Record<string, unknown>>;
  /** What cannot be counted of an answer that was cut off for a disconnected caller before the upstream reported usage; null otherwise. */
  readonly cut?: Hidden | null;
}

const NO_TOKENS: Usage = { input: 0, cached: 0, output: 0, reasoning: 0 };

/** Measures what an answer used. A report without input tokens does not count as one for the input: every request has some. */
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

/** Input tokens. For an answer that was cut off, adds the most for images, files and tool results, up to what was held. */
function countedInput(tokens: number, { request, tools, cut }: Evidence, most: () => Bounds): number {
  if (!cut) return tokens;
  const opaque = Object.keys(tools).length > 0 ? Number.POSITIVE_INFINITY : opaqueInput(request);
  return opaque === 0 ? tokens : Math.max(tokens, Math.min(tokens + opaque, most().inputTokens));
}

/** Output tokens. For an answer that was cut off, adds the most for hidden reasoning, up to what was held. */
function countedOutput(tokens: number, cut: Hidden | null, most: () => Bounds): number {
  if (!cut) return tokens;
  const { outputTokens } = most();
  return Math.max(tokens, cut.isUnbounded ? outputTokens : Math.min(tokens + cut.sealedBytes, outputTokens));
}

/**
 * All texts of a request except inline files, whose tokens cannot be derived from their bytes. A loop and no recursion: fields that the contract does
 * not know may be nested deeper than the stack allows.
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

/** The caller's body, and the body for the upstream. */
export interface Asked {
  /** The protocol of the caller. */
  readonly protocol: 'chat' | 'responses' | 'images';
  readonly asked: Readonly<Record<string, unknown>>;
  readonly request: Readonly<Record<string, unknown>>;
}

/** Evidence of an answer that was not sent to the caller and whose input is charged anyway; null for images, whose input has no price. */
export const inputAlone = ({ protocol, request }: Asked, usage: Usage | null): Evidence | null =>
  protocol === 'images' ? null : { usage, produced: null, pictures: null, tools: {}, request };

/** Evidence of an answer that the caller did not wait for: it may already contain hidden reasoning. */
export function cutInput(asked: Asked): Evidence | null {
  const evidence = inputAlone(asked, null);
  return evidence && { ...evidence, cut: { isUnbounded: asksForThoughts(asked.request), sealedBytes: 0 } };
}

/** A chat vendor runs one search for a request that asks for it; its answer does not report it. */
const searchesOf = ({ web_search_options: search }: Asked['request']): HostedCalls => (isSet(search) ? { web_search_call: 1 } : {});

/** Evidence of a whole answer. */
export function evidenceIn(bytes: Buffer, usage: Usage | null, { protocol, asked, request }: Asked): Evidence {
  if (protocol === 'images') return { usage, produced: null, tools: {}, request, pictures: picturesIn(asked, bytes) };
  const tools = protocol === 'responses' ? countHostedCalls(bytes) : searchesOf(request);
  return { usage, produced: producedIn(bytes, usage), tools, request, pictures: null };
}

/** Matches the fields that carry new text in a stream. A responses stream repeats each text at its end; the repetition is not matched. */
const grown: Readonly<Record<Asked['protocol'], RegExp | null>> = {
  chat: /"(?:content|arguments|input|reasoning_content|reasoning|refusal)"\s*:\s*"/g,
  responses: /"delta"\s*:\s*"/g,
  images: null,
};
/** Matches the fields that carry text in a whole answer. */
const said = /"(?:content|arguments|input|reasoning_content|reasoning|refusal|text)"\s*:\s*"/g;

function read(produced: Produced, text: string, openings: RegExp): void {
  for (const { index, 0: opening } of text.matchAll(openings)) {
    const start = index + opening.length;
    produced.add(unescaped(text.slice(start, closingQuote(text, start))));
  }
}

/** The index of the quote that ends the JSON string starting here. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}

/** The text of a whole answer, to be counted; null when the reported usage has output tokens. */
function producedIn(bytes: Buffer, usage: Usage | null): Produced | null {
  if (usage !== null && usage.output > 0) return null;
  const produced = new Produced();
  read(produced, bytes.toString(), said);
  return produced;
}

/** Whether the usage of a failed answer reports any tokens. */
export const saysSomething = (usage: Usage | null): usage is Usage => usage !== null && usage.input + usage.output > 0;

/** A stream reader that measures what is sent to the caller. */
export class MeteredReader extends PassThroughReader {
  readonly #request: Asked['request'];
  readonly #grown: RegExp | null;
  readonly #tools: HostedCallCounter | null;
  readonly #pictures: PictureWatch | null;
  readonly #thoughts: HiddenThoughts | null;
  /** Text since the upstream last reported its output: some upstreams report all along, some only at the end. */
  #produced = new Produced();
  /** Whether the caller was sent text, or the upstream reported usage for a failed answer: then a failed answer is charged. */
  #isOwed = false;

  /** `isMeasured`: whether the usage will be needed; if not, nothing is counted. */
  constructor(inner: StreamReader, { protocol, asked, request }: Asked, isMeasured = true) {
    super(inner);
    this.#request = request;
    this.#grown = isMeasured ? grown[protocol] : null;
    this.#tools = isMeasured && protocol === 'responses' ? new HostedCallCounter() : null;
    this.#thoughts = isMeasured && protocol !== 'images' ? new HiddenThoughts() : null;
    this.#pictures = isMeasured && protocol === 'images' ? new PictureWatch(asked) : null;
  }

  /** What to charge for an answer that ended so; null when nothing. `isWhole`: the upstream sent all of it, even if the caller had disconnected. */
  evidence(end: 'completed' | 'failed' | 'client_gone', isWhole = end === 'completed'): Evidence | null {
    const pictures = this.#pictures?.counted(end) ?? null;
    if (pictures ? pictures.count === 0 : end === 'failed' && !this.#isOwed) return null;
    const tools = this.#tools?.calls ?? (this.#isOwed || isWhole ? searchesOf(this.#request) : {});
    const cut = end === 'client_gone' && !isWhole && !pictures ? this.#cut() : null;
    return { usage: this.usage, produced: this.#produced, pictures, tools, request: this.#request, cut };
  }

  /** What cannot be counted of an answer that was cut off; null when the upstream has reported its output, or nothing is measured. */
  #cut(): Hidden | null {
    if (!this.#thoughts || (this.usage !== null && this.usage.output > 0)) return null;
    // Only a chat stream may reason without a trace; a responses stream has reasoning items.
    return this.#thoughts.hidden(this.#grown === grown.chat && asksForThoughts(this.#request));
  }

  override pass(frames: Buffer): Buffer {
    const before = this.inner.usage;
    const out = super.pass(frames);
    if (out.length > 0 && this.#grown) read(this.#produced, out.toString(), this.#grown);
    this.#tools?.see(out);
    this.#thoughts?.see(out);
    this.#pictures?.see(out);
    this.#isOwed ||= this.#produced.length > 0 || (this.failure !== null && this.usage !== before && saysSomething(this.usage));
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
    if (usage !== before && usage !== null && usage.output > 0) this.#produced = new Produced();
  }
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    // Not valid JSON: count the raw text.
    return text;
  }
}
