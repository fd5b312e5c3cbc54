/** JSON mode for upstreams without one: an instruction asks for an object, only the object is forwarded, and a response without one is a failure. */

import { type CallCode, type ErrorDetails, GatewayError, ProviderError } from '../../errors.ts';
import { isFields } from '../../primitives/fields.ts';
import { isAboutGateway, isTooLong, rateLimitedMessage, waitHeaders, withoutSecrets } from '../failure.ts';
import type { FinishReason, Settings, Turn, TurnEvent, TurnStreamReader } from '../turn/turn.ts';
import { asksNothing, unsupported } from '../turn/unsent-fields.ts';

/** Behind all other instructions. */
export const ASK_FOR_OBJECT =
  'Answer with a single JSON object and nothing else: no words before or behind it, and no code fence around it. This holds for your answer to the user, not for calls of tools.';

export const wantsObject = ({ format }: Turn): boolean => format.kind === 'json';

/** The first object of a text that comes in pieces: words and a code fence around it aren't of it. */
class ObjectText {
  #text = '';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Whether more than one object was said, or a list of them. */
  #hasExtraContent = false;

  /** Whether all of it is there, and it is JSON. */
  get isWhole(): boolean {
    return this.#text !== '' && this.#depth === 0 && !this.#hasExtraContent && isObject(this.#text);
  }

