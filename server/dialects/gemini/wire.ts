/** The words of generateContent, as far as they are written or read here (wire format of Gemini upstreams). */

/** The tag of packed encrypted reasoning. */
export const PROVIDER = 'gemini';

/** Longest name of a function. */
export const MAX_TOOL_NAME = 64;

/** The vendor's own word for a call that it did not sign itself, or whose signature is lost: newer models refuse a call without one. */
export const UNSIGNED = 'skip_thought_signature_validator';

/** Models before the third generation take a budget of tokens where later ones take a level, and never ask for signatures. */
export const isOldModel = (model: string): boolean => /^(models\/)?(gemini-[12](\D|$)|gemma|learnlm)/.test(model);

export interface Part {
  readonly text?: string;
  readonly thought?: true;
  readonly thoughtSignature?: string;
  readonly inlineData?: { readonly mimeType: string; readonly data: string };
  /** `id`: only one that the vendor gave. */
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: Readonly<Record<string, unknown>> };
  readonly functionResponse?: { readonly id?: string; readonly name: string; readonly response: { readonly result: string } };
}

/** A signature, and the kind of part that it must be sent back on. `length`: characters of the signed part's text. */
export interface Signed {
  readonly provider: typeof PROVIDER;
  readonly on: 'call' | 'text' | 'thought';
  readonly signature: string;
  readonly length: number;
}
