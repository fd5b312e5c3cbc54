import { writeFile } from 'node:fs/promises';
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const stream = await client.images.generate({
  model: 'gpt-image-2',
  prompt: 'A lighthouse in the fog',
  stream: true,
  partial_images: 2,
});
for await (const event of stream) {
  if (event.type === 'image_generation.partial_image') {
    await writeFile(`lighthouse-${event.partial_image_index}.png`, Buffer.from(event.b64_json, 'base64'));
  } else if (event.type === 'image_generation.completed') {
    await writeFile('lighthouse.png', Buffer.from(event.b64_json, 'base64'));
  }
}
