/** Bounds what cannot be counted of an answer that was cut off for a disconnected caller: it is charged at its bound, so that disconnecting saves nothing (docs/decisions/0037). */
import { isFields } from '../../contract/rule.ts';
import { TOKENS_OF_PICTURE } from '../dialects/wire/attachments.ts';
import { eachFrame, frameObject } from '../dialects/wire/frames.ts';

/** Reasoning that was hidden in an answer, as far as it arrived. */
export interface Hidden {
  /** Whether there is reasoning of unknown size. */
  readonly isUnbounded: boolean;
  /** Bytes of encrypted reasoning: its tokens are at most as many. */
  readonly sealedBytes: number;
}

const REASONING = Buffer.from('"reasoning');
/** Reasoning text in a chat event. */
const SHOWN = /"reasoning(?:_content)?"\s*:\s*"[^"]/;
const ITEM = Buffer.from('response.output_item.');

/** Watches a stream for reasoning: items of a responses stream, and text in a chat stream. */
export class HiddenThoughts {
  #begun = 0;
  #told = 0;
  #sealedBytes = 0;
  #isShown = false;

  see(frames: Buffer): void {
    if (!frames.includes(REASONING)) return;
    this.#isShown ||= SHOWN.test(frames.toString('latin1'));
    eachFrame(frames, (frame) => {
      const event = frame.includes(ITEM) ? frameObject(frame) : null;
      if (!event || !isFields(event.item) || event.item.type !== 'reasoning') return;
      if (event.type === 'response.output_item.added') this.#begun += 1;
      if (event.type === 'response.output_item.done') this.#end(event.item);
    });
  }

  #end({ content, encrypted_content: sealed }: Readonly<Record<string, unknown>>): void {
    // Reasoning that is sent as text is counted as text.
    if (Array.isArray(content) && content.length > 0) this.#told += 1;
    else if (typeof sealed === 'string') {
      this.#told += 1;
      this.#sealedBytes += sealed.length;
    }
  }

  /** `areAsked`: whether the request asks for reasoning in a protocol without reasoning items. */
  hidden(areAsked: boolean): Hidden {
    return { isUnbounded: this.#begun > this.#told || (areAsked && !this.#isShown), sealedBytes: this.#sealedBytes };
  }
}

/** Whether a request asks for reasoning; chat answers rarely show it. */
export function asksForThoughts({ reasoning_effort: own, reasoning }: Readonly<Record<string, unknown>>): boolean {
  const effort = own ?? (isFields(reasoning) ? reasoning.effort : undefined);
  return typeof effort === 'string' && effort !== 'none';
}

/** The most tokens of a request's inline images and files; infinite when it refers to a file of unknown size. */
export function opaqueInput(request: unknown): number {
  let tokens = 0;
  const left = [request];
  while (left.length > 0) {
    const part = left.pop();
    if (Array.isArray(part)) for (const each of part) left.push(each);
    else if (isFields(part)) {
      if (isPicture(part.type) || isPicture(part.media_type) || isPicture(part.mimeType)) tokens += TOKENS_OF_PICTURE;
      else {
        tokens += fileIn(part);
        for (const each of Object.values(part)) if (typeof each === 'object') left.push(each);
      }
    }
  }
  return tokens;
}

const isPicture = (type: unknown): boolean => typeof type === 'string' && /^(?:input_image$|image(?:\/|_url$|$))/.test(type);

/** The most tokens of a file part, in the fields of every dialect: its length, or infinite when it is stored elsewhere. */
function fileIn(part: Readonly<Record<string, unknown>>): number {
  const { data, file_data: fileData, media_type: mediaType, mimeType = mediaType, format = mimeType } = part;
  if (typeof fileData === 'string') return fileData.length;
  if (typeof data === 'string' && typeof format === 'string') return data.length;
  const isElsewhere = typeof part.file_id === 'string' || typeof part.file_url === 'string' || typeof part.fileUri === 'string';
  return isElsewhere || part.type === 'url' ? Number.POSITIVE_INFINITY : 0;
}
