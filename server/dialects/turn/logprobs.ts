/** Reads the log probabilities of output tokens; chat and responses have the same format. */
import { type Fields, isFields } from '../../../contract/rule.ts';
import type { Logprob } from './turn.ts';

const isByte = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
const bytesOf = ({ bytes }: Fields) => (Array.isArray(bytes) && bytes.every(isByte) ? bytes : null);

function readToken(value: Fields) {
  return {
    token: typeof value.token === 'string' ? value.token : '',
    logprob: typeof value.logprob === 'number' && Number.isFinite(value.logprob) ? value.logprob : 0,
    bytes: bytesOf(value),
  };
}

/** Null when there are none, so that the event gets no such field. */
export function readLogprobs(value: unknown): readonly Logprob[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  return value.filter(isFields).map((each) => ({
    ...readToken(each),
    top: Array.isArray(each.top_logprobs) ? each.top_logprobs.filter(isFields).map(readToken) : [],
  }));
}
