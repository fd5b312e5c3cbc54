import { readFile } from 'node:fs/promises';
import { Modelgate, outputText } from '@modelgate/client';

const client = new Modelgate({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const image = `data:image/png;base64,${await readFile('lighthouse.png', 'base64')}`;
const response = await client.createResponse({
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
console.log(outputText(response));
