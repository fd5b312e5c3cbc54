/** Adds JSON mode to upstreams without one: an instruction asks for an object, only the object is forwarded, and a response without one fails. */

import { type CallCode, GatewayError } from '../../primitives/errors.ts';
import { isFields } from '../../primitives/fields.ts';
import type { CanonicalEvent, FinishReason } from '../canonical/canonical-events.ts';
import type { CanonicalRequest } from '../canonical/canonical-request.ts';
import type { CanonicalStreamReader } from '../dialect.ts';

/** Appended after all other instructions. */
export const JSON_OBJECT_INSTRUCTION =
  'Return one JSON object and nothing else: no text before or after it, and no code fence. This applies to your reply to the user, not to tool calls.';

export const wantsJsonMode = ({ format }: CanonicalRequest): boolean => format.kind === 'json';

/** Extracts the first JSON object from a text that arrives in pieces. Drops surrounding words and code fences. */
class ObjectExtractor {
  #text = '';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** True if the text contains more than one object, or a list of objects. */
  #hasExtraContent = false;

  /** True if the object is complete and valid JSON. */
  get isWhole(): boolean {
    return this.#text !== '' && this.#depth === 0 && !this.#hasExtraContent && isObject(this.#text);
  }

  /** Returns the part of this chunk that belongs to the object. */
  push(piece: string): string {
    let objectStart = this.#depth > 0 ? 0 : -1;
    let objectEnd = piece.length;
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at] ?? '';
      if (this.#depth > 0) {
        if (this.#isObjectClosedBy(character)) objectEnd = at + 1;
      } else if (character === '{' && this.#text === '' && objectStart < 0 && !this.#hasExtraContent) {
        objectStart = at;
        this.#depth = 1;
      } else if (character === '{' || (character === '[' && this.#text === '' && objectStart < 0)) this.#hasExtraContent = true;
    }
    const objectText = objectStart < 0 ? '' : piece.slice(objectStart, objectEnd);
    this.#text += objectText;
    return objectText;
  }

  /** Returns true if this character closes the object. */
  #isObjectClosedBy(character: string): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#isInString = false;
      return false;
    }
    if (character === '"') this.#isInString = true;
    else if (character === '{' || character === '[') this.#depth++;
    else if (character === '}' || character === ']') this.#depth--;
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

const createNoObjectError = () =>
  new GatewayError<CallCode>('upstream_error', {
    message: 'The upstream was asked for a JSON object but returned something else. Try again.',
  });

/** Only a complete response must contain an object. Truncated or filtered text passes, as in providers' own JSON mode. */
const isComplete = (reason: FinishReason): boolean => reason === 'stop';

/** Replaces the text of a response with the JSON object. */
export function createObjectFilter(): (events: readonly CanonicalEvent[]) => CanonicalEvent[] {
  const object = new ObjectExtractor();
  const extractObject = (event: CanonicalEvent): CanonicalEvent[] => {
    if (event.kind === 'text') {
      const objectText = object.push(event.text);
      return objectText === '' ? [] : [{ ...event, text: objectText }];
    }
    const isObjectMissing = event.kind === 'finish' && isComplete(event.reason) && !object.isWhole;
    return [isObjectMissing ? { kind: 'failed', error: createNoObjectError() } : event];
  };
  return (events) => events.flatMap(extractObject);
}

export function openJsonObjectStream(inner: CanonicalStreamReader): CanonicalStreamReader {
  const filterEvents = createObjectFilter();
  return {
    read: (data, name) => filterEvents(inner.read(data, name)),
    end: (hasDoneMarker) => filterEvents(inner.end(hasDoneMarker)),
    get isComplete() {
      return inner.isComplete;
    },
  };
}
