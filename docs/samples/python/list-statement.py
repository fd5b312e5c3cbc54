import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

page = client.get("/account/statement", cast_to=object, options={"params": {"limit": 10}})
for line in page["data"]:
    print(line["id"], line["kind"], line["amount"])
