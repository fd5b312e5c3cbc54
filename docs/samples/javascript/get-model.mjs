import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const model = await client.models.retrieve('gpt-5.4');
console.log(`${model.id} is served by ${model.owned_by}`);
