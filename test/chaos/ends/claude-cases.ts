/** Callers of either door over an upstream that says what went in at the start and what came out at the end (F31, F36). */
import { anthropicError, anthropicErrorFrame, anthropicFrames, anthropicMessage } from '../../fakes/anthropic.ts';
import { json, stream } from '../../fakes/delivery.ts';
import { type Case, type Draw, exact, models, voided } from './case.ts';
import { type Expected, tokensOf } from './expected.ts';

const asked = ({ door, prompt, isStream }: Draw): Pick<Case, 'path' | 'body'> => ({
  path: door.path,
  body: { ...door.ask(models.claude, prompt), ...(isStream && { stream: true }) },
});

const streamed = (draw: Draw) => asked({ ...draw, isStream: true });

/** Three frames come before the text. */
const OPENING = 3;
const begun = (draw: Draw, pieces: number) => anthropicFrames({ text: draw.pieces }).slice(0, OPENING + pieces);
/** What the first event counts: 11 tokens in, one out. */
const first = { input: 5 };

/** Text that comes in one packet with the first event is not counted. */
const upTo = (text: string): Expected => ({ kind: 'estimated', output: [1, 1 + tokensOf(text)], ...first, mayBeReported: true });

export const claudeCases: Readonly<Record<string, (draw: Draw) => Omit<Case, 'name'>>> = {
  'success over another protocol': (draw) => {
    const { input, cachedInput = 0, cacheWrite = 0, output, reasoning = 0 } = draw.tokens;
    const usage = {
      input_tokens: input,
      cache_creation_input_tokens: cacheWrite,
      cache_read_input_tokens: cachedInput,
      output_tokens: output,
      output_tokens_details: { thinking_tokens: reasoning },
    };
    const reply = { text: draw.pieces, usage };
    return {
      ...asked(draw),
      vendor: () => (draw.isStream ? stream(anthropicFrames(reply)) : json(anthropicMessage(reply))),
      expected: exact(draw.tokens),
    };
  },
  'another protocol that fails behind its first event': (draw) => ({
    ...streamed(draw),
    vendor: () => stream([...begun(draw, 0).slice(0, 2), anthropicErrorFrame('overloaded_error')]),
    expected: voided,
  }),
  'another protocol that fails at once': (draw) => ({
    ...asked(draw),
    vendor: () => json(anthropicError('api_error', 'no'), { status: draw.pick([400, 500, 529]) }),
    expected: voided,
  }),
  'another protocol that is cut behind some text': (draw) => {
    const pieces = 1 + draw.roll(draw.pieces.length - 1);
    return {
      ...streamed(draw),
      vendor: () => stream(begun(draw, pieces), { ending: 'cut' }),
      expected: upTo(draw.pieces.slice(0, pieces).join('')),
    };
  },
  'left over another protocol': (draw) => {
    const numbered = { ...draw, pieces: draw.pieces.map((piece, index) => `${index}. ${piece}`) };
    const pieces = 1 + draw.roll(draw.pieces.length - 1);
    return {
      ...streamed(draw),
      vendor: () => stream(begun(numbered, pieces), { ending: 'stall' }),
      leave: { when: 'read', text: numbered.pieces[pieces - 1] ?? '' },
      expected: upTo(numbered.pieces.slice(0, pieces).join('')),
    };
  },
};
