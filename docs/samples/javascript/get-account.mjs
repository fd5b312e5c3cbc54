import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const account = await client.get('/account');
console.log(account.name, account.balance?.available ?? 'calls are not charged');
