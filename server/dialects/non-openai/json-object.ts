/** JSON mode for upstreams without one: an instruction asks for an object, only the object is forwarded, and an answer without one is a failure. */
import { isFields } from '../../../contract/rule.ts';
import { type CallCode, GatewayError } from '../../errors.ts';
import type { FinishReason, Turn, TurnEvent, TurnStreamReader } from '../turn/turn.ts';

/** Behind all other instructions. */
export const ASK_FOR_OBJECT =
  'Answer with a single JSON object and nothing else: no words before or behind it, and no code fence around it. This holds for your answer to the user, not for calls of tools.';

export const wantsObject = ({ format }: Turn): boolean => format.kind === 'json';

/** The first object of a text that comes in pieces: words and a code fence around it are not of it. */
class ObjectText {
  #text = '';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Whether more than one object was said, or a list of them. */
  #isAmiss = false;

  /** Whether all of it is there, and it is JSON. */
  get isWhole(): boolean {
    return this.#text !== '' && this.#depth === 0 && !this.#isAmiss && isObject(this.#text);
  }

  /** What of this piece is of the object. */
  take(piece: string): string {
    let from = this.#depth > 0 ? 0 : -1;
    let to = piece.length;
    for (let at = 0; at < piece.length; at++) {
      const letter = piece[at] ?? '';
      if (this.#depth > 0) {
        if (this.#closes(letter)) to = at + 1;
      } else if (letter === '{' && this.#text === '' && from < 0 && !this.#isAmiss) {
        from = at;
        this.#depth = 1;
      } else if (letter === '{' || (letter === '[' && this.#text === '' && from < 0)) this.#isAmiss = true;
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
    message: 'The upstream was asked for a JSON object and answered something else. Try again.',
  });

/** Only a complete answer must hold an object; cut or filtered text passes, as in vendors' own JSON mode. */
const isAnswer = (reason: FinishReason): boolean => reason === 'stop';

/** The events of one answer, with the object alone in place of its text. */
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
