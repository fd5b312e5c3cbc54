"""What a program does with the client that openapi-python-client writes: the five calls and an error, as one line of JSON."""

import json
import os

from generated import AuthenticatedClient
from generated.api.chat import create_chat_completion
from generated.api.images import edit_images, generate_images
from generated.api.models import list_models
from generated.api.responses import create_response
from generated.models import ChatCompletionRequest, ChatUserMessage, ImageEditForm, ImageGenerationRequest
from generated.models import ModelNotFoundErrorBody, ModelNotFoundErrorDetailCode, OutputMessage, OutputText, ResponseRequest
from generated.types import File

PAINTER = "gpt-image-2"
greeting = os.environ["GREETING"]
client = AuthenticatedClient(base_url=os.environ["MODELGATE_ORIGIN"], token=os.environ["MODELGATE_API_KEY"])


def ask(model):
    message = ChatUserMessage(role="user", content=greeting)
    return create_chat_completion.sync_detailed(client=client, body=ChatCompletionRequest(model=model, messages=[message]))


def response():
    answer = create_response.sync(client=client, body=ResponseRequest(model="gpt-5.4", input_=greeting))
    message = next(item for item in answer.output if isinstance(item, OutputMessage))
    return next(part.text for part in message.content if isinstance(part, OutputText))


def edited():
    with open(os.environ["PICTURE"], "rb") as picture:
        image = File(payload=picture, file_name="picture.png", mime_type="image/png")
        answer = edit_images.sync(client=client, body=ImageEditForm(model=PAINTER, prompt="Add a hat", image=[image]))
    return answer.data[0].b64_json


def rejected():
    answer = ask("gpt-0")
    error = answer.parsed.error
    known = isinstance(answer.parsed, ModelNotFoundErrorBody) and error.code is ModelNotFoundErrorDetailCode.MODEL_NOT_FOUND
    return {"status": int(answer.status_code), "code": str(error.code), "param": error.param, "known": known}


outcome = {
    "models": [model.id for model in list_models.sync(client=client).data],
    "chat": ask("gpt-5.4").parsed.choices[0].message.content,
    "response": response(),
    "drawn": generate_images.sync(client=client, body=ImageGenerationRequest(model=PAINTER, prompt="A lighthouse")).data[0].b64_json,
    "edited": edited(),
    "rejected": rejected(),
}
print(json.dumps(outcome))
