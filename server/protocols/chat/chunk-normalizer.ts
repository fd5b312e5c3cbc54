/** Normalizes the chunks of a provider's chat stream to the shape of the contract. */
import { type Fields, isFields } from '../../primitives/fields.ts';
import { withoutProviderPrices } from '../provider-prices.ts';
import { chatUsageNames, correctUsage, withTopLevelUsage } from '../usage.ts';
import { mapList, withValues } from '../wire/with-values.ts';
import { correctFinishReason, requireFinishReason } from './finish-reasons.ts';
import { createStableId, getCreated, isText, withTextArguments, withTextContent } from './normalize-completion.ts';

/** A call of one choice. Some providers send the same index with every call. */
interface OpenCall {
  readonly index: number;
  readonly id: string;
  readonly given: { readonly index: unknown; readonly id: unknown };
  isNamed: boolean;
}

/** The state of a choice so far. */
interface ChoiceState {
  hasEnded: boolean;
  readonly calls: OpenCall[];
}

interface ChunkOptions {
  /** The model ID that the caller requested. */
  readonly model: string;
  readonly showUsage: boolean;
}

export class ChunkNormalizer {
  readonly #options: ChunkOptions;
  readonly #choices = new Map<number, ChoiceState>();
  #id = '';
  #created = 0;
  /** Usage that arrived in a chunk with text. If the caller requested it, it's sent in a separate chunk at the end. */
  #pendingUsage: Fields | null = null;

  constructor(options: ChunkOptions) {
    this.#options = options;
  }

