/**
 * Where a prompt may be cached, for protocols that cache only what is marked (decision 0009): what the caller marks, or else the part of the prompt that the
 * next call is likely to repeat.
 */
import { type Fields, isFields } from '../../primitives/fields.ts';
import type { CacheMark, Turn } from './turn.ts';

export type Retention = NonNullable<CacheMark['retention']>;

const SHORT = new Set<unknown>(['5m', 'in_memory', 'in-memory']);

/** A longer time than five minutes, in any form, is an hour: these protocols have no other. */
const retentionOf = (ttl: unknown): Retention => (typeof ttl !== 'string' || SHORT.has(ttl) ? '5m' : '1h');

/** Spread into a part or a tool. */
export function readCacheMark(value: Fields): { readonly cacheMark?: CacheMark } {
  const { prompt_cache_breakpoint: breakpoint, cache_control: mark = breakpoint } = value;
  if (!isFields(mark)) return {};
  const retention = mark.ttl === undefined || mark.ttl === null ? null : retentionOf(mark.ttl);
  return { cacheMark: { retention, ...(isFields(breakpoint) && { breakpoint }) } };
}

/** The field of a part for an upstream of OpenAI; empty without such a mark. */
export const writeBreakpoint = ({ cacheMark }: { readonly cacheMark?: CacheMark }): { readonly prompt_cache_breakpoint?: Fields } =>
  cacheMark?.breakpoint ? { prompt_cache_breakpoint: cacheMark.breakpoint } : {};

/** Cacheable parts of a request, in the order in which the provider reads them. The caller's own marks are noted while the blocks are written. */
export class CachePlan {
  readonly #turn: Turn;
  readonly #isAuto: boolean;
  readonly #marks = new Map<object, CacheMark>();

  /** `isAuto`: whether a caller who marks nothing gets marks. */
  constructor(turn: Turn, isAuto: boolean) {
    this.#turn = turn;
    this.#isAuto = isAuto;
  }

  /** Returns the block, which the caller has marked if `mark` is set. */
  note<Block extends object>(block: Block, mark: CacheMark | undefined): Block {
    if (mark) this.#marks.set(block, mark);
    return block;
  }

  /** The blocks that end a cached part, with its retention. `speeches`: of the conversation, without blocks that can't be marked. */
  settle({ tools, system, speeches }: Markable): ReadonlyMap<object, Retention> {
    const all = [...tools, ...system, ...speeches.flatMap(({ blocks }) => blocks)];
    const own = all.filter((block) => this.#marks.has(block));
    const isOwn = own.length > 0 || optionsOf(this.#turn).mode === 'explicit';
    const chosen = isOwn ? own : this.#isAuto && isLikelyRepeated(this.#turn) ? stableEnds({ tools, system, speeches }) : [];
    const asked = retentionOf(optionsOf(this.#turn).ttl ?? this.#turn.hints.prompt_cache_retention);
    return withLongerFirst(chosen.slice(-MAX_MARKS).map((block) => [block, this.#marks.get(block)?.retention ?? asked]));
  }
}

/** The options of the caller that have no effect, since nothing is marked. */
export function unusedCacheOptions(turn: Turn, isAuto: boolean): readonly string[] {
  const isMarked = isAuto && isLikelyRepeated(turn) && optionsOf(turn).mode !== 'explicit';
  if (isMarked || hasMarks(turn)) return [];
  const { prompt_cache_options: options, prompt_cache_retention: retention } = turn.hints;
  return [
    ...(isFields(options) && Object.keys(options).length > 0 ? ['prompt_cache_options'] : []),
    ...(retention ? ['prompt_cache_retention'] : []),
  ];
}

const hasMarks = ({ items, tools }: Turn): boolean =>
  tools.some((tool) => tool.kind !== 'hosted' && tool.cacheMark) ||
  items.some((item) => (item.kind === 'message' || item.kind === 'output') && item.parts.some(({ cacheMark }) => cacheMark));

interface Markable {
  readonly tools: readonly object[];
  readonly system: readonly object[];
  readonly speeches: readonly { readonly role: 'user' | 'assistant'; readonly blocks: readonly object[] }[];
}

/** Providers reject a request with more. */
const MAX_MARKS = 4;

const optionsOf = ({ hints: { prompt_cache_options: options } }: Turn): Fields => (isFields(options) ? options : {});

/** A write costs more than plain input, so it must be read again: agents call with tools, conversations with earlier responses, and others say so. */
const isLikelyRepeated = ({ tools, items, hints }: Turn): boolean =>
  tools.length > 0 ||
  typeof hints.prompt_cache_key === 'string' ||
  items.some((item) => item.kind !== 'message' || item.role === 'assistant');

/** Tools, instructions, and the last two messages of the user: this call writes up to the last one, and reads what the previous call wrote up to the other. */
function stableEnds({ tools, system, speeches }: Markable): object[] {
  const said = speeches.filter(({ role }) => role === 'user').slice(-2);
  return [tools.at(-1), system.at(-1), ...said.map(({ blocks }) => blocks.at(-1))].filter((block) => block !== undefined);
}

/** Providers reject a mark that is kept for longer than one before it. */
function withLongerFirst(marks: readonly (readonly [object, Retention])[]): ReadonlyMap<object, Retention> {
  const lastLong = marks.findLastIndex(([, retention]) => retention === '1h');
  return new Map(marks.map(([block, retention], index) => [block, index <= lastLong ? '1h' : retention]));
}
