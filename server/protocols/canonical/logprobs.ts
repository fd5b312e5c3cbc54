/** Reads the log probabilities of tokens in the form of both OpenAI protocols. */
import { type Fields, isFields } from '../../primitives/fields.ts';
import type { Logprob } from './canonical-events.ts';

const isByte = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;

const findBytes = ({ bytes }: Fields) => (Array.isArray(bytes) && bytes.every(isByte) ? bytes : null);

function readToken(value: Fields) {
  return {
    token: typeof value.token === 'string' ? value.token : '',
    logprob: typeof value.logprob === 'number' && Number.isFinite(value.logprob) ? value.logprob : 0,
    bytes: findBytes(value),
  };
}

/** Null if the list is empty, so that the event omits the field. */
export function readLogprobs(value: unknown): readonly Logprob[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  return value.filter(isFields).map((each) => ({
    ...readToken(each),
    top: Array.isArray(each.top_logprobs) ? each.top_logprobs.filter(isFields).map(readToken) : [],
  }));
}
