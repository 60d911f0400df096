"""Google's SDK for Python, whose models parse every response and chunk; it asks below /v1 and writes bytes in base64 for addresses."""

import json
import os

from google import genai
from google.genai import types

client = genai.Client(
    api_key=os.environ["SUITE_KEY"], http_options=types.HttpOptions(base_url=os.environ["SUITE_URL"])
)
model = os.environ["SUITE_MODEL"]
PNG = bytes.fromhex("89504e470d0a1a0afbffbe")


def get_weather(city: str) -> str:
    """The weather of a city."""
    return "Sunny."


def need(found, what: str) -> None:
    if not found:
        raise AssertionError(what)


def ask(contents, **config):
    return client.models.generate_content(
        model=model, contents=contents, config=types.GenerateContentConfig(**config) if config else None
    )


def whole() -> None:
    response = ask("Hello", system_instruction="Be brief.", temperature=0.5)
    usage = response.usage_metadata
    need(response.text, "no text")
    parts = (usage.prompt_token_count, usage.candidates_token_count, usage.thoughts_token_count)
    need(usage.total_token_count == sum(part or 0 for part in parts), "figures do not add up")


def streamed() -> None:
    chunks = list(client.models.generate_content_stream(model=model, contents="Hello"))
    need("".join(chunk.text or "" for chunk in chunks), "no text")
    need(chunks[-1].candidates[0].finish_reason == types.FinishReason.STOP, "no end")


def functions() -> None:
    chat = client.chats.create(model=model, config=types.GenerateContentConfig(tools=[get_weather]))
    need("Sunny" in chat.send_message("How is the weather in Oslo?").text, "the result was not read")


def picture() -> None:
    part = types.Part.from_bytes(data=PNG, mime_type="image/png")
    need("image" in ask(["What is on it?", part]).text, "no picture")


def schema() -> None:
    wanted = {"type": "OBJECT", "properties": {"name": {"type": "STRING"}}, "required": ["name"]}
    response = ask("A recipe", response_mime_type="application/json", response_schema=wanted)
    need(json.loads(response.text)["name"], "not by the schema")


def count() -> None:
    need(client.models.count_tokens(model=model, contents="Hello").total_tokens, "no count")


def models() -> None:
    names = [one.name for one in client.models.list(config={"page_size": 50})]
    need(len(names) == len(set(names)) and f"models/{model}" in names, "a list with gaps")


def failure_of(check):
    try:
        check()
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]


CHECKS = [whole, streamed, functions, picture, schema, count, models]
print(json.dumps({"gemini": {check.__name__: failure_of(check) for check in CHECKS}}))
