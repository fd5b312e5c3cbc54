import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

key = client.get("/key", cast_to=object)
print(key["name"], key["expires_at"], key["spending_caps"])
