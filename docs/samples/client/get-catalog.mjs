import { Modelgate } from '@modelgate/client';

const client = new Modelgate({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const catalog = await client.getCatalog({ group: 'default' });
for (const { id, prices } of catalog.data) console.log(id, prices);
