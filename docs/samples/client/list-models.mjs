import { Modelgate } from '@modelgate/client';

const client = new Modelgate({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const models = await client.listModels();
for (const model of models.data) console.log(model.id);
