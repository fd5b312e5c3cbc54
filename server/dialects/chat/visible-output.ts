/** What the caller of a relayed chat stream was shown, found in its bytes; each chunk holds only new text. */
import type { Hidden, ShownOutput } from '../visible-output.ts';
import { addTexts, Produced } from '../wire/frames.ts';

/** Matches the fields that carry text. */
const grown = /"(?:content|arguments|input|reasoning_content|reasoning|refusal)"\s*:\s*"/g;

const REASONING = Buffer.from('"reasoning');
/** Matches reasoning that is shown as text. */
const thought = /"reasoning(?:_content)?"\s*:\s*"[^"]/;

export class ShownChat implements ShownOutput {
  readonly calls = null;
  text = new Produced();
  #showsThoughts = false;

  see(frames: Buffer): void {
    if (frames.length === 0) return;
    const json = frames.toString();
    addTexts(this.text, json, grown);
    if (!this.#showsThoughts && frames.includes(REASONING)) this.#showsThoughts = thought.test(json);
  }

  forgetText(): void {
    this.text = new Produced();
  }

  /** A chat stream may show no sign of its reasoning. */
  hidden(areAsked: boolean): Hidden {
    return { isUnbounded: areAsked && !this.#showsThoughts, encryptedBytes: 0 };
  }
}
