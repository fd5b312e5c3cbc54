import { readFile } from 'node:fs/promises';
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const image = `data:image/png;base64,${await readFile('lighthouse.png', 'base64')}`;
const completion = await client.chat.completions.create({
  model: 'gpt-5.4',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is in this image?' },
        { type: 'image_url', image_url: { url: image } },
      ],
    },
  ],
});
console.log(completion.choices[0].message.content);
