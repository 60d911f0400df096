import { describe, expect, it } from "vitest";
import {
  CHAT_ROUTE,
  FOREIGN,
  found,
  says,
  searchCall,
  useSearchWorld,
  streams,
} from "../../../support/search-world.ts";

const world = useSearchWorld(null);

const ASKED = {
  model: FOREIGN,
  web_search_options: {},
  messages: [{ role: "user" as const, content: "How tall is the tower?" }],
};
const TEXT = "It is 300 m tall ([example.com](https://example.com/tower)).";
const ANNOTATION = {
  type: "url_citation",
  url_citation: { url: "https://example.com/tower", title: "The tower", start_index: 17, end_index: 59 },
};

function searching(act: typeof streams): void {
  world.wire.on(CHAT_ROUTE, act("", searchCall("call_1", "tower height")), act("It is 300 m tall [1]."));
  world.searx.on("GET /search", found(["The tower", "https://example.com/tower", "It is 300 metres tall."]));
}

describe("a chat completion with web_search_options whose provider has none", () => {
  it("is searched for and cites", async () => {
    searching(says);
    const completion = await world.postern.sdk().chat.completions.create(ASKED);
    expect(completion.choices).toMatchObject([
      { finish_reason: "stop", message: { role: "assistant", content: TEXT, annotations: [ANNOTATION] } },
    ]);
    expect(completion.choices[0]?.message.tool_calls).toBeUndefined();
    expect(completion.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 });
  });

  it("streams the same", async () => {
    searching(streams);
    const stream = world.postern.sdk().chat.completions.stream({ ...ASKED, stream_options: { include_usage: true } });
    const chunks: { choices: readonly { delta: object }[] }[] = [];
    stream.on("chunk", (chunk) => void chunks.push(chunk));
    const completion = await stream.finalChatCompletion();
    expect(completion.choices).toMatchObject([{ finish_reason: "stop", message: { content: TEXT } }]);
    expect(completion.usage).toMatchObject({ prompt_tokens: 20, total_tokens: 30 });
    const annotations = chunks.flatMap(
      ({ choices }) => (choices[0]?.delta as { annotations?: unknown[] })?.annotations ?? [],
    );
    expect(annotations).toEqual([ANNOTATION]);
    expect(JSON.stringify(chunks)).not.toContain("tool_calls");
  });

  it.each([says, streams])("gives the client the calls of its own functions", async (act) => {
    const note = { id: "call_f", name: "note", arguments: { text: "x" } };
    world.wire.on(CHAT_ROUTE, act("", searchCall("call_s", "tower"), note));
    const request = { ...ASKED, tools: [{ type: "function" as const, function: { name: "note", parameters: {} } }] };
    const sdk = world.postern.sdk().chat.completions;
    const { choices } = act === says ? await sdk.create(request) : await sdk.stream(request).finalChatCompletion();
    expect(choices).toMatchObject([
      { finish_reason: "tool_calls", message: { tool_calls: [{ id: "call_f", function: { name: "note" } }] } },
    ]);
    expect(choices[0]?.message.tool_calls).toHaveLength(1);
    expect(world.searx.seen).toHaveLength(0);
  });
});

it("sends the search service no secret that the key masks", async () => {
  const key = { name: "masked", mask_secrets: true, mask_words: "tower" };
  const { secret } = await world.postern.ask<{ secret: string }>("POST", "/keys", key);
  searching(says);
  const completion = await world.postern.sdk(secret).chat.completions.create(ASKED);
  expect(completion.choices[0]?.message.content).toBe(TEXT);
  expect(world.searx.seen.at(-1)?.query.get("q")).toMatch(/^MASKED_\w{12} height$/);
});
