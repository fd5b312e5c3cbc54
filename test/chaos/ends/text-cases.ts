/** Text calls that end by themselves: completed, rejected, failed, or with missing or wrong usage (F30, F33, F36, F42). */
import { json, stream } from '../../fakes/delivery.ts';
import { failure } from '../../fakes/faults.ts';
import type { Script } from '../../fakes/script.ts';
import { type Case, type Draw, exact, models, nothing, voided } from './case.ts';
import { type Expected, tokensOf } from './expected.ts';

/** A good answer, as JSON or as a stream. */
export function answer({ door, isStream, pieces }: Draw, usage: unknown, more: object = {}): Script {
  return isStream ? stream(door.frames({ text: pieces, usage }, more)) : json(door.whole({ text: pieces, usage }, more));
}

export const asked = (draw: Draw, more: object = {}): Pick<Case, 'path' | 'body'> => ({
  path: draw.door.path,
  body: { ...draw.door.ask(models.text, draw.prompt), ...(draw.isStream && { stream: true }), ...more },
});

export const said = (draw: Draw): Expected => {
  const output = tokensOf(draw.pieces.join(''));
  return { kind: 'estimated', output: [output, output] };
};

/** Impossible counts. */
const lies = [-5, 1.5, 1e15, 'many', null, Number.MAX_SAFE_INTEGER, 0, {}, []];

export const textCases: Readonly<Record<string, (draw: Draw) => Omit<Case, 'name'>>> = {
  success: (draw) => ({ ...asked(draw), vendor: () => answer(draw, draw.door.usage(draw.tokens)), expected: exact(draw.tokens) }),
  'success that the caller wants the usage of': (draw) => ({
    ...asked(draw, draw.door.name === 'chat' && draw.isStream ? { stream_options: { include_usage: true } } : {}),
    vendor: () => answer(draw, draw.door.usage(draw.tokens)),
    expected: exact(draw.tokens),
  }),
  'success that is not stored': (draw) => ({
    ...asked(draw, draw.door.name === 'responses' ? { store: false } : {}),
    vendor: () => answer(draw, draw.door.usage(draw.tokens)),
    expected: exact(draw.tokens),
  }),
  'several answers in one': (draw) => {
    const n = draw.door.name === 'chat' ? 2 + draw.roll(3) : 1;
    return {
      ...asked(draw, n > 1 ? { n } : {}),
      vendor: () => answer(draw, draw.door.usage(draw.tokens), n > 1 ? { n } : {}),
      expected: exact(draw.tokens),
    };
  },
  'length stop': (draw) => ({
    ...asked(draw),
    vendor: () => answer(draw, draw.door.usage(draw.tokens), { status: 'incomplete', finishReason: 'length' }),
    expected: exact(draw.tokens),
  }),
  'no usage': (draw) => ({ ...asked(draw), vendor: () => answer(draw, null), expected: said(draw) }),
  'usage that is a lie': (draw) => {
    const [input, output] = draw.door.counts;
    return { ...asked(draw), vendor: () => answer(draw, { [input]: draw.pick(lies), [output]: draw.pick(lies) }), expected: said(draw) };
  },
  'usage whose output is a lie': (draw) => {
    const [input, output] = draw.door.counts;
    const usage = { [input]: 1_000, [output]: draw.pick(lies) };
    const count = tokensOf(draw.pieces.join(''));
    return { ...asked(draw), vendor: () => answer(draw, usage), expected: { kind: 'estimated', output: [count, count], input: 1_000 } };
  },
  'usage beyond all that was held': (draw) => {
    const [input, output] = draw.door.counts;
    return { ...asked(draw), vendor: () => answer(draw, { [input]: 900_000_000, [output]: 5e11 }), expected: { kind: 'overrun' } };
  },
  'mistake in the body': (draw) => ({ ...asked(draw, { temperature: 'hot' }), expected: nothing }),
  'unknown model': (draw) => ({ ...asked(draw, { model: 'gpt-nobody' }), expected: nothing }),
  'no money': (draw) => ({ ...asked(draw), by: 'poor', expected: nothing }),
  'too many tokens': (draw) => ({
    ...asked(draw),
    by: 'limited',
    vendor: () => answer(draw, draw.door.usage(draw.tokens)),
    expected: (status) => (status === 429 ? voided : exact(draw.tokens)),
  }),
  'rejected by the vendor': (draw) => ({
    ...asked(draw),
    vendor: () => failure(draw.pick([400, 401, 403, 404, 413, 429])),
    expected: voided,
  }),
  'failed at the vendor': (draw) => ({ ...asked(draw), vendor: () => failure(draw.pick([500, 502, 503, 529])), expected: voided }),
  'error within status 200': (draw) => ({
    ...asked(draw),
    vendor: () => {
      const error = { message: 'VENDOR', type: 'server_error', code: null, param: null };
      return draw.isStream ? stream([{ data: { error } }]) : json({ error });
    },
    expected: voided,
  }),
  'error within status 200 that says what was used': (draw) => ({
    ...asked(draw),
    vendor: () => {
      const error = { message: 'VENDOR', type: 'server_error', code: null, param: null };
      const usage = draw.door.usage(draw.tokens);
      if (!draw.isStream) return json({ error, usage });
      return stream([
        { data: draw.door.name === 'chat' ? { error, usage } : { type: 'response.failed', response: { status: 'failed', error, usage } } },
      ]);
    },
    expected: exact(draw.tokens),
  }),
  'failed after its text': (draw) => {
    const { door, pieces, tokens } = draw;
    const error = { message: 'VENDOR', type: 'server_error', code: 'server_error', param: null };
    const failed =
      door.name === 'chat'
        ? [...door.frames({ text: pieces, usage: null }).slice(0, -2), { data: { error, usage: door.usage(tokens) } }]
        : door.frames({ text: pieces, usage: door.usage(tokens) }, { status: 'failed' });
    return { ...asked({ ...draw, isStream: true }), vendor: () => stream(failed), expected: exact(tokens) };
  },
  'nonsense in place of an answer': (draw) => ({
    ...asked(draw),
    vendor: () => json(draw.pick(['<html>', '{"half":', '[]', 'null', '{}'])),
    expected: voided,
  }),
};
