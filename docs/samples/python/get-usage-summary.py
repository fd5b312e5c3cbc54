import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

usage = client.get("/account/usage", cast_to=object, options={"params": {"group_by": "model"}})
for row in usage["data"]:
    print(row["at"], row["model"], row["requests"], row["charged"])
