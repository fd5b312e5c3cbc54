/** Reads the usage that an upstream reports in a response or a stream. If the upstream reports none, keeps the text for a token count. */

import { isReasoningRequested } from '../protocols/canonical/reasoning-effort.ts';
import {
  type CallerProtocol,
  countCompleteHostedCalls,
  createDeliveredOutput,
  type DeliveredOutput,
  type HiddenReasoning,
} from '../protocols/delivered-output.ts';
import { countUnreportedCalls } from '../protocols/hosted-calls.ts';
import { countImages, ImageStreamCounter } from '../protocols/images/image-count.ts';
import { extractResponseText, ProducedText } from '../protocols/produced-text.ts';
import { PassThroughReader, type StreamReader } from '../protocols/stream-reader.ts';
import type { Usage } from '../protocols/usage.ts';
import type { UsageEvidence } from './measured-usage.ts';

/** The caller's body, and the body for the upstream. */
export interface MeteredRequest {
  /** The caller's protocol. */
  readonly protocol: CallerProtocol;
  readonly callerRequest: Readonly<Record<string, unknown>>;
  readonly request: Readonly<Record<string, unknown>>;
}

/** Evidence of a response whose input is charged although it wasn't sent to the caller. Null for images, whose input has no price. */
export const toInputEvidence = ({ protocol, request }: MeteredRequest, usage: Usage | null): UsageEvidence | null =>
  protocol === 'images' ? null : { usage, producedText: null, imageCount: null, tools: {}, request };

/** Evidence of a response that the caller didn't wait for. It may already contain hidden reasoning. */
export function toAbortedInputEvidence(request: MeteredRequest): UsageEvidence | null {
  const evidence = toInputEvidence(request, null);
  return evidence && { ...evidence, hiddenReasoning: { isUnbounded: isReasoningRequested(request.request), encryptedBytes: 0 } };
}

/** Evidence of a complete response. */
export function readEvidence(bytes: Buffer, usage: Usage | null, { protocol, callerRequest, request }: MeteredRequest): UsageEvidence {
  if (protocol === 'images') return { usage, producedText: null, tools: {}, request, imageCount: countImages(callerRequest, bytes) };
  return {
    usage,
    producedText: readProducedText(bytes, usage),
    tools: countCompleteHostedCalls(bytes, protocol, request),
    request,
    imageCount: null,
  };
}

/** Returns the text of a complete response, to be counted, or null if the reported usage has output tokens. */
function readProducedText(bytes: Buffer, usage: Usage | null): ProducedText | null {
  if (usage !== null && usage.output > 0) return null;
  return extractResponseText(bytes);
}

/** Whether the usage of a failed response contains any tokens. */
export const hasTokens = (usage: Usage | null): usage is Usage => usage !== null && usage.input + usage.output > 0;

/** A stream reader that measures the output sent to the caller. */
export class MeteredReader extends PassThroughReader {
  readonly #request: MeteredRequest['request'];
  readonly #shownOutput: DeliveredOutput | null;
  readonly #imageCounter: ImageStreamCounter | null;
  /** Whether a failed response is charged, because the caller received text or the upstream reported usage. */
  #isBillable = false;

  /** `isMeasured`: whether the usage is needed. If false, nothing is counted. */
  constructor(inner: StreamReader, { protocol, callerRequest, request }: MeteredRequest, isMeasured = true) {
    super(inner);
    this.#request = request;
    this.#shownOutput = isMeasured ? (inner.written?.output ?? createDeliveredOutput(protocol)) : null;
    this.#imageCounter = isMeasured && protocol === 'images' ? new ImageStreamCounter(callerRequest) : null;
  }

  /**
   * Returns the usage to charge for a response that ended this way, or null. `isComplete`: whether the upstream completed the response, even
   * if the caller disconnected.
   */
  getEvidence(end: 'completed' | 'failed' | 'client_disconnected', isComplete = end === 'completed'): UsageEvidence | null {
    const imageCount = this.#imageCounter?.getImageCount(end) ?? null;
    if (imageCount ? imageCount.count === 0 : end === 'failed' && !this.#isBillable) return null;
    const tools = this.#shownOutput?.calls ?? (this.#isBillable || isComplete ? countUnreportedCalls(this.#request) : {});
    const hiddenReasoning = end === 'client_disconnected' && !isComplete && !imageCount ? this.#getHiddenReasoning() : null;
    return {
      usage: this.usage,
      producedText: this.#shownOutput?.text ?? new ProducedText(),
      imageCount,
      tools,
      request: this.#request,
      hiddenReasoning,
    };
  }

  /** Returns the uncountable usage of an aborted response, or null if the upstream has reported its output, or if nothing is measured. */
  #getHiddenReasoning(): HiddenReasoning | null {
    if (!this.#shownOutput || (this.usage !== null && this.usage.output > 0)) return null;
    return this.#shownOutput.getHiddenReasoning(isReasoningRequested(this.#request));
  }

  override transform(frames: Buffer): Buffer {
    const usageBefore = this.inner.usage;
    const output = super.transform(frames);
    this.#shownOutput?.observe(output);
    this.#imageCounter?.observe(output);
    this.#isBillable ||=
      (this.#shownOutput?.text.length ?? 0) > 0 || (this.failure !== null && this.usage !== usageBefore && hasTokens(this.usage));
    this.#forgetCountedText(usageBefore);
    return output;
  }
  override flush(): Buffer {
    const usageBefore = this.inner.usage;
    const output = super.flush();
    this.#forgetCountedText(usageBefore);
    return output;
  }

  #forgetCountedText(usageBefore: Usage | null): void {
    const { usage } = this.inner;
    if (usage !== usageBefore && usage !== null && usage.output > 0) this.#shownOutput?.forgetText();
  }
}
