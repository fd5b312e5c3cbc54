/** The events of a response in canonical form, between the protocols of the upstream and the caller. */

import type { GatewayError } from '../../primitives/errors.ts';
import type { Usage } from '../usage.ts';
import type { Json } from './canonical-request.ts';

export interface Logprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[] | null;
  readonly top: readonly { readonly token: string; readonly logprob: number; readonly bytes: readonly number[] | null }[];
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/**
 * The events of a response, in order. Consecutive deltas of one kind belong to one item. `call` opens a call, and `arguments` extend the call with
 * that `index` (0, 1, 2, … in order of opening). A new item ends the previous one, so `arguments` extend only the last item. If an upstream
 * interleaves calls, its reader sorts the pieces. Only `usage` can follow `finish`, and the last usage counts. `failed` can end a stream at any
 * point. A stream without `finish` or `failed` was cut off.
 */
export type CanonicalEvent =
  | { readonly kind: 'start' }
  /** Text of a reasoning summary. A new `part` starts a new paragraph. */
  | { readonly kind: 'reasoning'; readonly part: number; readonly text: string }
  /** Ends the preceding reasoning with its encrypted form. Can arrive without any text. */
  | { readonly kind: 'encrypted'; readonly encrypted: string }
  | { readonly kind: 'text'; readonly text: string; readonly logprobs?: readonly Logprob[] }
  | { readonly kind: 'annotation'; readonly annotation: Readonly<Record<string, Json>> & { readonly type: string } }
  | { readonly kind: 'refusal'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly index: number;
      readonly form: 'function' | 'custom';
      readonly callId: string;
      readonly name: string;
      readonly namespace: string | null;
    }
  | { readonly kind: 'arguments'; readonly index: number; readonly text: string }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'finish'; readonly reason: FinishReason }
  | { readonly kind: 'failed'; readonly error: GatewayError };
