/** Groups blocks into alternating messages of user and assistant, with each tool result after its call. */
import { type CallCode, GatewayError } from '../../primitives/errors.ts';

export interface MessageGroup<Block> {
  readonly role: 'user' | 'assistant';
  readonly blocks: Block[];
}

/** Tool results and their attachments always precede the text blocks, regardless of arrival order. */
interface GrowingGroup<Block> extends MessageGroup<Block> {
  readonly results: Block[];
  readonly companions: Block[];
}

/** Pushes one block at a time, because spreading too many arguments would overflow the stack. */
function appendBlocks<Block>(target: Block[], blocks: readonly Block[]): void {
  for (const block of blocks) target.push(block);
}

/** The result of a call. `companions` are attachments that the result block itself can't contain. */
interface CallResult<Block> {
  readonly callId: string;
  readonly path: string;
  readonly result: Block;
  readonly companions?: readonly Block[];
}

export class Dialogue<Block> {
  readonly #groups: GrowingGroup<Block>[] = [];
  /** Call ID → index of the group with the call. */
  readonly #calls = new Map<string, number>();
  /** Reasoning waits for the next text or call, because it can't form a group alone. */
  #reasoning: Block[] = [];

  addReasoning(blocks: readonly Block[]): void {
    appendBlocks(this.#reasoning, blocks);
  }

  /** Merges consecutive messages of one role into one group. */
  addBlocks(role: 'user' | 'assistant', blocks: readonly Block[]): void {
    if (blocks.length === 0) return;
    const reasoning = role === 'assistant' ? this.#reasoning : [];
    this.#reasoning = [];
    const last = this.#groups.at(-1);
    const group = last?.role === role ? last : this.#openGroup(role);
    appendBlocks(group.blocks, reasoning);
    appendBlocks(group.blocks, blocks);
  }

  addCall(callId: string, block: Block): void {
    this.addBlocks('assistant', [block]);
    this.#calls.set(callId, this.#groups.length - 1);
  }

  /** Puts the result at the start of the group after its call, regardless of arrival order. */
  addResult({ callId, path, result, companions = [] }: CallResult<Block>): void {
    const callGroupIndex = this.#calls.get(callId);
    if (callGroupIndex === undefined) {
      throw new GatewayError<CallCode>('invalid_value', {
        param: path,
        message: `'${path}' is the result of call '${callId}', but no earlier call has this ID.`,
      });
    }
    this.#reasoning = [];
    const group = this.#groups[callGroupIndex + 1] ?? this.#openGroup('user');
    group.results.push(result);
    appendBlocks(group.companions, companions);
  }

  /** The last block if the last group is the assistant's. Null otherwise. */
  get lastBlock(): Block | null {
    const last = this.#groups.at(-1);
    return last?.role === 'assistant' ? (last.blocks.at(-1) ?? null) : null;
  }

  /** Replaces the last block. */
  replaceLast(blocks: readonly Block[]): void {
    this.#groups.at(-1)?.blocks.splice(-1, 1, ...blocks);
  }

  /** `param` is the name of the conversation's field. */
  end(param: string, canAssistantBegin = false): readonly MessageGroup<Block>[] {
    const [first] = this.#groups;
    if (first === undefined || (first.role !== 'user' && !canAssistantBegin)) {
      throw new GatewayError<CallCode>('invalid_value', {
        param,
        message: `'${param}' must begin with a user message for this model.`,
      });
    }
    return this.#groups.map(({ role, results, companions, blocks }) => ({ role, blocks: [...results, ...companions, ...blocks] }));
  }

  #openGroup(role: 'user' | 'assistant'): GrowingGroup<Block> {
    const group = { role, blocks: [], results: [], companions: [] };
    this.#groups.push(group);
    return group;
  }
}
