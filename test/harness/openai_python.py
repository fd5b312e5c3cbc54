"""What a Python program does with the unchanged openai package: reads the names of checks from stdin, prints what each came to."""

import base64
import json
import os
import struct
import sys
import traceback
import zlib

import openai
from pydantic import BaseModel

# Base URL and key are taken from the environment, as the package does by itself.
client = openai.OpenAI()
impatient = client.with_options(max_retries=0)

MODEL = "gpt-5.4"
GREETING = "Say: Good morning from the gateway."
QUESTION = "Call get_weather for Oslo."
MESSAGES = [{"role": "user", "content": GREETING}]
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False}
CHAT_TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": CITY, "strict": True}}
RESPONSE_TOOL = {"type": "function", "name": "get_weather", "parameters": CITY, "strict": True}


class Person(BaseModel):
    name: str
    age: int


def png(shade):
    """A PNG of 32 by 32 grey pixels."""

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = (b"\0" + bytes([shade]) * 32) * 32
    header = struct.pack(">IIBBBBB", 32, 32, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def signature(image):
    return base64.b64decode(image.b64_json)[:8].hex()


def caught(call):
    """The error that a program would catch, in the words that it would read."""
    try:
        call()
    except openai.APIError as error:
        response = getattr(error, "response", None)
        return {
            "class": type(error).__name__,
            "status": getattr(error, "status_code", None),
            "code": error.code,
            "param": error.param,
            "type": error.type,
            "message": error.message,
            "request_id": getattr(error, "request_id", None),
            "retry_after": response.headers.get("retry-after") if response is not None else None,
        }
    return {"class": None}


def models():
    return {"ids": [model.id for model in client.models.list()], "one": client.models.retrieve(MODEL).id}


def chat():
    completion = client.chat.completions.create(model=MODEL, messages=MESSAGES)
    choice = completion.choices[0]
    return {
        "text": choice.message.content,
        "finish_reason": choice.finish_reason,
        "total": completion.usage.total_tokens,
        "request_id": completion._request_id,
    }


def chat_stream():
    pieces = [chunk.choices[0].delta.content or "" for chunk in client.chat.completions.create(model=MODEL, messages=MESSAGES, stream=True)]
    return {"text": "".join(pieces), "pieces": len([piece for piece in pieces if piece])}


def chat_helper():
    messages = [{"role": "user", "content": QUESTION}]
    options = {"include_usage": True}
    with client.chat.completions.stream(model=MODEL, messages=messages, tools=[CHAT_TOOL], stream_options=options) as stream:
        for _ in stream:
            pass
        final = stream.get_final_completion()
    call = final.choices[0].message.tool_calls[0]
    return {
        "name": call.function.name,
        "arguments": call.function.parsed_arguments,
        "finish_reason": final.choices[0].finish_reason,
        "total": final.usage.total_tokens,
    }


def chat_parse():
    messages = [{"role": "user", "content": "Describe a person."}]
    completion = client.chat.completions.parse(model=MODEL, messages=messages, response_format=Person)
    return completion.choices[0].message.parsed.model_dump()


def response():
    answer = client.responses.create(model=MODEL, input=GREETING, instructions="Be brief.")
    return {"text": answer.output_text, "status": answer.status, "total": answer.usage.total_tokens}


def response_stream():
    events = list(client.responses.create(model=MODEL, input=GREETING, stream=True))
    return {
        "first": events[0].type,
        "last": events[-1].type,
        "numbers": [event.sequence_number for event in events],
        "text": "".join(event.delta for event in events if event.type == "response.output_text.delta"),
    }


def response_helper():
    with client.responses.stream(model=MODEL, input=GREETING) as stream:
        for _ in stream:
            pass
        final = stream.get_final_response()
    return {"text": final.output_text, "status": final.status}


def response_tool():
    question = {"role": "user", "content": QUESTION}
    first = client.responses.create(model=MODEL, input=[question], tools=[RESPONSE_TOOL])
    call = first.output[0]
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "rain, 7 degrees"}
    second = client.responses.create(model=MODEL, input=[question, call, result], tools=[RESPONSE_TOOL])
    return {"arguments": json.loads(call.arguments), "text": second.output_text}


def response_parse():
    return client.responses.parse(model=MODEL, input="Describe a person.", text_format=Person).output_parsed.model_dump()


def generate():
    images = client.images.generate(model="gpt-image-2", prompt="A lighthouse in the fog", n=2, size="1024x1024")
    return {"signatures": [signature(image) for image in images.data], "size": images.size}


def generate_stream():
    prompt = "A lighthouse in the fog"
    stream = client.images.generate(model="gpt-image-2", prompt=prompt, stream=True, partial_images=1, size="1024x1024")
    return {"types": [event.type for event in stream]}


def edit():
    images = client.images.edit(
        model="gpt-image-2",
        prompt="Put both into one picture",
        image=[("one.png", png(64)), png(128)],
        mask=("mask.png", png(255)),
    )
    return {"signatures": [signature(image) for image in images.data], "sent": [data.hex() for data in (png(64), png(128), png(255))]}


def wrong_key():
    return caught(lambda: client.with_options(api_key="mg-wrong").models.list())


def bad_field():
    return caught(lambda: client.chat.completions.create(model=MODEL, messages=MESSAGES, extra_body={"size": "1024x1024"}))


def unknown_model():
    return caught(lambda: client.chat.completions.create(model="gpt-0", messages=MESSAGES))


def without_v1():
    base_url = os.environ["OPENAI_BASE_URL"].removesuffix("/v1")
    return caught(lambda: client.with_options(base_url=base_url).models.list())


def impatient_chat():
    return caught(lambda: impatient.chat.completions.create(model=MODEL, messages=MESSAGES))


def cut_chat():
    seen = []

    def read():
        for chunk in impatient.chat.completions.create(model=MODEL, messages=MESSAGES, stream=True):
            seen.append(chunk.choices[0].finish_reason)

    return {**caught(read), "seen": seen}


def socket_turns():
    """Two turns on one WebSocket; the second continues the first."""
    done = []
    with client.responses.connect() as connection:
        for text in ("One", "Two"):
            previous = {"previous_response_id": done[-1]["id"]} if done else {}
            connection.send({"type": "response.create", "model": MODEL, "input": text, "store": False, **previous})
            for event in connection:
                if event.type in ("response.completed", "response.failed", "error"):
                    break
            done.append({"type": event.type, "id": event.response.id, "previous": event.response.previous_response_id})
    return {"turns": done}


for line in sys.stdin:
    try:
        outcome = globals()[line.strip()]()
    except Exception:
        outcome = {"traceback": traceback.format_exc()}
    print(json.dumps(outcome), flush=True)
