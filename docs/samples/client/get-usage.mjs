import { Modelgate } from '@modelgate/client';

const client = new Modelgate({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

let id = '';
await client.createResponse(
  { model: 'gpt-5.4', input: 'Why is the sky blue?' },
  { onResponse: ({ headers }) => (id = headers.get('x-request-id') ?? '') },
);
const receipt = await client.getUsage(id);
for (const line of receipt.lines) console.log(`${line.quantity} ${line.class} at ${line.price}: ${line.amount}`);
console.log(`charged ${receipt.charged} dollars`);
