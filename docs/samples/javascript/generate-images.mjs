import { writeFile } from 'node:fs/promises';
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const images = await client.images.generate({ model: 'gpt-image-2', prompt: 'A lighthouse in the fog' });
await writeFile('lighthouse.png', Buffer.from(images.data[0].b64_json, 'base64'));
