import { Modelgate } from '@modelgate/client';

const client = new Modelgate({
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: process.env.MODELGATE_API_KEY,
});

const tools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];
const messages = [{ role: 'user', content: 'Call get_weather for Oslo.' }];

const first = await client.createChatCompletion({ model: 'gpt-5.4', messages, tools });
const { message } = first.choices[0];
messages.push(message);
for (const call of message.tool_calls ?? []) {
  const { city } = JSON.parse(call.function.arguments);
  messages.push({ role: 'tool', tool_call_id: call.id, content: `18 degrees in ${city}` });
}

const second = await client.createChatCompletion({ model: 'gpt-5.4', messages, tools });
console.log(second.choices[0].message.content);
