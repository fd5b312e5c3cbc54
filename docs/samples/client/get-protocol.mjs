import { Modelgate } from '@modelgate/client';

const client = new Modelgate({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const { data } = await client.getProtocol({ model: 'gpt-5.4' });
for (const { operations } of data[0].upstreams)
  for (const { operation, rejected } of operations) console.log(operation, 'rejects', rejected);
