import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const usage = await client.get('/account/usage', { query: { group_by: 'model' } });
for (const { at, model, requests, charged } of usage.data) console.log(new Date(at * 1000).toISOString(), model, requests, charged);
