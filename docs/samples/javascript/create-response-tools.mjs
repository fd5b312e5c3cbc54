import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const tools = [
  {
    type: 'function',
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
  },
];

const first = await client.responses.create({ model: 'gpt-5.4', input: 'Call get_weather for Oslo.', tools });
const results = first.output
  .filter((item) => item.type === 'function_call')
  .map((call) => {
    const { city } = JSON.parse(call.arguments);
    return { type: 'function_call_output', call_id: call.call_id, output: `18 degrees in ${city}` };
  });

const second = await client.responses.create({
  model: 'gpt-5.4',
  previous_response_id: first.id,
  input: results,
  tools,
});
console.log(second.output_text);
