/** Brings the chunks of a vendor's chat stream into the shape of the contract, as `vendor-answer.ts` does for a whole answer. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { chatUsageNames, toldUsage } from '../told-usage.ts';
import { createdOf, endOf, isText, madeId, mapped, withTextArguments, withTextContent, withValues } from './vendor-answer.ts';

/** A call of one choice: its place in the list, and whether its first piece has come. */
interface OpenCall {
  readonly index: number;
  readonly id: string;
}

/** What one choice has told so far. */
interface ChoiceState {
  hasEnded: boolean;
  readonly calls: OpenCall[];
}

export interface ChunkOptions {
  /** The id of the model that the caller asked for. */
  readonly model: string;
  readonly showUsage: boolean;
}

export class ChunkCompleter {
  readonly #options: ChunkOptions;
  readonly #choices = new Map<number, ChoiceState>();
  #id = '';
  #created = 0;
  /** Usage that the caller asked for, and that came beside text: it is told in a chunk of its own at the end. */
  #owedUsage: Fields | null = null;

  constructor(options: ChunkOptions) {
    this.#options = options;
  }

  /** How many choices have begun, and whether each of them has its finish reason. */
  get begun(): number {
    return this.#choices.size;
  }
  get haveAllEnded(): boolean {
    return [...this.#choices.values()].every(({ hasEnded }) => hasEnded);
  }

  /** The chunk itself when it needs no change; null when nothing of it is left for the caller. Throws when the vendor gave its answer up. */
  complete(chunk: Fields): Fields | null {
    const told = withValues(this.#withUsage(chunk), this.#head(chunk));
    const choices = Array.isArray(told.choices) ? told.choices : [];
    if (choices.length === 0 && isFields(chunk.usage) && !isFields(told.usage)) return null;
    return withValues(told, { choices: mapped(choices, (choice, at) => (isFields(choice) ? this.#choice(choice, at) : choice)) });
  }

  /** The chunks that the vendor owes at the end of a stream that it marked as complete. */
  rest(): Fields[] {
    const open = [...this.#choices].filter(([, { hasEnded }]) => !hasEnded);
    const ends = open.map(([index, state]) => ({ index, delta: {}, finish_reason: this.#end(state) }));
    const usage = this.#owedUsage;
    return [...ends.map((choice) => this.#made({ choices: [choice] })), ...(usage ? [this.#made({ choices: [], usage })] : [])];
  }

  #end(state: ChoiceState): string {
    state.hasEnded = true;
    return state.calls.length > 0 ? 'tool_calls' : 'stop';
  }

  #made(fields: Fields): Fields {
    return { id: this.#id, object: 'chat.completion.chunk', created: this.#created, model: this.#options.model, ...fields };
  }

  /** All chunks of an answer have the id of the first one. */
  #head(chunk: Fields): Fields {
    this.#created ||= createdOf(chunk);
    this.#id ||= isText(chunk.id) ? chunk.id : madeId('chatcmpl-', this.#created, process.hrtime.bigint().toString());
    const created = createdOf(chunk) === chunk.created ? chunk.created : this.#created;
    return { id: this.#id, object: 'chat.completion.chunk', created, model: this.#options.model };
  }

  /** Usage stays only in the chunk that holds nothing else, and only for callers who asked for it. */
  #withUsage(chunk: Fields): Fields {
    if (chunk.usage === undefined) return chunk;
    const { usage, ...rest } = chunk;
    if (!this.#options.showUsage) return rest;
    if (!isFields(usage)) return chunk;
    const told = toldUsage(usage, chatUsageNames);
    const isAlone = !Array.isArray(chunk.choices) || chunk.choices.length === 0;
    this.#owedUsage = isAlone ? null : told;
    return withValues(chunk, { usage: isAlone ? told : null });
  }

  #choice(choice: Fields, at: number): Fields {
    const index = typeof choice.index === 'number' ? choice.index : at;
    const state = this.#stateOf(index);
    const delta = this.#delta(isFields(choice.delta) ? choice.delta : {}, state);
    const finish_reason = endOf(choice.finish_reason);
    state.hasEnded ||= finish_reason !== null;
    const isUnsaid = finish_reason === null && choice.finish_reason === undefined;
    return withValues(choice, { index, delta, ...(!isUnsaid && { finish_reason }) });
  }

  #stateOf(index: number): ChoiceState {
    const known = this.#choices.get(index);
    if (known) return known;
    const state: ChoiceState = { hasEnded: false, calls: [] };
    this.#choices.set(index, state);
    return state;
  }

  #delta(delta: Fields, { calls }: ChoiceState): Fields {
    const told = withTextContent(delta);
    const role = told.role === '' ? withValues(told, { role: null }) : told;
    if (!Array.isArray(role.tool_calls)) return role;
    return withValues(role, { tool_calls: mapped(role.tool_calls, (piece) => (isFields(piece) ? this.#piece(piece, calls) : piece)) });
  }

  /** The first piece of a call has an id, a type and a name; later ones have none of them. */
  #piece(piece: Fields, calls: OpenCall[]): Fields {
    const body = isFields(piece.custom) ? piece.custom : isFields(piece.function) ? piece.function : {};
    const known = findCall(piece, isText(body.name), calls);
    const index = known?.index ?? (typeof piece.index === 'number' ? piece.index : calls.length);
    const { id, type, function: called, ...rest } = piece;
    const named = isFields(called) ? { function: withoutNulls(withTextArguments(called)) } : {};
    if (known)
      return isSound(piece, known) ? piece : { ...rest, index, ...(isText(id) && { id }), ...(isText(type) && { type }), ...named };
    const first: OpenCall = { index, id: isText(id) ? id : madeId('call_', this.#id, index) };
    calls.push(first);
    const whole = { ...rest, index, id: first.id, type: isFields(piece.custom) ? 'custom' : 'function', ...named };
    return isFields(called) && named.function === called ? withValues(piece, { index, id: whole.id, type: whole.type }) : whole;
  }
}

/** A chunk before the answer that holds neither a choice nor usage: Azure tells its verdict on the prompt so. It begins nothing, so another upstream may still be tried. */
export const isPrelude = ({ choices, usage }: Fields): boolean => Array.isArray(choices) && choices.length === 0 && !isFields(usage);

/** Whether a later piece is as the contract says. */
const isSound = ({ index, id, type, function: called }: Fields, known: OpenCall): boolean =>
  index === known.index &&
  id !== null &&
  id !== '' &&
  type !== null &&
  type !== '' &&
  (!isFields(called) || withoutNulls(withTextArguments(called)) === called);

function withoutNulls(body: Fields): Fields {
  const entries = Object.entries(body).filter(([, value]) => value !== null);
  return entries.length === Object.keys(body).length ? body : Object.fromEntries(entries);
}

/** The call that a piece continues: by its index, and where the vendor sends none, by its id, or the last one unless it names another. */
function findCall({ index, id }: Fields, isNamed: boolean, calls: readonly OpenCall[]): OpenCall | undefined {
  if (typeof index === 'number') return calls.find((call) => call.index === index);
  const same = isText(id) ? calls.find((call) => call.id === id) : undefined;
  return same ?? (isNamed || isText(id) ? undefined : calls.at(-1));
}
