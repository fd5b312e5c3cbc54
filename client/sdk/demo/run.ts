/** The demo: starts a gateway and calls its five operations with the typed client. Run it with `npm run demo`. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ImageList, Modelgate, outputText } from '../src/index.ts';
import { startGateway } from './gateway.ts';

const HELP = `Starts a gateway on a free port and calls its five operations with the typed client.

  --out DIR   where to save the two images; default: a new temporary folder
  --real      use OPENAI_API_KEY (this costs money); otherwise the built-in simulator responds
  --help      show this
`;

const TEXT_MODEL = 'gpt-5.4';
const IMAGE_MODEL = 'gpt-image-2';

const say = (text: string) => process.stdout.write(text);
const head = (step: number, title: string) => say(`\n${step}. ${title}\n   `);

async function save(images: ImageList, path: string): Promise<Buffer> {
  const base64 = images.data[0]?.b64_json;
  if (base64 === undefined) throw new Error('The response contains no image.');
  const bytes = Buffer.from(base64, 'base64');
  await writeFile(path, bytes);
  say(`${path} (${bytes.length.toLocaleString('en')} bytes)\n`);
  return bytes;
}

async function showText(client: Modelgate): Promise<void> {
  head(1, 'List the models: listModels');
  const models = await client.listModels();
  say(`${models.data.map(({ id }) => id).join(', ')}\n`);

  head(2, 'Create a response: createResponse');
  const response = await client.createResponse({ model: TEXT_MODEL, input: 'Why is the sky blue? Answer in one sentence.' });
  say(`${outputText(response)}\n   (${response.status}, ${response.usage?.total_tokens ?? 'unknown'} tokens, id ${response.id})\n`);

  head(3, 'Stream a chat completion: createChatCompletion');
  const chunks = await client.createChatCompletion({
    model: TEXT_MODEL,
    messages: [{ role: 'user', content: 'Say hello in five languages.' }],
    stream: true,
  });
  let count = 0;
  for await (const chunk of chunks) {
    say((chunk.choices[0]?.delta.content ?? '').replaceAll('\n', '\n   '));
    count++;
  }
  say(`\n   (${count} chunks, request ${chunks.requestId})\n`);
}

async function showImages(client: Modelgate, folder: string): Promise<void> {
  head(4, 'Generate an image: generateImages');
  const drawn = await client.generateImages({ model: IMAGE_MODEL, prompt: 'A lighthouse in the fog', size: '1024x1024' });
  const lighthouse = await save(drawn, join(folder, 'lighthouse.png'));

  head(5, 'Edit that image: editImages');
  const image = { data: lighthouse, name: 'lighthouse.png', type: 'image/png' };
  const edited = await client.editImages({ model: IMAGE_MODEL, prompt: 'Turn the light on', image });
  await save(edited, join(folder, 'lighthouse-lit.png'));
}

async function run(out: string | undefined, isReal: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'modelgate-demo-'));
  const data = join(folder, 'data');
  const images = out === undefined ? folder : resolve(out);
  await Promise.all([mkdir(data), mkdir(images, { recursive: true })]);
  try {
    const gateway = await startGateway({ folder: data, isReal });
    try {
      say(`A gateway runs at ${gateway.baseURL}, ${isReal ? 'with the upstreams of your environment' : 'with its simulator'}.\n`);
      const client = new Modelgate(gateway);
      await showText(client);
      await showImages(client, images);
    } finally {
      await gateway.stop();
    }
    say('\nAll five operations succeeded. The gateway has stopped.\n');
  } finally {
    await rm(images === folder ? data : folder, { recursive: true, force: true });
  }
}

try {
  const { values } = parseArgs({ options: { out: { type: 'string' }, real: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) say(HELP);
  else await run(values.out, values.real ?? false);
} catch (error) {
  process.stderr.write(`\nThe demo failed: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
  process.exitCode = 1;
}
