/** Reads the chunks of a chat stream as events, with the variants of other vendors: reasoning in extra fields, usage in unusual places. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import { readFailure } from '../failure.ts';
import { readAnnotation } from '../turn/annotations.ts';
import { readLogprobs } from '../turn/logprobs.ts';
import type { Turn, TurnEvent, TurnStreamReader } from '../turn/turn.ts';
import { readUsage } from '../usage.ts';
import { CallPieces } from './call-pieces.ts';
import { readFinishReason } from './finish-reason.ts';
import { isPrelude } from './vendor-chunk.ts';
import { chatToolNames } from './write-tools.ts';

/** Some vendors send content as parts. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((part) => (isFields(part) && part.type === 'text' ? textOf(part.text) : '')).join('') : '';
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** Some vendors send reasoning as parts of the content. */
const thoughtsIn = (content: unknown): string =>
  listOf(content)
    .map((part) => (part.type === 'thinking' ? textOf(part.thinking) : ''))
    .join('');

function readThought(delta: Fields, field: string): TurnEvent[] {
  const text = textOf(delta[field]) || textOf(delta.reasoning_content) || textOf(delta.reasoning) || thoughtsIn(delta.content);
  return text === '' ? [] : [{ kind: 'reasoning', part: 0, text }];
}

/** `content: ""` gives no event. */
function readText(delta: Fields, choice: Fields): TurnEvent[] {
  const text = textOf(delta.content);
  if (text === '') return [];
  const logprobs = isFields(choice.logprobs) ? readLogprobs(choice.logprobs.content) : null;
  return [logprobs === null ? { kind: 'text', text } : { kind: 'text', text, logprobs }];
}

function readRefusal({ refusal }: Fields): TurnEvent[] {
  const text = textOf(refusal);
  return text === '' ? [] : [{ kind: 'refusal', text }];
}

const readAnnotations = ({ annotations }: Fields): TurnEvent[] => listOf(annotations).flatMap(readAnnotation);

const broken = (message: string) => new GatewayError<CallCode>('upstream_error', { message });

class ChatTurnReader implements TurnStreamReader {
  readonly #calls: CallPieces;
  readonly #thoughtsIn: string;
  /** What came beside a call that is still open: it is told after the call. */
  #later: TurnEvent[] = [];
  #answerId = '';
  #hasStarted = false;
  #hasChoice = false;
  #hasFinished = false;
  isComplete = false;

  constructor({ tools, items }: Turn, thoughtsIn: string) {
    this.#thoughtsIn = thoughtsIn;
    const taken = new Set(items.flatMap((item) => (item.kind === 'call' ? [item.callId] : [])));
    this.#calls = new CallPieces({ names: chatToolNames(tools), taken });
  }

  read(data: Fields): TurnEvent[] {
    if (this.isComplete) return [];
    // The usage of a failed answer is charged too.
    if (isFields(data.error) || typeof data.error === 'string')
      return [...this.#readUsage(data.usage), ...this.#fail(readFailure(data.error))];
    const choices = listOf(data.choices);
    const choice = choices.find(({ index }) => index === 0 || index === undefined);
    const start = this.#start(Array.isArray(data.choices) && !isPrelude(data));
    this.#answerId = textOf(data.id) || this.#answerId;
    const told = choice && !this.#hasFinished ? this.#readChoice(choice) : [];
    return [...start, ...told, ...this.#readUsage(data.usage ?? choice?.usage)];
  }

  /** Some vendors mark the end of the stream, and give no reason for the end of the answer. */
  end(isMarked = false): TurnEvent[] {
    if (this.isComplete) return [];
    const isEnded = this.#hasFinished || (isMarked && this.#hasChoice);
    if (!isEnded) return this.#fail(broken('The upstream broke off in the middle of its answer.'));
    const rest = this.#hasFinished ? [] : this.#finish('stop');
    this.isComplete = true;
    return rest;
  }

  #start(isAnswer: boolean): TurnEvent[] {
    if (this.#hasStarted || !isAnswer) return [];
    this.#hasStarted = true;
    return [{ kind: 'start' }];
  }

  #fail(error: GatewayError): TurnEvent[] {
    this.isComplete = true;
    return [{ kind: 'failed', error }];
  }

  #readChoice(choice: Fields): TurnEvent[] {
    this.#hasChoice = true;
    const delta = isFields(choice.delta) ? choice.delta : {};
    this.#later.push(...readThought(delta, this.#thoughtsIn), ...readText(delta, choice), ...readAnnotations(delta), ...readRefusal(delta));
    const before = this.#takeLater();
    const calls = listOf(delta.tool_calls).flatMap((call) => this.#calls.take(call, this.#answerId));
    const told = [...before, ...calls, ...this.#takeLater()];
    const reason = readFinishReason(choice.finish_reason);
    return reason === null ? told : [...told, ...this.#finish(reason)];
  }

  #takeLater(): TurnEvent[] {
    if (this.#calls.isOpen) return [];
    const later = this.#later;
    this.#later = [];
    return later;
  }

  #finish(given: NonNullable<ReturnType<typeof readFinishReason>>): TurnEvent[] {
    if (given === 'failed') return this.#fail(broken('The upstream gave its answer up.'));
    const cut = given === 'length' || given === 'content_filter' ? given : undefined;
    const calls = this.#calls.close(cut !== undefined, this.#answerId);
    if (calls === null) return this.#fail(broken('The upstream called a tool without naming it.'));
    this.#hasFinished = true;
    // Some vendors send `stop` after calls, some `tool_calls` without any: the calls decide.
    return [...calls, ...this.#later, { kind: 'finish', reason: cut ?? (this.#calls.count > 0 ? 'tool_calls' : 'stop') }];
  }

  /** Some vendors send usage with every chunk; usage with the finish or after it is final. */
  #readUsage(value: unknown): TurnEvent[] {
    const usage = readUsage(value);
    if (usage === null || this.isComplete) return [];
    this.isComplete = this.#hasFinished;
    return [{ kind: 'usage', usage }];
  }
}

/** `thoughtsIn`: the vendor's field for reasoning. */
export const openChatStream = (turn: Turn, thoughtsIn = 'reasoning_content'): TurnStreamReader => new ChatTurnReader(turn, thoughtsIn);
