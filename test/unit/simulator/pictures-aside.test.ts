/** Images are drawn in threads of their own, and a large one delays nobody. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openPainter } from '../../../server/simulator/images/painter.ts';
import { readImageRequest } from '../../../server/simulator/images/request.ts';
import { openSimulator } from '../../../server/simulator/simulator.ts';
import type { Operation } from '../../../server/upstreams/upstream.ts';
import { createRequest, readChunks, type Wire } from './ask.ts';
import { paint, writePng } from './png.ts';

const cpuMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

/**
 * `most`: the longest that this thread was busy between two turns of its event loop; `beside`: what the other threads of this process
 * did meanwhile. Both in milliseconds of CPU, so that a slow or busy machine changes both alike.
 */
async function busyness(work: () => Promise<unknown>): Promise<{ most: number; beside: number }> {
  let [most, isOver] = [0, false];
  const thread = () => cpuMs(process.threadCpuUsage());
  const [all, here] = [process.cpuUsage(), thread()];
  const working = work().finally(() => {
    isOver = true;
  });
  for (let before = here; !isOver; before = thread()) {
    await nextTurn();
    most = Math.max(most, thread() - before);
  }
  await working;
  return { most, beside: cpuMs(process.cpuUsage(all)) - (thread() - here) };
}

const original = `data:image/png;base64,${writePng(
  paint(2_048, 2_048, () => [10, 20, 30]),
  0,
).toString('base64')}`;

test.each<[what: string, operation: Operation, value: Wire, stream: boolean]>([
  ['a large PNG', 'generateImages', { size: '3840x2160' }, false],
  ['a large JPEG', 'generateImages', { size: '3840x2160', output_format: 'jpeg' }, false],
  ['an image with previews', 'generateImages', { size: '1536x1024', partial_images: 2 }, true],
  ['an edit of a large image', 'editImages', { images: [{ image_url: original }] }, false],
])(
  'while %s is made, no turn of the event loop takes a third of the CPU time of the other threads',
  async (_, operation, value, stream) => {
    const simulator = openSimulator({ eventDelayMs: 0 });
    onTestFinished(() => simulator.close());
    const ask = async (size?: string) => {
      const request = createRequest(operation, { prompt: 'A harbour at night', ...value, ...(size && { size }) }, stream);
      return readChunks(await simulator.send(request));
    };
    // Compiling and loading at the first image is not measured.
    await ask('64x64');
    const { most, beside } = await busyness(ask);
    expect(most).toBeLessThan(beside / 3);
  },
);

test.each([1, 3])('closing the simulator lets an answer of %d images end', async (n) => {
  const simulator = openSimulator({ eventDelayMs: 0 });
  const sending = simulator.send(createRequest('generateImages', { prompt: 'A harbour', size: '512x512', n }));
  const ended = sending.then(readChunks).then((chunks) => JSON.parse(Buffer.concat(chunks).toString()));
  await nextTurn();
  await simulator.close();
  expect((await ended).data).toHaveLength(n);
});

test('a drawing is rejected when its painter is closed', async () => {
  const painter = openPainter();
  const job = readImageRequest(createRequest('generateImages', { prompt: 'A harbour', size: '512x512' }));
  const drawing = painter.draw({ job, index: 0, preview: null });
  const told = expect(drawing).rejects.toThrow('the painter thread has ended');
  await painter.close();
  await told;
});

const jobOf = (operation: Operation, value: Wire) => readImageRequest(createRequest(operation, { prompt: 'A harbour', ...value }));

test('A12: small images are ready before a large one that was requested earlier', async () => {
  const painter = openPainter();
  onTestFinished(() => painter.close());
  const draw = (size: string) => painter.draw({ job: jobOf('generateImages', { size }), index: 0, preview: null });
  // Both threads have started.
  await Promise.all([draw('64x64'), draw('64x64')]);
  const done: string[] = [];
  const large = draw('3840x3840').then(() => done.push('large'));
  const small = [1, 2, 3].map((number) => draw('64x64').then(() => done.push(`small ${number}`)));
  await Promise.all([large, ...small]);
  expect(done).toEqual(['small 1', 'small 2', 'small 3', 'large']);
});

test('A12: an aborted drawing that waits is rejected, and later ones are drawn', async () => {
  const painter = openPainter();
  onTestFinished(() => painter.close());
  const caller = new AbortController();
  const draw = (signal?: AbortSignal) =>
    painter.draw({ job: jobOf('generateImages', { size: '512x512' }), index: 0, preview: null }, { signal });
  const before = [draw(), draw()];
  const left = expect(draw(caller.signal)).rejects.toThrow('gone');
  caller.abort(new Error('gone'));
  await Promise.all([...before, left]);
  expect((await draw()).length).toBeGreaterThan(0);
});

test('A13: an image of another account waits for one image of the first account, not for all of them', async () => {
  const painter = openPainter();
  onTestFinished(() => painter.close());
  const done: string[] = [];
  const draw = (account: string) =>
    painter
      .draw({ job: jobOf('generateImages', { size: '512x512' }), index: 0, preview: null }, { account })
      .then(() => done.push(account));
  await Promise.all([...Array.from({ length: 10 }, () => draw('ada')), draw('bob')]);
  // Two were begun before it, and one more may have its turn first.
  expect(done.indexOf('bob')).toBeLessThanOrEqual(4);
});

test('A12: the bytes of an edit are not in shared memory, which the garbage collector does not count', () => {
  const { originals, mask } = jobOf('editImages', { images: [{ image_url: original }], mask: { image_url: original } });
  for (const bytes of [...originals, mask]) expect(bytes?.buffer).toBeInstanceOf(ArrayBuffer);
});

test('A11: a request for more than 64 megapixels is refused', () => {
  const ask = (value: Wire) => () => jobOf('generateImages', value);
  expect(ask({ size: '3840x3840', n: 4 })).not.toThrow();
  expect(ask({ n: 10 })).not.toThrow();
  expect(ask({ size: '3840x3840', n: 5 })).toThrow('64 megapixels for a request at most; this asks for 5 of 3840x3840');
});
