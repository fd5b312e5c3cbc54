import base64
import os
from openai import OpenAI

client = OpenAI(
    base_url="http://127.0.0.1:8080/v1",
    api_key=os.environ["MODELGATE_API_KEY"],
)

with open("lighthouse.png", "rb") as file:
    image = "data:image/png;base64," + base64.b64encode(file.read()).decode()

response = client.responses.create(
    model="gpt-5.4",
    input=[
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "What is in this image?"},
                {"type": "input_image", "image_url": image},
            ],
        }
    ],
)
print(response.output_text)
