import base64
import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

with open("lighthouse.png", "rb") as file:
    stream = client.images.edit(
        model="gpt-image-2",
        image=file,
        prompt="Turn the light on",
        stream=True,
        partial_images=2,
    )
for event in stream:
    if event.type == "image_edit.partial_image":
        name = f"lighthouse-lit-{event.partial_image_index}.png"
    else:
        name = "lighthouse-lit.png"
    with open(name, "wb") as file:
        file.write(base64.b64decode(event.b64_json))
