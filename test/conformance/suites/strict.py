"""The newest SDKs of OpenAI and Anthropic, which refuse a response without a field that their types require."""

import json
import os

from anthropic import Anthropic
from openai import OpenAI

url, key, model = os.environ["SUITE_URL"], os.environ["SUITE_KEY"], os.environ["SUITE_MODEL"]
openai = OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, _strict_response_validation=True)
anthropic = Anthropic(base_url=url, api_key=key, max_retries=0, _strict_response_validation=True)

messages = [{"role": "user", "content": "Hello."}]
schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
function = {"name": "weather", "description": "The weather.", "parameters": schema}
chat = {"model": model, "messages": messages}
message = {"model": model, "messages": messages, "max_tokens": 2000}
response = {"model": model, "input": "Hello."}
chat_tools = {"tools": [{"type": "function", "function": function}], "tool_choice": "required"}
message_tools = {
    "tools": [{"name": "weather", "input_schema": schema}],
    "tool_choice": {"type": "any"},
}
response_tools = {"tools": [{"type": "function", **function}], "tool_choice": "required"}


def continued():
    first = openai.responses.create(**response)
    assert first.completed_at is not None
    second = openai.responses.create(model=model, input="Again.", previous_response_id=first.id)
    assert second.previous_response_id == first.id


def streamed_message(more):
    with anthropic.messages.stream(**message, **more) as stream:
        return stream.get_final_message()


checks = {
    "openai-chat": {
        "plain": lambda: openai.chat.completions.create(**chat),
        "streamed": lambda: list(openai.chat.completions.create(**chat, stream=True)),
        "tool": lambda: openai.chat.completions.create(**chat, **chat_tools),
        "tool, streamed": lambda: list(openai.chat.completions.create(**chat, **chat_tools, stream=True)),
        "models": lambda: list(openai.models.list()),
    },
    "open-responses": {
        "plain": lambda: openai.responses.create(**response),
        "streamed": lambda: list(openai.responses.create(**response, stream=True)),
        "tool": lambda: openai.responses.create(**response, **response_tools),
        "tool, streamed": lambda: list(openai.responses.create(**response, **response_tools, stream=True)),
        # OpenAI itself stores responses, and the sandbox that plays it does not.
        **({} if model.startswith("gpt") else {"continued": continued}),
    },
    "anthropic": {
        "plain": lambda: anthropic.messages.create(**message),
        "streamed": lambda: streamed_message({}),
        "tool": lambda: anthropic.messages.create(**message, **message_tools),
        "tool, streamed": lambda: streamed_message(message_tools),
        "models": lambda: list(anthropic.models.list()),
        "model": lambda: anthropic.models.retrieve(model),
        "count": lambda: anthropic.messages.count_tokens(model=model, messages=messages),
    },
}


def failure_of(check):
    try:
        check()
        return None
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:300]}"


print(json.dumps({dialect: {name: failure_of(check) for name, check in each.items()} for dialect, each in checks.items()}))
