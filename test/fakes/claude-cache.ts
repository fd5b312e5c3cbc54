/** The prompt cache of Claude: it reads and writes only what is marked, by whole prefixes, and counts each token once. */
import { createHash } from 'node:crypto';
import type { FakeRequest } from './exchange.ts';

type Fields = Readonly<Record<string, unknown>>;

/** In the format of the provider. */
export interface ClaudeUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation: { readonly ephemeral_5m_input_tokens: number; readonly ephemeral_1h_input_tokens: number };
  readonly output_tokens: number;
}

/** Shorter prompts are not cached, and it looks so many blocks back from a mark for something that it has. */
const LEAST_TOKENS = 1_024;
const LOOKBACK = 20;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

interface Block {
  readonly tokens: number;
  /** Of everything up to and including this block. */
  readonly prefix: string;
  readonly total: number;
  readonly ttl: '5m' | '1h' | null;
}

/** The blocks of a request in the order of its cache: tools, instructions, messages. A mark is no part of the prompt. */
function blocksOf({ tools, system, messages }: Fields): Block[] {
  const instructions = typeof system === 'string' ? [{ type: 'text', text: system }] : listOf(system);
  const said = listOf(messages).flatMap(({ role, content }) => listOf(content).map((block) => ({ role, ...block })));
  const hash = createHash('sha256');
  let total = 0;
  return [...listOf(tools), ...instructions, ...said].map((each: Fields) => {
    const { cache_control: mark, ...block } = each;
    const text = JSON.stringify(block);
    hash.update(text);
    const tokens = Math.ceil(text.length / 4);
    total += tokens;
    const ttl = isFields(mark) ? (mark.ttl === '1h' ? '1h' : '5m') : null;
    return { tokens, total, prefix: hash.copy().digest('hex'), ttl };
  });
}

export class ClaudeCache {
  readonly #known = new Set<string>();

  /** What the request reads and writes; throws what the provider would reject. */
  count({ fields }: Pick<FakeRequest, 'fields'>, outputTokens = 20): ClaudeUsage {
    const blocks = blocksOf(fields);
    const marks = blocks.flatMap(({ ttl }, index) => (ttl === null ? [] : [{ index, ttl }]));
    if (marks.length > 4) throw new Error('A maximum of 4 blocks with cache_control may be provided.');
    if (marks.some(({ ttl }, at) => ttl === '1h' && marks.slice(0, at).some((before) => before.ttl === '5m')))
      throw new Error('A 1h mark must not come after a 5m mark.');
    const total = blocks.at(-1)?.total ?? 0;
    const read = Math.max(0, ...marks.map(({ index }) => this.#found(blocks, index)));
    const written = { '5m': 0, '1h': 0 };
    let reached = read;
    for (const { index, ttl } of marks) {
      const block = blocks[index];
      if (block === undefined || block.total < LEAST_TOKENS) continue;
      this.#known.add(block.prefix);
      written[ttl] += Math.max(0, block.total - reached);
      reached = Math.max(reached, block.total);
    }
    return {
      input_tokens: total - reached,
      cache_creation_input_tokens: written['5m'] + written['1h'],
      cache_read_input_tokens: read,
      cache_creation: { ephemeral_5m_input_tokens: written['5m'], ephemeral_1h_input_tokens: written['1h'] },
      output_tokens: outputTokens,
    };
  }

  /** Tokens of the longest known prefix that ends at this block or shortly before it. */
  #found(blocks: readonly Block[], at: number): number {
    const near = blocks.slice(Math.max(0, at - LOOKBACK), at + 1);
    return near.findLast(({ prefix }) => this.#known.has(prefix))?.total ?? 0;
  }
}
