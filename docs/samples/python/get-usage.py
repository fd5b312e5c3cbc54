import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

response = client.responses.create(model="gpt-5.4", input="Why is the sky blue?")
receipt = client.get(f"/usage/{response._request_id}", cast_to=object)
for line in receipt["lines"]:
    print(line["quantity"], line["class"], "at", line["price"], "is", line["amount"])
print("charged", receipt["charged"], "dollars")
