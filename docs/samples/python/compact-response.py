import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

conversation = [
    {"role": "user", "content": "Plan a day in Oslo."},
    {"role": "assistant", "content": "A walk by the fjord first, then a museum."},
]
compacted = client.responses.compact(model="gpt-5.4", input=conversation)
response = client.responses.create(
    model="gpt-5.4",
    input=[*compacted.output, {"role": "user", "content": "And in the evening?"}],
)
print(response.output_text)
