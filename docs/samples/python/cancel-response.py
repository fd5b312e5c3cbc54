import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

response = client.responses.create(
    model="gpt-5.4", input="Why is the sky blue?", background=True
)
response = client.responses.cancel(response.id)
print(response.status)
