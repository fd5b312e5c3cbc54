/** What the caller of a stream that we write is shown: the writer records it while it writes, so the frames need not be searched. */
import type { Hidden, ShownOutput } from '../shown-output.ts';
import { Produced } from '../wire/output-text.ts';

export class WrittenOutput implements ShownOutput {
  readonly #hasItems: boolean;
  #text = new Produced();
  #begun = 0;
  #told = 0;
  #encryptedBytes = 0;

  /** `hasItems`: whether the protocol shows reasoning and tool calls as items. */
  constructor(hasItems: boolean) {
    this.#hasItems = hasItems;
  }

  /** Does nothing: the writer has added the text already. */
  see(): void {}

  get text(): Produced {
    return this.#text;
  }

  forgetText(): void {
    this.#text = new Produced();
  }

  /** None: a translated answer holds no calls of hosted tools. */
  get calls(): Readonly<Record<string, number>> | null {
    return this.#hasItems ? {} : null;
  }

  add(text: string): void {
    this.#text.add(text);
  }

  openThought(): void {
    this.#begun += 1;
  }

  /** `encrypted`: the encrypted reasoning, when the caller gets it. */
  closeThought(encrypted: string | undefined): void {
    if (encrypted === undefined) return;
    this.#told += 1;
    this.#encryptedBytes += encrypted.length;
  }

  hidden(areAsked: boolean): Hidden {
    return { isUnbounded: this.#hasItems ? this.#begun > this.#told : areAsked, encryptedBytes: this.#encryptedBytes };
  }
}
