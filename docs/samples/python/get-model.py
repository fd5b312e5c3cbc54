import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

model = client.models.retrieve("gpt-5.4")
print(f"{model.id} is served by {model.owned_by}")
