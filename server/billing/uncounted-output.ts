/** What nobody can count of an answer that was cut off for a caller who left: it costs its bound, or hanging up would be cheaper than to read on (docs/decisions/0037). */
import { isFields } from '../../contract/rule.ts';
import { TOKENS_OF_PICTURE } from '../dialects/wire/attachments.ts';
import { eachFrame, frameObject } from '../dialects/wire/frames.ts';

/** What was hidden in an answer, as far as it came. */
export interface Hidden {
  /** Whether there are thoughts of which not even the size is known. */
  readonly isUnbounded: boolean;
  /** Of thoughts that came sealed: no tokenizer makes more of them than there are bytes. */
  readonly sealedBytes: number;
}

const REASONING = Buffer.from('"reasoning');
/** A thought in the words of chat. */
const SHOWN = /"reasoning(?:_content)?"\s*:\s*"[^"]/;
const ITEM = Buffer.from('response.output_item.');

/** Reads along for thoughts: items of a responses stream, and what a chat stream shows of them. */
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
    // What is told in words is counted by them.
    if (Array.isArray(content) && content.length > 0) this.#told += 1;
    else if (typeof sealed === 'string') {
      this.#told += 1;
      this.#sealedBytes += sealed.length;
    }
  }

  /** `areAsked`: whether there must be some, though none are items of the answer. */
  hidden(areAsked: boolean): Hidden {
    return { isUnbounded: this.#begun > this.#told || (areAsked && !this.#isShown), sealedBytes: this.#sealedBytes };
  }
}

/** Whether a request asks for thinking; chat hardly ever shows it. */
export function asksForThoughts({ reasoning_effort: own, reasoning }: Readonly<Record<string, unknown>>): boolean {
  const effort = own ?? (isFields(reasoning) ? reasoning.effort : undefined);
  return typeof effort === 'string' && effort !== 'none';
}

/** What inline pictures and files of a request may come to; infinite where something stands for it that has no size. */
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

/** In the words of every dialect; no tokenizer makes more of a file than it has bytes, unless it is packed, or lies elsewhere. */
function fileIn(part: Readonly<Record<string, unknown>>): number {
  const { data, file_data: fileData, media_type: mediaType, mimeType = mediaType, format = mimeType } = part;
  if (typeof fileData === 'string') return fileData.length;
  if (typeof data === 'string' && typeof format === 'string') return data.length;
  const isElsewhere = typeof part.file_id === 'string' || typeof part.file_url === 'string' || typeof part.fileUri === 'string';
  return isElsewhere || part.type === 'url' ? Number.POSITIVE_INFINITY : 0;
}
