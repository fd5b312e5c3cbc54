import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

counted = client.responses.input_tokens.count(model="gpt-5.4", input="Why is the sky blue?")
print(counted.input_tokens)
