/**
 * Chooses where a prompt is cached, for protocols that cache only what is marked (decision 0009). It uses the caller's marks, or else marks the part that the
 * next call is likely to repeat.
 */
import { type Fields, isFields } from '../../primitives/fields.ts';
import type { CacheMark, CanonicalRequest, MessageItem, OutputItem } from './canonical-request.ts';

export type Retention = NonNullable<CacheMark['retention']>;

const SHORT_RETENTIONS = new Set<unknown>(['5m', 'in_memory', 'in-memory']);

/** Any retention over five minutes counts as one hour, the only other value in these protocols. */
const toRetention = (ttl: unknown): Retention => (typeof ttl !== 'string' || SHORT_RETENTIONS.has(ttl) ? '5m' : '1h');

/** Returns a field to spread into a part or a tool. */
export function readCacheMark(value: Fields): { readonly cacheMark?: CacheMark } {
  const { prompt_cache_breakpoint: breakpoint, cache_control: mark = breakpoint } = value;
  if (!isFields(mark)) return {};
  const retention = mark.ttl === undefined || mark.ttl === null ? null : toRetention(mark.ttl);
  return { cacheMark: { retention, ...(isFields(breakpoint) && { breakpoint }) } };
}

/** The field of a part for an OpenAI upstream. Empty if the part has no breakpoint. */
export const writeBreakpoint = ({ cacheMark }: { readonly cacheMark?: CacheMark }): { readonly prompt_cache_breakpoint?: Fields } =>
  cacheMark?.breakpoint ? { prompt_cache_breakpoint: cacheMark.breakpoint } : {};

/** Tracks cacheable parts of a request in the provider's reading order. The caller's marks are recorded while blocks are written. */
export class PromptCachePlan {
  readonly #turn: CanonicalRequest;
  readonly #isAuto: boolean;
  readonly #marks = new Map<object, CacheMark>();

  /** `isAuto`: add marks if the caller sets none. */
  constructor(turn: CanonicalRequest, isAuto: boolean) {
    this.#turn = turn;
    this.#isAuto = isAuto;
  }

  /** Returns the block and records the caller's mark, if any. */
  markBlock<Block extends object>(block: Block, mark: CacheMark | undefined): Block {
    if (mark) this.#marks.set(block, mark);
    return block;
  }

  /** Returns the blocks that end a cached part, with their retention. `speeches` contains the conversation without blocks that can't be marked. */
  planMarks({ tools, system, speeches: markableMessages }: CacheableBlocks): ReadonlyMap<object, Retention> {
    const allBlocks = [...tools, ...system, ...markableMessages.flatMap(({ blocks }) => blocks)];
    const markedBlocks = allBlocks.filter((block) => this.#marks.has(block));
    const isCallerControlled = markedBlocks.length > 0 || getCacheOptions(this.#turn).mode === 'explicit';
    const chosenBlocks = isCallerControlled
      ? markedBlocks
      : this.#isAuto && isLikelyRepeated(this.#turn)
        ? findStableEnds({ tools, system, speeches: markableMessages })
        : [];
    const retention = toRetention(getCacheOptions(this.#turn).ttl ?? this.#turn.hints.prompt_cache_retention);
    return raiseEarlierRetentions(chosenBlocks.slice(-MAX_MARKS).map((block) => [block, this.#marks.get(block)?.retention ?? retention]));
  }
}

/** The caller's cache options that have no effect because nothing is marked. */
export function findUnusedCacheOptions(turn: CanonicalRequest, isAuto: boolean): readonly string[] {
  const isAutoMarked = isAuto && isLikelyRepeated(turn) && getCacheOptions(turn).mode !== 'explicit';
  if (isAutoMarked || hasMarks(turn)) return [];
  const { prompt_cache_options: options, prompt_cache_retention: retention } = turn.hints;
  return [
    ...(isFields(options) && Object.keys(options).length > 0 ? ['prompt_cache_options'] : []),
    ...(retention ? ['prompt_cache_retention'] : []),
  ];
}

/** The caller's marks that aren't sent because later marks reach the provider's limit. */
export function findDroppedMarks(
  { tools, items }: CanonicalRequest,
  getPath: (item: MessageItem | OutputItem, index: number) => string,
): readonly string[] {
  const toolMarkPaths = tools.flatMap((tool) => (tool.kind !== 'hosted' && tool.cacheMark ? [getMarkPath(tool.path, tool.cacheMark)] : []));
  const itemMarkPaths = items.flatMap((item) =>
    item.kind === 'message' || item.kind === 'output'
      ? item.parts.flatMap(({ cacheMark }, index) => (cacheMark ? [getMarkPath(getPath(item, index), cacheMark)] : []))
      : [],
  );
  return [...toolMarkPaths, ...itemMarkPaths].slice(0, -MAX_MARKS);
}

export const getMarkPath = (path: string, { breakpoint }: CacheMark): string =>
  `${path}.${breakpoint ? 'prompt_cache_breakpoint' : 'cache_control'}`;

const hasMarks = ({ items, tools }: CanonicalRequest): boolean =>
  tools.some((tool) => tool.kind !== 'hosted' && tool.cacheMark) ||
  items.some((item) => (item.kind === 'message' || item.kind === 'output') && item.parts.some(({ cacheMark }) => cacheMark));

interface CacheableBlocks {
  readonly tools: readonly object[];
  readonly system: readonly object[];
  readonly speeches: readonly { readonly role: 'user' | 'assistant'; readonly blocks: readonly object[] }[];
}

/** Providers reject requests with more marks. */
const MAX_MARKS = 4;

const getCacheOptions = ({ hints: { prompt_cache_options: options } }: CanonicalRequest): Fields => (isFields(options) ? options : {});

/**
 * A cache write costs more than plain input, so another call must read it. Likely for agents with tools, for continued conversations, and if the
 * caller sets `prompt_cache_key`.
 */
const isLikelyRepeated = ({ tools, items, hints }: CanonicalRequest): boolean =>
  tools.length > 0 ||
  typeof hints.prompt_cache_key === 'string' ||
  items.some((item) => item.kind !== 'message' || item.role === 'assistant');

/**
 * The ends of the tools, the instructions, and the last two user messages. This call writes up to the last one and reads the previous call's cache.
 */
function findStableEnds({ tools, system, speeches: markableMessages }: CacheableBlocks): object[] {
  const recentUserMessages = markableMessages.filter(({ role }) => role === 'user').slice(-2);
  return [tools.at(-1), system.at(-1), ...recentUserMessages.map(({ blocks }) => blocks.at(-1))].filter((block) => block !== undefined);
}

/** Providers reject a mark with a longer retention than an earlier mark. */
function raiseEarlierRetentions(marks: readonly (readonly [object, Retention])[]): ReadonlyMap<object, Retention> {
  const lastLongIndex = marks.findLastIndex(([, retention]) => retention === '1h');
  return new Map(marks.map(([block, retention], index) => [block, index <= lastLongIndex ? '1h' : retention]));
}