  /** The number of choices that have started. */
  get startedCount(): number {
    return this.#choices.size;
  }
  get haveAllEnded(): boolean {
    return [...this.#choices.values()].every(({ hasEnded }) => hasEnded);
  }

  /** Returns the same chunk if it needs no change, or null if nothing is left for the caller. Throws if the provider aborted the response. */
  normalize(receivedChunk: Fields): Fields | null {
    const chunk = withTopLevelUsage(withoutProviderPrices(receivedChunk));
    const corrected = withValues(this.#withUsage(chunk), this.#createHead(chunk));
    const choices = Array.isArray(corrected.choices) ? corrected.choices : [];
    if (choices.length === 0 && isFields(chunk.usage) && !isFields(corrected.usage)) return null;
    return withValues(corrected, {
      choices: mapList(choices, (choice, at) => (isFields(choice) ? this.#normalizeChoice(choice, at) : choice)),
    });
  }

  /** The chunks still missing at the end of a stream that the provider marked as complete. */
  finish(): Fields[] {
    const openChoices = [...this.#choices].filter(([, { hasEnded }]) => !hasEnded);
    const finalChoices = openChoices.map(([index, state]) => ({ index, delta: {}, finish_reason: this.#endChoice(state) }));
    const usage = this.#pendingUsage;
    return [
      ...finalChoices.map((choice) => this.#createChunk({ choices: [choice] })),
      ...(usage ? [this.#createChunk({ choices: [], usage })] : []),
    ];
  }

  #endChoice(state: ChoiceState): string {
    state.hasEnded = true;
    return correctFinishReason('stop', state.calls.length > 0);
  }

  #createChunk(fields: Fields): Fields {
    return { id: this.#id, object: 'chat.completion.chunk', created: this.#created, model: this.#options.model, ...fields };
  }

  /** All chunks of a response use the ID of the first chunk. */
  #createHead(chunk: Fields): Fields {
    this.#created ||= getCreated(chunk);
    this.#id ||= isText(chunk.id) ? chunk.id : createStableId('chatcmpl-', this.#created, process.hrtime.bigint().toString());
    const created = getCreated(chunk) === chunk.created ? chunk.created : this.#created;
    return { id: this.#id, object: 'chat.completion.chunk', created, model: this.#options.model };
  }

  /** Keeps usage only in chunks without choices, and only for callers who requested it. */
  #withUsage(chunk: Fields): Fields {
    if (chunk.usage === undefined) return chunk;
    const { usage, ...rest } = chunk;
    if (!this.#options.showUsage) return rest;
    if (!isFields(usage)) return chunk;
    const corrected = correctUsage(usage, chatUsageNames);
    const isAlone = !Array.isArray(chunk.choices) || chunk.choices.length === 0;
    this.#pendingUsage = isAlone ? null : corrected;
    return withValues(chunk, { usage: isAlone ? corrected : null });
  }

  #normalizeChoice(choice: Fields, at: number): Fields {
    const index = typeof choice.index === 'number' ? choice.index : at;
    const state = this.#getState(index);
    const delta = this.#normalizeDelta(isFields(choice.delta) ? choice.delta : {}, state);
    const finish_reason = correctFinishReason(requireFinishReason(choice.finish_reason), state.calls.length > 0);
    state.hasEnded ||= finish_reason !== null;
    const isReasonMissing = finish_reason === null && choice.finish_reason === undefined;
    return withValues(choice, { index, delta, ...(!isReasonMissing && { finish_reason }) });
  }

  #getState(index: number): ChoiceState {
    const knownState = this.#choices.get(index);
    if (knownState) return knownState;
    const state: ChoiceState = { hasEnded: false, calls: [] };
    this.#choices.set(index, state);
    return state;
  }

  #normalizeDelta(delta: Fields, { calls }: ChoiceState): Fields {
    const corrected = withTextContent(delta);
    const role = corrected.role === '' ? withValues(corrected, { role: null }) : corrected;
    if (!Array.isArray(role.tool_calls)) return role;
    return withValues(role, {
      tool_calls: mapList(role.tool_calls, (piece) => (isFields(piece) ? this.#normalizeCall(piece, calls) : piece)),
    });
  }

  /**
   * The first piece of a call has an ID, type, and name. Later pieces have none of them, because some clients concatenate the texts of all pieces.
   */
  #normalizeCall(piece: Fields, calls: OpenCall[]): Fields {
    const form = isFields(piece.custom) ? 'custom' : 'function';
    const callBody = isFields(piece[form]) ? piece[form] : {};
    const knownCall = findCall(piece, isText(callBody.name), calls);
    const call = knownCall ?? this.#openCall(piece, calls);
    const corrected = toCallBody(callBody, call.isNamed);
    call.isNamed ||= isText(callBody.name);
    const bodyChange = corrected === callBody ? {} : { [form]: corrected };
    if (!knownCall) return withValues(piece, { index: call.index, id: call.id, type: form, ...bodyChange });
    const { id, type, ...rest } = piece;
    return withValues(id === undefined && type === undefined ? piece : rest, { index: call.index, ...bodyChange });
  }

  #openCall({ index: originalIndex, id }: Fields, calls: OpenCall[]): OpenCall {
    const isFree = typeof originalIndex === 'number' && calls.every(({ index }) => index !== originalIndex);
    const index = isFree ? originalIndex : Math.max(-1, ...calls.map((call) => call.index)) + 1;
    const call = {
      index,
      id: isText(id) ? id : createStableId('call_', this.#id, index),
      given: { index: originalIndex, id },
      isNamed: false,
    };
    calls.push(call);
    return call;
  }
}

/**
 * A chunk without choices or usage, before the response. Azure sends its prompt filter results this way. It doesn't start the response, so failover
 * is still possible.
 */
export const isPrelude = ({ choices, usage }: Fields): boolean => Array.isArray(choices) && choices.length === 0 && !isFields(usage);

/** The function or custom call of a piece. Drops repeated names. */
function toCallBody(body: Fields, isNamed: boolean): Fields {
  const corrected = withTextArguments(body);
  const entries = Object.entries(corrected).filter(([name, value]) => value !== null && !(name === 'name' && (isNamed || value === '')));
  return entries.length === Object.keys(corrected).length ? corrected : Object.fromEntries(entries);
}

/** The call that a piece continues: by its ID, its index, or else the last call. A different ID and name under a known index start a new call. */
function findCall({ index, id }: Fields, isNamed: boolean, calls: readonly OpenCall[]): OpenCall | undefined {
  const hasIndex = typeof index === 'number';
  const candidates = hasIndex ? calls.filter(({ given }) => given.index === index) : calls;
  const sameIdCall = isText(id) ? candidates.find((call) => call.given.id === id) : undefined;
  if (sameIdCall) return sameIdCall;
  const last = candidates.at(-1);
  if (!hasIndex) return isNamed || isText(id) ? undefined : last;
  return last && isNamed && isText(id) && isText(last.given.id) ? undefined : last;
}
