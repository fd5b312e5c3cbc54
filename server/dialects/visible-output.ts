/** Records the output that a stream's caller received, for metering and history. */
import type { Fields } from '../primitives/fields.ts';
import type { HostedCalls } from './asked.ts';
import type { Produced } from './wire/frames.ts';

/** Hidden reasoning in the part of a response that has arrived. */
export interface Hidden {
  /** Whether there is reasoning of unknown size. */
  readonly isUnbounded: boolean;
  /** Bytes of encrypted reasoning; it has at most as many tokens. */
  readonly encryptedBytes: number;
}

/** Output that a stream's caller received. It's counted if the upstream reports no usage. */
export interface ShownOutput {
  /** Takes frames that are sent to the caller. */
  see(frames: Buffer): void;
  /** The text since the last `forgetText`, each piece once. */
  readonly text: Produced;
  /** Drops the text: the upstream has counted it. */
  forgetText(): void;
  /** Calls of tools that the upstream ran; null in a protocol that doesn't show them. */
  readonly calls: HostedCalls | null;
  /** `areAsked`: whether the request asks for reasoning; it counts in a protocol without reasoning items. */
  hidden(areAsked: boolean): Hidden;
}

/** The same for a stream that we write ourselves, whose frames needn't be read. */
export interface WrittenStream {
  readonly output: ShownOutput;
  /** The response that the terminal event holds; null before it, in chat, and after a failure. */
  readonly finished: Fields | null;
}
