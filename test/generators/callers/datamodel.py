"""What a program does with the models that datamodel-code-generator writes, over httpx: the five calls and an error, as one line of JSON."""

import base64
import json
import os

import httpx

import generated
from generated import ChatCompletionRequest, ChatUserMessage, ImageEditRequest, ImageGenerationRequest, ImageReference, ResponseRequest

PAINTER = "gpt-image-2"
greeting = os.environ["GREETING"]
headers = {"authorization": f"Bearer {os.environ['MODELGATE_API_KEY']}"}
client = httpx.Client(base_url=os.environ["MODELGATE_ORIGIN"], headers=headers, timeout=60)


def post(path, body):
    return client.post(path, content=body.model_dump_json(exclude_unset=True), headers={"content-type": "application/json"})


def ask(model):
    message = ChatUserMessage(role="user", content=greeting)
    return post("/v1/chat/completions", ChatCompletionRequest(model=model, messages=[message]))


def response():
    answer = generated.ModelResponse.model_validate_json(post("/v1/responses", ResponseRequest(model="gpt-5.4", input=greeting)).text)
    items = [getattr(item, "root", item) for item in answer.output]
    message = next(item for item in items if isinstance(item, generated.OutputMessage))
    part = message.content[0]
    return getattr(part, "root", part).text


def image(path, body):
    return generated.ImageList.model_validate_json(post(path, body).text).data[0].b64_json


def edited():
    with open(os.environ["PICTURE"], "rb") as picture:
        url = "data:image/png;base64," + base64.b64encode(picture.read()).decode()
    return image("/v1/images/edits", ImageEditRequest(model=PAINTER, prompt="Add a hat", images=[ImageReference(image_url=url)]))


def rejected():
    answer = ask("gpt-0")
    error = generated.ModelNotFoundErrorBody.model_validate_json(answer.text).error
    known = error.code is generated.ModelNotFoundErrorDetailCode.model_not_found
    return {"status": answer.status_code, "code": error.code.value, "param": error.param, "known": known}


outcome = {
    "models": [model.id for model in generated.ModelList.model_validate_json(client.get("/v1/models").text).data],
    "chat": generated.ChatCompletion.model_validate_json(ask("gpt-5.4").text).choices[0].message.content,
    "response": response(),
    "drawn": image("/v1/images/generations", ImageGenerationRequest(model=PAINTER, prompt="A lighthouse")),
    "edited": edited(),
    "rejected": rejected(),
}
print(json.dumps(outcome))
