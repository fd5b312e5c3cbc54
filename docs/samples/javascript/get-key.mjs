import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const key = await client.get('/key');
console.log(key.name, key.expires_at ?? 'never expires', key.spending_caps[0]?.left ?? 'no cap');
