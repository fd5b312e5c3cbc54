/** The words of Converse, as far as they are written or read here (wire format of Amazon Bedrock). */

/** The tag of packed encrypted reasoning. */
export const PROVIDER = 'converse';

/** Longest name of a tool, and longest id of a call. */
export const MAX_TOOL_NAME = 64;
export const MAX_CALL_ID = 64;

interface Bytes {
  /** Base64. */
  readonly bytes: string;
}

export type ContentBlock =
  | { readonly text: string }
  | { readonly image: { readonly format: string; readonly source: Bytes } }
  | { readonly document: { readonly format: string; readonly name: string; readonly source: Bytes } };

export type ReasoningBlock =
  | { readonly reasoningText: { readonly text: string; readonly signature: string } }
  | { readonly redactedContent: string };

export type Block =
  | ContentBlock
  | { readonly reasoningContent: ReasoningBlock }
  | { readonly toolUse: { readonly toolUseId: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> } }
  | { readonly toolResult: { readonly toolUseId: string; readonly content: readonly ContentBlock[] } };

/** Signed reasoning as it is packed. `vendor`: whose models can read it. */
export interface Signed {
  readonly vendor: string;
  readonly block: ReasoningBlock;
}

/** Who made the model (`amazon`, `anthropic`, `meta`, …); the whole id where that does not tell, as with the ARN of a profile. */
export function vendorOf(model: string): string {
  const id = model.slice(model.lastIndexOf('/') + 1).replace(/^(?:us-gov|us|eu|apac|ap|jp|au|ca|sa|me|global)\./, '');
  return /^([a-z]\w*)\./.exec(id)?.[1] ?? model;
}
