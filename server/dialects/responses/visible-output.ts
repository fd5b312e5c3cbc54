/** What the caller of a relayed responses stream was shown, found in its bytes: text, reasoning items, calls of the upstream's tools. */
import { ITEM_ADDED, ITEM_DONE } from '../../../contract/response-order.ts';
import { type Fields, isFields } from '../../../contract/rule.ts';
import { HostedCallCounter, type HostedCalls } from '../asked.ts';
import type { Hidden, ShownOutput } from '../visible-output.ts';
import { addTexts, eachFrame, frameObject, Produced } from '../wire/frames.ts';

/** Matches the field that carries new text. Later events repeat each text under other names, which are not matched. */
const grown = /"delta"\s*:\s*"/g;

const REASONING = Buffer.from('"reasoning');
const ITEM = Buffer.from('response.output_item.');

export class ShownResponse implements ShownOutput {
  readonly #calls = new HostedCallCounter();
  text = new Produced();
  #begun = 0;
  #told = 0;
  #encryptedBytes = 0;

  see(frames: Buffer): void {
    if (frames.length === 0) return;
    addTexts(this.text, frames.toString(), grown);
    this.#calls.see(frames);
    if (frames.includes(REASONING)) eachFrame(frames, (frame) => this.#seeItem(frame));
  }

  forgetText(): void {
    this.text = new Produced();
  }

  get calls(): HostedCalls {
    return this.#calls.calls;
  }

  hidden(): Hidden {
    return { isUnbounded: this.#begun > this.#told, encryptedBytes: this.#encryptedBytes };
  }

  #seeItem(frame: Buffer): void {
    const event = frame.includes(ITEM) ? frameObject(frame) : null;
    if (!event || !isFields(event.item) || event.item.type !== 'reasoning') return;
    if (event.type === ITEM_ADDED) this.#begun += 1;
    if (event.type === ITEM_DONE) this.#endThought(event.item);
  }

  #endThought({ content, encrypted_content: encrypted }: Fields): void {
    // Reasoning that is sent as text is counted as text.
    if (Array.isArray(content) && content.length > 0) this.#told += 1;
    else if (typeof encrypted === 'string') {
      this.#told += 1;
      this.#encryptedBytes += encrypted.length;
    }
  }
}
