/** The expected charge, computed apart from the gateway: tokens of each class times prices, rounded up once. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Micro-dollars per million tokens, and per call of a tool. */
const prices = { input: 1_250_000n, cachedInput: 125_000n, cacheWrite: 1_500_000n, output: 10_000_000n };
const toolPrices: Readonly<Record<string, bigint>> = { web_search_call: 10_000n, image_generation_call: 40_000n };

/** The same as an operator writes them. */
export const tokenPrices = {
  input: '1.25',
  cachedInput: '0.125',
  cacheWrite: '1.5',
  output: '10',
  tools: { web_search_call: '0.01', image_generation_call: '0.04' },
};
export const imagePrices = { images: { '1024x1024/low': '0.01', '1024x1024/high': '0.17', '1536x1024/high': '0.25', default: '0.19' } };
const pictureMicros: Readonly<Record<string, bigint>> = {
  '1024x1024/low': 10_000n,
  '1024x1024/high': 170_000n,
  '1536x1024/high': 250_000n,
};

export interface Tokens {
  readonly input: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
  readonly output: number;
  readonly reasoning?: number;
  readonly tools?: Readonly<Record<string, number>>;
}

export function tokenCost({ input, cachedInput = 0, cacheWrite = 0, output, tools = {} }: Tokens): bigint {
  const tokens =
    BigInt(input) * prices.input +
    BigInt(cachedInput) * prices.cachedInput +
    BigInt(cacheWrite) * prices.cacheWrite +
    BigInt(output) * prices.output;
  const calls = Object.entries(tools).reduce((sum, [type, count]) => sum + (toolPrices[type] ?? 0n) * BigInt(count), 0n);
  return (tokens + calls * 1_000_000n + 999_999n) / 1_000_000n;
}

export const pictureCost = (kind: string, count: number): bigint => (pictureMicros[kind] ?? 190_000n) * BigInt(count);

export const tokensOf = (text: string): number => (text === '' ? 0 : countTokens(text));

/** The upstream reported no usage: marked as estimated, the output within these bounds. */
export interface Estimated {
  readonly kind: 'estimated';
  readonly output: readonly [least: number, most: number];
  /** What the upstream said of it, as far as it did; else that of the request. */
  readonly input?: number;
  readonly cost?: bigint;
  /** Where nothing may have come. */
  readonly mayBeVoid?: boolean;
  /** Where all that came may have been counted by the upstream. */
  readonly mayBeReported?: boolean;
}

/** The expected charge. */
export type Expected =
  /** The call never got a hold. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'voided' }
  /** To the last millionth. */
  | { readonly kind: 'exact'; readonly cost: bigint; readonly metered: object }
  | Estimated
  /** Charged up to the hold; the operator bears the rest. */
  | { readonly kind: 'overrun' }
  /** Depends on timing: only that it ended. */
  | { readonly kind: 'ended' };
