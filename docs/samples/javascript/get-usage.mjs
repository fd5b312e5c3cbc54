import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const response = await client.responses.create({ model: 'gpt-5.4', input: 'Why is the sky blue?' });
const receipt = await client.get(`/usage/${response._request_id}`);
for (const line of receipt.lines) console.log(`${line.quantity} ${line.class} at ${line.price}: ${line.amount}`);
console.log(`charged ${receipt.charged} dollars`);
