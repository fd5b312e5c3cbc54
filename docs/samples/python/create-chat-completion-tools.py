import json
import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

parameters = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
tools = [
    {"type": "function", "function": {"name": "get_weather", "parameters": parameters}}
]
messages = [{"role": "user", "content": "Call get_weather for Oslo."}]

first = client.chat.completions.create(model="gpt-5.4", messages=messages, tools=tools)
message = first.choices[0].message
messages.append(message)
for call in message.tool_calls or []:
    city = json.loads(call.function.arguments)["city"]
    result = {"role": "tool", "tool_call_id": call.id, "content": f"18 degrees in {city}"}
    messages.append(result)

second = client.chat.completions.create(model="gpt-5.4", messages=messages, tools=tools)
print(second.choices[0].message.content)
