import { Modelgate } from '@modelgate/client';

const client = new Modelgate({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const model = await client.getModel('gpt-5.4');
console.log(`${model.id} is served by ${model.owned_by}`);
