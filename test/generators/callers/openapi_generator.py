"""What a program does with the client that openapi-generator writes for Python: the five calls and an error, as one line of JSON."""

import json
import os

import generated
from generated import ApiException, ChatApi, ChatCompletionRequest, ChatMessage, ChatUserMessage, ChatUserMessageContent
from generated import ImageGenerationRequest, ImagesApi, ModelNotFoundErrorBody, ModelsApi
from generated import OutputMessage, ResponseRequest, ResponseRequestInput, ResponsesApi

PAINTER = "gpt-image-2"
greeting = os.environ["GREETING"]
configuration = generated.Configuration(host=os.environ["MODELGATE_ORIGIN"], access_token=os.environ["MODELGATE_API_KEY"])
client = generated.ApiClient(configuration)
chats, images = ChatApi(client), ImagesApi(client)


def ask(model):
    message = ChatMessage(ChatUserMessage(role="user", content=ChatUserMessageContent(greeting)))
    return chats.create_chat_completion(ChatCompletionRequest(model=model, messages=[message]))


def response():
    answer = ResponsesApi(client).create_response(ResponseRequest(model="gpt-5.4", input=ResponseRequestInput(greeting)))
    messages = [item.actual_instance for item in answer.output if isinstance(item.actual_instance, OutputMessage)]
    return messages[0].content[0].actual_instance.text


def edited():
    with open(os.environ["PICTURE"], "rb") as picture:
        files = [("picture.png", picture.read())]
    # The method takes the fields of the form, and sends them as one only where it is told so.
    answer = images.edit_images(model=PAINTER, prompt="Add a hat", image=files, _content_type="multipart/form-data")
    return answer.data[0].b64_json


def rejected():
    try:
        ask("gpt-0")
    except ApiException as caught:
        error = ModelNotFoundErrorBody.from_json(caught.body).error
        known = isinstance(caught.data, ModelNotFoundErrorBody)
        return {"status": caught.status, "code": error.code, "param": error.param, "known": known}
    return None


outcome = {
    "models": [model.id for model in ModelsApi(client).list_models().data],
    "chat": ask("gpt-5.4").choices[0].message.content,
    "response": response(),
    "drawn": images.generate_images(ImageGenerationRequest(model=PAINTER, prompt="A lighthouse")).data[0].b64_json,
    "edited": edited(),
    "rejected": rejected(),
}
print(json.dumps(outcome))
