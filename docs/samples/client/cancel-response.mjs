import { Modelgate } from '@modelgate/client';

const client = new Modelgate({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const { id } = await client.createResponse({ model: 'gpt-5.4', input: 'Why is the sky blue?', background: true });
const response = await client.cancelResponse(id);
console.log(response.status);
