import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const counted = await client.responses.inputTokens.count({ model: 'gpt-5.4', input: 'Why is the sky blue?' });
console.log(counted.input_tokens);
