import base64
import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

with open("lighthouse.png", "rb") as file:
    images = client.images.edit(
        model="gpt-image-2", image=file, prompt="Turn the light on"
    )
with open("lighthouse-lit.png", "wb") as file:
    file.write(base64.b64decode(images.data[0].b64_json))
