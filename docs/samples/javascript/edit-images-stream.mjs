import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const stream = await client.images.edit({
  model: 'gpt-image-2',
  image: createReadStream('lighthouse.png'),
  prompt: 'Turn the light on',
  stream: true,
  partial_images: 2,
});
for await (const event of stream) {
  if (event.type === 'image_edit.partial_image') {
    await writeFile(`lighthouse-lit-${event.partial_image_index}.png`, Buffer.from(event.b64_json, 'base64'));
  } else if (event.type === 'image_edit.completed') {
    await writeFile('lighthouse-lit.png', Buffer.from(event.b64_json, 'base64'));
  }
}
