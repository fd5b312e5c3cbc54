/** Groups messages into alternating speeches of user and assistant, with the results of calls where these upstreams want them. */
import { type CallCode, GatewayError } from '../../errors.ts';

export interface Speech<Block> {
  readonly role: 'user' | 'assistant';
  readonly blocks: Block[];
}
/** Its blocks are what was said: results, and what came along with them, lie ahead of that, however late they came. */
interface Growing<Block> extends Speech<Block> {
  readonly results: Block[];
  readonly companions: Block[];
}

/** One by one: as arguments of one call, too many of them would overflow the stack. */
function append<Block>(to: Block[], blocks: readonly Block[]): void {
  for (const block of blocks) to.push(block);
}

/** Where a result is: its call, its own place, what it is, and what a result cannot hold itself. */
export interface Answer<Block> {
  readonly callId: string;
  readonly path: string;
  readonly result: Block;
  readonly companions?: readonly Block[];
}

export class Dialogue<Block> {
  readonly #speeches: Growing<Block>[] = [];
  /** Call id → the speech that holds the call. */
  readonly #calls = new Map<string, number>();
  /** Reasoning waits for the text or call after it; alone it is no speech. */
  #thoughts: Block[] = [];

  think(blocks: readonly Block[]): void {
    append(this.#thoughts, blocks);
  }

  /** Neighbours of one role become one speech. */
  say(role: 'user' | 'assistant', blocks: readonly Block[]): void {
    if (blocks.length === 0) return;
    const thoughts = role === 'assistant' ? this.#thoughts : [];
    this.#thoughts = [];
    const last = this.#speeches.at(-1);
    const speech = last?.role === role ? last : this.#open(role);
    append(speech.blocks, thoughts);
    append(speech.blocks, blocks);
  }

  call(callId: string, block: Block): void {
    this.say('assistant', [block]);
    this.#calls.set(callId, this.#speeches.length - 1);
  }

  /** All results of one speech lie at the front of the next, however late they came. */
  answer({ callId, path, result, companions = [] }: Answer<Block>): void {
    const asked = this.#calls.get(callId);
    if (asked === undefined) {
      throw new GatewayError<CallCode>('invalid_value', { param: path, message: `${path} answers '${callId}', which is no earlier call.` });
    }
    this.#thoughts = [];
    const speech = this.#speeches[asked + 1] ?? this.#open('user');
    speech.results.push(result);
    append(speech.companions, companions);
  }

  /** The last block when the last speech is the assistant's; null otherwise. */
  get lastSaid(): Block | null {
    const last = this.#speeches.at(-1);
    return last?.role === 'assistant' ? (last.blocks.at(-1) ?? null) : null;
  }

  /** Takes the last block back, to say it in another way. */
  replaceLast(blocks: readonly Block[]): void {
    this.#speeches.at(-1)?.blocks.splice(-1, 1, ...blocks);
  }

  /** `param` names the field that holds the conversation. */
  end(param: string, mayAssistantBegin = false): readonly Speech<Block>[] {
    const [first] = this.#speeches;
    if (first === undefined || (first.role !== 'user' && !mayAssistantBegin)) {
      throw new GatewayError<CallCode>('invalid_value', {
        param,
        message: `'${param}' has to begin with a message of the user for this model.`,
      });
    }
    return this.#speeches.map(({ role, results, companions, blocks }) => ({ role, blocks: [...results, ...companions, ...blocks] }));
  }

  #open(role: 'user' | 'assistant'): Growing<Block> {
    const speech = { role, blocks: [], results: [], companions: [] };
    this.#speeches.push(speech);
    return speech;
  }
}
