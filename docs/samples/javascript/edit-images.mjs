import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const images = await client.images.edit({
  model: 'gpt-image-2',
  image: createReadStream('lighthouse.png'),
  prompt: 'Turn the light on',
});
await writeFile('lighthouse-lit.png', Buffer.from(images.data[0].b64_json, 'base64'));
