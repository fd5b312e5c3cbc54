import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const { id } = await client.responses.create({ model: 'gpt-5.4', input: 'Why is the sky blue?', background: true });
const stream = await client.responses.retrieve(id, { stream: true });
for await (const event of stream) {
  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);
}
