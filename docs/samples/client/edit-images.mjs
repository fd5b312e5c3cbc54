import { readFile, writeFile } from 'node:fs/promises';
import { Modelgate } from '@modelgate/client';

const client = new Modelgate({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const images = await client.editImages({
  model: 'gpt-image-2',
  image: { name: 'lighthouse.png', data: await readFile('lighthouse.png') },
  prompt: 'Turn the light on',
});
await writeFile('lighthouse-lit.png', Buffer.from(images.data[0].b64_json, 'base64'));
