import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const conversation = [
  { role: 'user', content: 'Plan a day in Oslo.' },
  { role: 'assistant', content: 'A walk by the fjord first, then a museum.' },
];
const { output } = await client.responses.compact({ model: 'gpt-5.4', input: conversation });
const response = await client.responses.create({
  model: 'gpt-5.4',
  input: [...output, { role: 'user', content: 'And in the evening?' }],
});
console.log(response.output_text);