  /** The part of this chunk that belongs to the object. */
  take(piece: string): string {
    let from = this.#depth > 0 ? 0 : -1;
    let to = piece.length;
    for (let at = 0; at < piece.length; at++) {
      const letter = piece[at] ?? '';
      if (this.#depth > 0) {
        if (this.#closes(letter)) to = at + 1;
      } else if (letter === '{' && this.#text === '' && from < 0 && !this.#hasExtraContent) {
        from = at;
        this.#depth = 1;
      } else if (letter === '{' || (letter === '[' && this.#text === '' && from < 0)) this.#hasExtraContent = true;
    }
    const own = from < 0 ? '' : piece.slice(from, to);
    this.#text += own;
    return own;
  }

  /** Whether the object ends with this letter. */
  #closes(letter: string): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (letter === '\\') this.#isEscaped = true;
      else if (letter === '"') this.#isInString = false;
      return false;
    }
    if (letter === '"') this.#isInString = true;
    else if (letter === '{' || letter === '[') this.#depth++;
    else if (letter === '}' || letter === ']') this.#depth--;
    return this.#depth === 0;
  }
}

function isObject(text: string): boolean {
  try {
    return isFields(JSON.parse(text));
  } catch {
    return false;
  }
}

const noObject = () =>
  new GatewayError<CallCode>('upstream_error', {
    message: 'The upstream was asked for a JSON object but returned something else. Try again.',
  });

/** Only a complete response must hold an object; cut or filtered text passes, as in providers' own JSON mode. */
const isAnswer = (reason: FinishReason): boolean => reason === 'stop';

/** The events of one response, with the object alone in place of its text. */
export function openObject(): (events: readonly TurnEvent[]) => TurnEvent[] {
  const object = new ObjectText();
  const narrow = (event: TurnEvent): TurnEvent[] => {
    if (event.kind === 'text') {
      const own = object.take(event.text);
      return own === '' ? [] : [{ ...event, text: own }];
    }
    const isLost = event.kind === 'finish' && isAnswer(event.reason) && !object.isWhole;
    return [isLost ? { kind: 'failed', error: noObject() } : event];
  };
  return (events) => events.flatMap(narrow);
}

export function openObjectStream(inner: TurnStreamReader): TurnStreamReader {
  const narrow = openObject();
  return {
    read: (data, name) => narrow(inner.read(data, name)),
    end: (isMarked) => narrow(inner.end(isMarked)),
    get isComplete() {
      return inner.isComplete;
    },
  };
}

/** A provider's error in a form without provider terms. */
interface ProviderFailure {
  /** HTTP status, or the one that the provider gives the same failure outside of a stream. */
  readonly status: number;
  /** The provider's word for it; for the log. */
  readonly type: string | null;
  readonly message: string;
  /** Seconds to wait, where the provider said so. */
  readonly waitSeconds: number | null;
}

/** The response to a caller. The provider's words are kept for the caller's own mistakes alone. */
export function asError(failure: ProviderFailure): GatewayError {
  const { status, type, message } = failure;
  const words = { code: type, message: message === '' ? null : withoutSecrets(message) };
  const cause = new ProviderError(`upstream returned status ${status}${type === null ? '' : `, error type '${type.slice(0, 64)}'`}`, words);
  const make = byStatus.get(status);
  if (make !== undefined) return make(failure, cause);
  return new GatewayError<CallCode>(status === 408 || status === 504 ? 'upstream_timeout' : 'upstream_error', { cause });
}

/** These providers name the field at fault in their sentence alone: `max_tokens: 9000 > 8192`, `Invalid value at 'contents[0].parts'`. */
const place = /^\W*(?:GenerateContentRequest\.)?([a-z][\w.[\]]*): |\bat '([a-z][\w.[\]]*)'/;

function namedField(message: string): string | undefined {
  const [, leading, quoted] = place.exec(message) ?? [];
  return leading ?? quoted;
}

type Make = (failure: ProviderFailure, cause: Error) => GatewayError;

/** `param` is the provider's name of the field here; the translation replaces it by the caller's. */
const mistake: Make = ({ message, type }, cause) => {
  if (isAboutGateway(message) || isAboutGateway(type ?? '')) return new GatewayError<CallCode>('upstream_error', { cause });
  if (isTooLong(message)) return new GatewayError<CallCode>('context_length_exceeded', { cause });
  const words = withoutSecrets(message).slice(0, 500);
  const text = `This model's upstream rejected the request${words === '' ? '.' : `: ${words}`}`;
  const param = namedField(message);
  const details: ErrorDetails = { cause, message: text, ...(param !== undefined && { param }) };
  return new GatewayError<CallCode>('invalid_value', details);
};
const busy: Make = ({ waitSeconds }, cause) =>
  new GatewayError<CallCode>('rate_limit_exceeded', {
    message: rateLimitedMessage(waitSeconds),
    headers: waitHeaders(waitSeconds),
    cause,
  });
const overloaded: Make = ({ waitSeconds }, cause) => new GatewayError<CallCode>('overloaded', { headers: waitHeaders(waitSeconds), cause });
const tooLarge: Make = (_failure, cause) =>
  new GatewayError<CallCode>('request_too_large', { message: "The request is too large for this model's upstream.", cause });

const byStatus = new Map<number, Make>([
  [400, mistake],
  [422, mistake],
  [413, tooLarge],
  [429, busy],
  [503, overloaded],
  [529, overloaded],
]);

/** Settings that the two OpenAI protocols call by different names. */
const words = {
  chat: { format: 'response_format', logprobs: 'logprobs', items: 'messages' },
  responses: { format: 'text.format', logprobs: 'top_logprobs', items: 'input' },
} as const;

export const wordOf = (turn: Turn, setting: keyof (typeof words)['chat']): string => words[turn.caller][setting];

/** `predicate` completes the sentence that begins with the field. */
export function reject(param: string, predicate = "is not supported: this model's upstream has no equivalent"): never {
  throw unsupported(param, `'${param}' ${predicate}.`);
}

/** Rejects what no upstream of these kinds supports: several responses per request, biased tokens, and the fields of only one OpenAI protocol. */
export function rejectCommon(turn: Turn): void {
  if ((turn.settings.n ?? 1) > 1) reject('n', 'must be 1 for this model: its upstream returns one response per request');
  if (Object.keys(turn.settings.logitBias ?? {}).length > 0) reject('logit_bias');
  for (const [field, value] of Object.entries(turn.extras)) if (!asksNothing(value)) reject(field);
}

/** On responses 0 asks for no alternatives, so it may be dropped; on chat 0 stands for `logprobs: true`. */
export function wantsLogprobs(turn: Turn): boolean {
  const { topLogprobs } = turn.settings;
  return topLogprobs !== null && (topLogprobs > 0 || turn.caller === 'chat');
}

export function rejectLogprobs(turn: Turn): void {
  if (wantsLogprobs(turn)) reject(wordOf(turn, 'logprobs'));
}

export function rejectPenalties({ presencePenalty, frequencyPenalty }: Settings): void {
  if (presencePenalty) reject('presence_penalty');
  if (frequencyPenalty) reject('frequency_penalty');
}
