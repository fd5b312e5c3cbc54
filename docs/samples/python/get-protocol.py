import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

protocol = client.get("/protocol?model=gpt-5.4", cast_to=object)
for upstream in protocol["data"][0]["upstreams"]:
    for fields in upstream["operations"]:
        print(fields["operation"], "rejects", fields["rejected"])
