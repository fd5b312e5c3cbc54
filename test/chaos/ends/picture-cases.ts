/** Image calls: priced by the size and quality of the made images, and by their number (F35). */
import { json, stream } from '../../fakes/delivery.ts';
import { failure, silence } from '../../fakes/faults.ts';
import { imageFrames, images } from '../../fakes/images.ts';
import { type Case, type Draw, models, voided } from './case.ts';
import { type Expected, pictureCost } from './expected.ts';

const exactPictures = (kind: string, count: number): Expected => ({
  kind: 'exact',
  cost: pictureCost(kind, count),
  metered: { images: { [kind]: count } },
});

const asked = ({ prompt }: Draw, more: object): Pick<Case, 'path' | 'body'> => ({
  path: '/images/generations',
  body: { model: models.picture, prompt, ...more },
});

/** Asked for, made, and what that is called. */
const kinds = [
  [{ size: '1024x1024', quality: 'low' }, { size: '1024x1024', quality: 'low' }, '1024x1024/low'],
  [{ size: '1024x1024', quality: 'auto' }, { size: '1024x1024', quality: 'high' }, '1024x1024/high'],
  [{}, { size: '1536x1024', quality: 'high' }, '1536x1024/high'],
  [{ size: 'auto', quality: 'low' }, { size: '2048x2048', quality: 'low' }, '2048x2048/low'],
] as const;

export const pictureCases: Readonly<Record<string, (draw: Draw) => Omit<Case, 'name'>>> = {
  'pictures, whole': (draw) => {
    const [ask, made, kind] = draw.pick(kinds);
    const n = 1 + draw.roll(4);
    return {
      ...asked(draw, { ...ask, ...(n > 1 && { n }) }),
      vendor: () => json(images({ ...made, n, usage: draw.pick([null, undefined]) })),
      expected: exactPictures(kind, n),
    };
  },
  'a picture, streamed': (draw) => {
    const [ask, made, kind] = draw.pick(kinds);
    const partials = draw.roll(3);
    return {
      ...asked(draw, { ...ask, stream: true, partial_images: partials }),
      vendor: () => stream(imageFrames({ ...made, partials })),
      expected: exactPictures(kind, 1),
    };
  },
  'a picture that breaks off': (draw) => ({
    ...asked(draw, { stream: true, partial_images: 2 }),
    vendor: () => stream(imageFrames({ partials: 2 }).slice(0, 2), { ending: 'cut' }),
    expected: voided,
  }),
  'a picture that is rejected': (draw) => ({ ...asked(draw, {}), vendor: () => failure(draw.pick([400, 429, 500])), expected: voided }),
  'left before the picture': (draw) => ({ ...asked(draw, {}), vendor: () => silence, leave: { when: 'asked' }, expected: voided }),
  'left with a partial picture': (draw) => ({
    ...asked(draw, { size: '1024x1024', quality: 'low', stream: true, partial_images: 2 }),
    vendor: () => stream(imageFrames({ partials: 2 }).slice(0, 1), { ending: 'stall' }),
    leave: { when: 'read', text: '.partial_image' },
    expected: { kind: 'estimated', output: [0, 0], input: 0, cost: pictureCost('1024x1024/low', 1) },
  }),
};
