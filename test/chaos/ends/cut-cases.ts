/** Calls that end early: the upstream cuts, resets or falls silent, or the caller hangs up at each phase (F30, F31, F32, F38). */
import { json, stream } from '../../fakes/delivery.ts';
import { silence } from '../../fakes/faults.ts';
import { type Case, type Draw, exact, models, voided } from './case.ts';
import { type Expected, tokensOf } from './expected.ts';
import { answer, asked } from './text-cases.ts';

/** The first frames of a stream, with what of the text is in them. */
function beginning(draw: Draw, pieces: number) {
  const { door } = draw;
  const text = draw.pieces.slice(0, pieces);
  const frames = door.frames({ text: draw.pieces, usage: door.usage(draw.tokens) });
  return { frames: frames.slice(0, door.opening + pieces), text: text.join(''), last: text.at(-1) ?? '' };
}

/** At least one, not all. */
const some = (draw: Draw): number => 1 + draw.roll(draw.pieces.length - 1);
const streamed = (draw: Draw, more: object = {}) => asked({ ...draw, isStream: true }, more);
const between = (least: number, most: number): Expected => ({ kind: 'estimated', output: [least, most] });
const inputAlone = between(0, 0);

/** The caller has read all that the vendor has sent so far. */
const told = ({ text }: { readonly text: string }): Expected => between(tokensOf(text), tokensOf(text));

export const cutCases: Readonly<Record<string, (draw: Draw) => Omit<Case, 'name'>>> = {
  'dropped in place of an answer': (draw) => ({
    ...asked(draw),
    vendor: () => [{ kind: draw.pick(['cut', 'reset'] as const) }],
    expected: voided,
  }),
  'cut before the first event': (draw) => ({ ...streamed(draw), vendor: () => stream([], { ending: 'cut' }), expected: voided }),
  'cut behind its opening': (draw) => ({
    ...streamed(draw),
    vendor: () => stream(beginning(draw, 0).frames, { ending: 'cut' }),
    expected: voided,
  }),
  'ended behind some text': (draw) => {
    const begun = beginning(draw, some(draw));
    return { ...streamed(draw), vendor: () => stream(begun.frames), expected: told(begun) };
  },
  'cut behind some text': (draw) => {
    const begun = beginning(draw, some(draw));
    return { ...streamed(draw), vendor: () => stream(begun.frames, { ending: 'cut' }), expected: told(begun) };
  },
  'reset behind some text': (draw) => {
    const begun = beginning(draw, some(draw));
    const most = tokensOf(begun.text);
    // A reset discards what is in the buffers.
    const expected = (status: number): Expected => (status === 200 ? { kind: 'estimated', output: [0, most], mayBeVoid: true } : voided);
    return { ...streamed(draw), vendor: () => stream(begun.frames, { ending: 'reset' }), expected };
  },
  'cut within a whole answer': (draw) => ({
    ...asked({ ...draw, isStream: false }),
    vendor: () => json(draw.door.whole({ text: draw.pieces, usage: null }), { stopAfter: { bytes: 40 }, ending: 'cut' }),
    expected: voided,
  }),
  'silent in place of an answer': (draw) => ({ ...asked(draw, { model: models.hasty }), vendor: () => silence, expected: voided }),
  'silent behind its headers': (draw) => ({
    ...asked(draw, { model: models.hasty }),
    vendor: () => (draw.isStream ? stream([], { ending: 'stall' }) : json({}, { stopAfter: { bytes: 1 }, ending: 'stall' })),
    expected: voided,
  }),
  'silent behind some text': (draw) => {
    const begun = beginning(draw, some(draw));
    // In one piece, so that no stall comes before it.
    const script = () => stream(begun.frames, { ending: 'stall', chunkBytes: 1_000_000 });
    return { ...streamed(draw, { model: models.halting }), vendor: script, expected: told(begun) };
  },
  'left at once': (draw) => ({
    ...asked(draw),
    vendor: () => answer(draw, draw.door.usage(draw.tokens)),
    leave: { when: 'at once' },
    expected: { kind: 'ended' },
  }),
  'left before its headers': (draw) => ({ ...asked(draw), vendor: () => silence, leave: { when: 'asked' }, expected: inputAlone }),
  'left before the first event': (draw) => ({
    ...streamed(draw),
    vendor: () => stream([], { ending: 'stall' }),
    leave: { when: 'asked' },
    expected: inputAlone,
  }),
  'left within a whole answer': (draw) => ({
    ...asked({ ...draw, isStream: false }),
    vendor: () => json(draw.door.whole({ text: draw.pieces, usage: null }), { stopAfter: { bytes: 40 }, ending: 'stall' }),
    leave: { when: 'asked' },
    expected: inputAlone,
  }),
  'left behind some text': (draw) => {
    const begun = beginning({ ...draw, pieces: draw.pieces.map((piece, index) => `${index}. ${piece}`) }, some(draw));
    return {
      ...streamed(draw),
      vendor: () => stream(begun.frames, { ending: 'stall' }),
      leave: { when: 'read', text: begun.last },
      expected: told(begun),
    };
  },
  'left behind the end': (draw) => ({
    ...streamed(draw),
    vendor: () => answer({ ...draw, isStream: true }, draw.door.usage(draw.tokens)),
    leave: { when: 'read', text: '[DONE]' },
    expected: exact(draw.tokens),
  }),
};
