import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const page = await client.get('/account/statement', { query: { limit: 10 } });
for (const { id, kind, amount } of page.data) console.log(id, kind, amount);
