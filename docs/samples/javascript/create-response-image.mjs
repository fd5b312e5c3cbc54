import { readFile } from 'node:fs/promises';
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const image = `data:image/png;base64,${await readFile('lighthouse.png', 'base64')}`;
const response = await client.responses.create({
  model: 'gpt-5.4',
  input: [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'What is in this image?' },
        { type: 'input_image', image_url: image },
      ],
    },
  ],
});
console.log(response.output_text);
