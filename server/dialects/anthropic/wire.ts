/** The words of the Messages protocol, as far as they are written or read here (wire format of Anthropic upstreams). */
import type { InlineData } from '../non-openai/data-url.ts';

/** The tag of packed encrypted reasoning. */
export const PROVIDER = 'anthropic';

/** The protocol requires a limit on every request. Current models accept this one, and long reasoning with a long response fits into it. */
export const DEFAULT_MAX_TOKENS = 32_000;

/** Longest name of a tool that every version takes. */
export const MAX_TOOL_NAME = 64;

export type Source =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string }
  | { readonly type: 'url'; readonly url: string };

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly source: Source }
  | { readonly type: 'document'; readonly source: Source; readonly title?: string };

export type ThinkingBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

export type Block =
  | ContentBlock
  | ThinkingBlock
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly type: 'tool_result'; readonly tool_use_id: string; readonly content?: string | readonly ContentBlock[] };

export const base64 = ({ mediaType, data }: InlineData): Source => ({ type: 'base64', media_type: mediaType, data });
