/** What the caller of a stream was shown of it, as metering and history have to know it. */
import type { Fields } from '../../contract/rule.ts';
import type { HostedCalls } from './responses/hosted-calls.ts';
import type { Produced } from './wire/output-text.ts';

/** Reasoning that was hidden in an answer, as far as it arrived. */
export interface Hidden {
  /** Whether there is reasoning of unknown size. */
  readonly isUnbounded: boolean;
  /** Bytes of encrypted reasoning: its tokens are at most as many. */
  readonly sealedBytes: number;
}

/** What the caller of a stream was shown, for what the upstream does not report. */
export interface ShownOutput {
  /** Takes the frames that the caller gets. */
  see(frames: Buffer): void;
  /** The text since the last `forgetText`, each piece once. */
  readonly text: Produced;
  /** Drops the text: the upstream has counted it. */
  forgetText(): void;
  /** Calls of tools that the upstream ran; null in a protocol that does not show them. */
  readonly calls: HostedCalls | null;
  /** `areAsked`: whether the request asks for reasoning; it counts in a protocol without reasoning items. */
  hidden(areAsked: boolean): Hidden;
}

/** What is known of a stream that we write ourselves: nobody has to read its frames. */
export interface WrittenStream {
  readonly output: ShownOutput;
  /** The response that the terminal event holds; null before it, in chat, and after a failure. */
  readonly finished: Fields | null;
}
