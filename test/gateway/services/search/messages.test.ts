import Anthropic from "@anthropic-ai/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { KEY } from "../../../support/running-gateway.ts";
import {
  CHAT_ROUTE,
  FOREIGN,
  found,
  says,
  searchCall,
  useSearchWorld,
  streams,
} from "../../../support/search-world.ts";

const world = useSearchWorld(0.005);
let sdk: Anthropic;
beforeAll(() => {
  sdk = new Anthropic({ baseURL: world.postern.url, apiKey: KEY, maxRetries: 0 });
});

const TOOL = { type: "web_search_20250305", name: "web_search", max_uses: 3 } as const;
const ASKED = {
  model: FOREIGN,
  max_tokens: 512,
  tools: [TOOL],
  messages: [{ role: "user" as const, content: "How tall is the tower?" }],
};
const PAGES = found(
  ["The tower", "https://example.com/tower", "It is <b>300</b> metres tall."],
  ["Other towers", "https://other.example/towers", "None is taller."],
);
const bodies = () =>
  world.wire.seen.map(({ json }) => json as { messages: unknown[]; tools: unknown[]; tool_choice?: unknown });

describe("a message whose provider does not search", () => {
  const searching = (whole: boolean) => {
    const act = whole ? says : streams;
    world.wire.on(
      CHAT_ROUTE,
      act("Let me look.", searchCall("call_1", "tower height")),
      act("It is 300 m tall [1]. None is taller [2]. `a[1]`"),
    );
    world.searx.on("GET /search", PAGES);
  };
  const ask = (whole: boolean): Promise<Anthropic.Message> =>
    whole ? sdk.messages.create(ASKED) : sdk.messages.stream(ASKED).finalMessage();

  it.each([true, false])("is served with the client's own blocks (whole: %s)", async (whole) => {
    searching(whole);
    const message = await ask(whole);
    expect(message.content).toMatchObject([
      { type: "text", text: "Let me look." },
      { type: "server_tool_use", name: "web_search", input: { query: "tower height" } },
      {
        type: "web_search_tool_result",
        content: [
          { type: "web_search_result", title: "The tower", url: "https://example.com/tower" },
          { type: "web_search_result", title: "Other towers", url: "https://other.example/towers" },
        ],
      },
      {
        type: "text",
        text: "It is 300 m tall",
        citations: [
          {
            type: "web_search_result_location",
            url: "https://example.com/tower",
            title: "The tower",
            cited_text: "It is 300 metres tall.",
          },
        ],
      },
      { type: "text", text: ". None is taller", citations: [{ url: "https://other.example/towers" }] },
      { type: "text", text: ". `a[1]`" },
    ]);
    const [, call, result] = message.content as { id?: string; tool_use_id?: string }[];
    expect(result?.tool_use_id).toBe(call?.id);
    expect(call?.id).toMatch(/^srvtoolu_/);
    expect(message).toMatchObject({
      stop_reason: "end_turn",
      usage: { input_tokens: 20, output_tokens: 10, server_tool_use: { web_search_requests: 1 } },
    });
    expect(world.searx.seen.map(({ query }) => query.get("q"))).toEqual(["tower height"]);
  });

  it.each([true, false])("tells the model what was found as the result of its call (whole: %s)", async (whole) => {
    searching(whole);
    await ask(whole);
    const [first, second] = bodies();
    expect(first?.tools).toMatchObject([{ type: "function", function: { name: "web_search" } }]);
    expect(second?.messages.slice(1)).toMatchObject([
      { role: "assistant", content: "Let me look.", tool_calls: [{ id: "call_1" }] },
      {
        role: "tool",
        tool_call_id: "call_1",
        content: expect.stringContaining("[1] The tower\nhttps://example.com/tower\nIt is 300 metres tall."),
      },
    ]);
  });

  it("pays for each turn and each search, with receipts of their own", async () => {
    searching(true);
    await sdk.messages.create(ASKED, { headers: { "x-postern-session": "s-1", "x-postern-project": "shop" } });
    const receipts = await world.postern.receipts(3);
    expect(receipts.map(({ session, project }) => [session, project])).toEqual(
      ["s-1", "s-1", "s-1"].map((session) => [session, "shop"]),
    );
    const [last, search, first] = receipts;
    expect(first).toMatchObject({ endpoint: "messages", model: FOREIGN, outcome: "completed" });
    expect(search).toMatchObject({
      id: `${first?.id}-s1`,
      endpoint: "search",
      provider: "searxng",
      outcome: "completed",
      nano: 5_000_000,
      terms: [{ unit: "web_search", quantity: 1, nano: 5_000_000 }],
    });
    expect(last).toMatchObject({ id: `${first?.id}-2`, endpoint: "messages", model: FOREIGN, outcome: "completed" });
  });

  it.each([true, false])("carries its searches on in the history (whole: %s)", async (whole) => {
    searching(whole);
    const message = await ask(whole);
    const texts = bodies()[1]?.messages ?? [];
    world.wire.reset();
    world.wire.on(CHAT_ROUTE, says("You are welcome."));
    await sdk.messages.create({
      ...ASKED,
      messages: [
        ...ASKED.messages,
        { role: "assistant", content: message.content },
        { role: "user", content: "Thanks." },
      ],
    });
    expect(bodies()[0]?.messages).toEqual([
      ...texts,
      // DeepSeek wants a thought in each message of a turn with calls.
      { role: "assistant", content: "It is 300 m tall [1]. None is taller [2]. `a[1]`", reasoning_content: " " },
      { role: "user", content: "Thanks." },
    ]);
  });

  it("cites what was found in an earlier request, and numbers what is found now after it", async () => {
    searching(true);
    const before = await sdk.messages.create(ASKED);
    world.wire.reset();
    world.wire.on(CHAT_ROUTE, says("", searchCall("call_2", "more")), says("As said [1]; and new [3]."));
    world.searx.on("GET /search", found(["New", "https://new.example/", "A new one."]));
    const message = await sdk.messages.create({
      ...ASKED,
      messages: [...ASKED.messages, { role: "assistant", content: before.content }, { role: "user", content: "More?" }],
    });
    expect(message.content.slice(2)).toMatchObject([
      { type: "text", text: "As said", citations: [{ url: "https://example.com/tower" }] },
      { type: "text", text: "; and new", citations: [{ url: "https://new.example/" }] },
      { type: "text", text: "." },
    ]);
  });

  it("goes out as text where no one searches any more", async () => {
    searching(true);
    const message = await sdk.messages.create(ASKED);
    world.wire.reset();
    world.wire.on(CHAT_ROUTE, says("You are welcome."));
    const { tools: _none, ...plain } = ASKED;
    await sdk.messages.create({
      ...plain,
      messages: [
        ...ASKED.messages,
        { role: "assistant", content: message.content },
        { role: "user", content: "Thanks." },
      ],
    });
    expect(JSON.stringify(bodies()[0]?.messages[1])).toContain("https://example.com/tower");
  });

  it("insists on the search once, when the client does, of a model that does not think", async () => {
    searching(true);
    const insisting = { tool_choice: { type: "tool", name: "web_search" }, thinking: { type: "disabled" } } as const;
    await sdk.messages.create({ ...ASKED, ...insisting });
    expect(bodies().map(({ tool_choice }) => tool_choice)).toEqual([
      { type: "function", function: { name: "web_search" } },
      undefined,
    ]);
  });

  it.each([true, false])("leaves calls of the client's functions to it (whole: %s)", async (whole) => {
    const act = whole ? says : streams;
    world.wire.on(
      CHAT_ROUTE,
      act("", { id: "call_f", name: "note", arguments: { text: "x" } }, searchCall("call_s", "tower")),
    );
    world.searx.on("GET /search", PAGES);
    const request = { ...ASKED, tools: [TOOL, { name: "note", input_schema: { type: "object" as const } }] };
    const message = whole ? await sdk.messages.create(request) : await sdk.messages.stream(request).finalMessage();
    expect(message.stop_reason).toBe("tool_use");
    expect(message.content).toMatchObject([
      { type: "tool_use", id: "call_f", name: "note", input: { text: "x" } },
      { type: "server_tool_use" },
      { type: "web_search_tool_result" },
    ]);
    world.wire.reset();
    world.wire.on(CHAT_ROUTE, says("Noted."));
    const result = { type: "tool_result" as const, tool_use_id: "call_f", content: "done" };
    await sdk.messages.create({
      ...request,
      messages: [
        ...ASKED.messages,
        { role: "assistant", content: message.content },
        { role: "user", content: [result] },
      ],
    });
    expect(bodies()[0]?.messages.slice(1)).toMatchObject([
      { role: "assistant", tool_calls: [{ id: "call_f" }, { id: "call_s" }] },
      { role: "tool", tool_call_id: "call_s" },
      { role: "tool", tool_call_id: "call_f", content: "done" },
    ]);
  });

  it("searches no more often than the client allows, and then asks for a response", async () => {
    world.wire.on(CHAT_ROUTE, says("", searchCall("c1", "a")), says("", searchCall("c2", "b")), says("Enough."));
    world.searx.on("GET /search", PAGES);
    const message = await sdk.messages.create({ ...ASKED, tools: [{ ...TOOL, max_uses: 1 }] });
    expect(world.searx.seen).toHaveLength(1);
    expect(message.content).toMatchObject([
      { type: "server_tool_use" },
      { type: "web_search_tool_result", content: [{}, {}] },
      { type: "server_tool_use" },
      {
        type: "web_search_tool_result",
        content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
      },
      { type: "text", text: "Enough." },
    ]);
    expect(message.usage.server_tool_use?.web_search_requests).toBe(1);
    expect(bodies().map(({ tool_choice }) => tool_choice)).toEqual([undefined, "none", "none"]);
  });

  it("pauses a model that never stops to search", async () => {
    world.wire.on(CHAT_ROUTE, says("", searchCall("c", "again")));
    world.searx.on("GET /search", PAGES);
    const message = await sdk.messages.create(ASKED);
    expect(message.stop_reason).toBe("pause_turn");
    expect(world.searx.seen).toHaveLength(3);
  });

  it("shows results of allowed hosts alone", async () => {
    world.wire.on(CHAT_ROUTE, says("", searchCall("c", "towers")), says("Done."));
    world.searx.on("GET /search", PAGES);
    const message = await sdk.messages.create({ ...ASKED, tools: [{ ...TOOL, allowed_domains: ["other.example"] }] });
    expect(message.content[1]).toMatchObject({ content: [{ url: "https://other.example/towers" }] });
    expect(world.searx.seen[0]?.query.get("q")).toBe("towers site:other.example");
  });

  it.each([
    [429, "too_many_requests"],
    [500, "unavailable"],
    [403, "unavailable"],
  ] as const)("tells model and client of a search that failed with %i", async (status, error_code) => {
    world.wire.on(CHAT_ROUTE, says("", searchCall("c", "towers")), says("I could not look."));
    world.searx.on("GET /search", (_seen, outgoing) => void outgoing.writeHead(status).end("{}"));
    const message = await sdk.messages.create(ASKED);
    expect(message.content).toMatchObject([
      { type: "server_tool_use" },
      { type: "web_search_tool_result", content: { type: "web_search_tool_result_error", error_code } },
      { type: "text", text: "I could not look." },
    ]);
    expect(bodies()[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: expect.stringContaining("SearXNG") });
  });

  it("tells an error of a later turn in the stream that has started", async () => {
    world.wire.on(CHAT_ROUTE, streams("Let me look.", searchCall("c", "towers")), (_seen, outgoing) => {
      outgoing
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: "too long" } }));
    });
    world.searx.on("GET /search", PAGES);
    await expect(sdk.messages.stream(ASKED).finalMessage()).rejects.toThrow("too long");
  });
});
