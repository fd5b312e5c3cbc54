import { Modelgate } from '@modelgate/client';

const client = new Modelgate({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const response = await client.createResponse({ model: 'gpt-5.4', input: 'Why is the sky blue?' });
const { deleted } = await client.deleteResponse(response.id);
console.log(deleted);
