/** Everything that the documentation asks a reader to type is run, and what it shows is what happens. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../harness/gateway.ts';
import { leftOut, pythonMissing } from '../harness/tools.ts';
import { openWorkshop, type Workshop } from './sample-run.ts';
import { blocksOf, runnableSamples, type Sample } from './samples.ts';

let gateway: TestGateway;
let workshop: Workshop;
beforeAll(async () => {
  gateway = await startGateway({ upstreams: { simulator: { kind: 'simulator', eventDelayMs: 0 } } });
  workshop = await openWorkshop(gateway);
  // The reader of a guide has started a gateway before, so there is a database.
  await workshop.run({ place: 'before all', language: 'bash', code: 'npm run --silent modelgate -- key create --name reader' });
});
afterAll(async () => {
  await workshop.close();
  await gateway.close();
});

/** `npm test` checks the configurations. */
const samples = runnableSamples().filter(({ language }) => language !== 'yaml');
const missingFor = ({ language }: Sample): string | null => (language === 'python' ? pythonMissing : null);
const named = samples.map((sample) => [`${sample.place}${leftOut(missingFor(sample))}`, sample] as const);
/** Some share one data folder, as on the pages: what one creates another one lists. */
const isInOrder = ([, { language }]: (typeof named)[number]): boolean => language === 'bash';

test.for(named.filter(isInOrder))('runs the sample at %s in page order', ([, sample], { skip }) => tryOut(sample, skip));
test.for(named.filter((one) => !isInOrder(one)))('runs the sample at %s', { concurrent: true }, ([, sample], { skip }) =>
  tryOut(sample, skip),
);

async function tryOut(sample: Sample, skip: () => void): Promise<void> {
  if (missingFor(sample) !== null) return skip();
  const output = await workshop.run(sample);
  // An answer that is an error, or an error inside a stream, is only right where the sample asks for one. A program may print just its code.
  expect(/"error": ?\{|\bupstream_error\b/.test(output)).toBe(sample.code.includes('simulate: '));
}

test.for(samples.filter(({ language, code }) => language === 'bash' && code.includes('base64 --decode')))(
  'shows the error and writes no empty image with a wrong key, in the sample at $place',
  async (sample) => {
    const code = sample.code.replaceAll('$MODELGATE_API_KEY', 'mg-wrong');
    expect(await workshop.run({ ...sample, code }, { fails: true })).toContain('"code":"invalid_api_key"');
  },
);

describe('an output in the docs', () => {
  const transcripts = blocksOf('docs/guides/streaming.md').flatMap((block, index, all) => {
    const asked = all[index - 1];
    return block.language === 'text' && asked ? [{ place: block.place, shown: block.code, asked }] : [];
  });

  test.each(transcripts)('matches the output of its sample, for the transcript at $place', async ({ shown, asked }) => {
    expect(outlineOf(shown)).toEqual(outlineOf(await workshop.run(asked)));
  });

  test('matches the fields of a real log line in the guide for operators', async () => {
    const [shown] = blocksOf('docs/guides/health-and-logs.md').filter(({ language }) => language === 'json');
    const body = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Say hello.' }], stream: true };
    const answer = await gateway.call('/chat/completions', { json: body });
    await answer.text();
    await expect.poll(() => gateway.lines.find(({ id }) => id === answer.headers.get('x-request-id'))).toBeDefined();
    const line = gateway.lines.find(({ id }) => id === answer.headers.get('x-request-id')) ?? {};
    expect(Object.keys(JSON.parse(shown?.code ?? ''))).toEqual(Object.keys(line));
  });
});

/** The events of a stream by name, or by what is in their data; pieces of text that follow each other count once. */
function outlineOf(transcript: string): string[] {
  const frames = transcript.split('\n\n').filter((frame) => frame.includes('data:'));
  return frames.map(nameOf).filter((name, index, all) => name !== all[index - 1]);
}

function nameOf(frame: string): string {
  const name = /^event: (.+)$/m.exec(frame)?.[1];
  if (name !== undefined) return name;
  if (frame.includes('[DONE]')) return '[DONE]';
  if (frame.includes('"finish_reason":"')) return 'finish';
  return frame.includes('"role"') ? 'role' : 'text';
}

test("finds a sample that should save an image and doesn't", async () => {
  const wrong: Sample = { place: 'made up', language: 'js', code: "const event = { b64_json: '' };\nevent.b64_json.at(0);" };
  await expect(workshop.run(wrong)).rejects.toThrow('no picture');
});

test('finds a sample that fails', async () => {
  const wrong: Sample = { place: 'made up', language: 'js', code: "import { nothing } from '@modelgate/client';\nnothing();" };
  await expect(workshop.run(wrong)).rejects.toThrow('nothing');
});
