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
    "additionalProperties": False,
}
tools = [{"type": "function", "name": "get_weather", "parameters": parameters}]

question = "Call get_weather for Oslo."
first = client.responses.create(model="gpt-5.4", input=question, tools=tools)
results = []
for item in first.output:
    if item.type == "function_call":
        output = f"18 degrees in {json.loads(item.arguments)['city']}"
        results.append({"type": "function_call_output", "call_id": item.call_id, "output": output})

second = client.responses.create(
    model="gpt-5.4", previous_response_id=first.id, input=results, tools=tools
)
print(second.output_text)
