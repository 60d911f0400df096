import type OpenAI from "openai";
import { beforeAll, describe, expect, it } from "vitest";
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
let sdk: OpenAI;
beforeAll(() => {
  sdk = world.postern.sdk();
});

const ASKED = { model: FOREIGN, tools: [{ type: "web_search" as const }], input: "How tall is the tower?" };
const PAGES = found(
  ["The tower", "https://www.example.com/tower", "It is 300 metres tall."],
  ["Other towers", "https://other.example/towers", "None is taller."],
);
const LINK = "([example.com](https://www.example.com/tower))";
const bodies = () => world.wire.seen.map(({ json }) => json as { messages: unknown[]; tool_choice?: unknown });

function searching(whole: boolean): void {
  const act = whole ? says : streams;
  world.wire.on(CHAT_ROUTE, act("", searchCall("call_1", "tower height")), act("Der Turm 🗼 ist 300 m hoch [1]. Ja."));
  world.searx.on("GET /search", PAGES);
}

/** What the events of a stream add up to, by the SDK's own reading. */
async function ask(whole: boolean, request: object = ASKED): Promise<OpenAI.Responses.Response> {
  if (whole) return sdk.responses.create(request as OpenAI.Responses.ResponseCreateParamsNonStreaming);
  const stream = sdk.responses.stream(request as OpenAI.Responses.ResponseCreateParamsStreaming);
  return stream.finalResponse();
}

describe("a response whose provider does not search", () => {
  it.each([true, false])("has items and citations as OpenAI's own (whole: %s)", async (whole) => {
    searching(whole);
    const response = await ask(whole);
    const text = `Der Turm 🗼 ist 300 m hoch ${LINK}. Ja.`;
    expect(response.output).toMatchObject([
      { type: "web_search_call", status: "completed", action: { type: "search", query: "tower height" } },
      { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
    ]);
    const [part] = (response.output[1] as OpenAI.Responses.ResponseOutputMessage).content;
    if (part?.type !== "output_text") throw new Error("no text");
    expect(part.annotations).toEqual([
      {
        type: "url_citation",
        start_index: 26,
        end_index: 26 + LINK.length,
        url: "https://www.example.com/tower",
        title: "The tower",
      },
    ]);
    expect(
      Array.from(part.text)
        .slice(26, 26 + LINK.length)
        .join(""),
    ).toBe(LINK);
    expect(response.status).toBe("completed");
    expect(response.tools).toEqual(ASKED.tools);
    expect(response.usage).toMatchObject({ input_tokens: 20, output_tokens: 10, total_tokens: 30 });
  });

  it("streams each search as it happens, in one sequence under one id", async () => {
    searching(false);
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await sdk.responses.create({ ...ASKED, stream: true })) events.push(event);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_event, index) => index));
    const types = events.map(({ type }) => type).filter((type) => type !== "response.output_text.delta");
    expect(types).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.web_search_call.in_progress",
      "response.web_search_call.searching",
      "response.web_search_call.completed",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.annotation.added",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    const [first] = events;
    const last = events.at(-1);
    if (first?.type !== "response.created" || last?.type !== "response.completed") throw new Error("not as expected");
    expect(last.response.id).toBe(first.response.id);
    const text = events.map((event) => (event.type === "response.output_text.delta" ? event.delta : "")).join("");
    expect(text).toBe(`Der Turm 🗼 ist 300 m hoch ${LINK}. Ja.`);
  });

  it.each([true, false])("is continued by its id, searches and all (whole: %s)", async (whole) => {
    searching(whole);
    const response = await ask(whole);
    expect(response.completed_at).toBeGreaterThanOrEqual(response.created_at);
    const inputs = [
      { input: [{ role: "user", content: ASKED.input }, ...response.output, { role: "user", content: "Thanks." }] },
      { input: "Thanks.", previous_response_id: response.id },
    ];
    const sent: unknown[] = [];
    for (const more of inputs) {
      world.wire.reset();
      world.wire.on(CHAT_ROUTE, says("You are welcome."));
      const answered = await ask(true, { ...ASKED, ...more });
      expect(answered.previous_response_id).toBe(more.previous_response_id ?? null);
      sent.push(bodies()[0]?.messages);
    }
    expect(sent[1]).toEqual(sent[0]);
  });

  it.each([true, false])("carries its searches on in the history (whole: %s)", async (whole) => {
    searching(whole);
    const response = await ask(whole);
    const texts = bodies()[1]?.messages ?? [];
    world.wire.reset();
    world.wire.on(CHAT_ROUTE, says("You are welcome."));
    const input = [{ role: "user", content: ASKED.input }, ...response.output, { role: "user", content: "Thanks." }];
    await ask(true, { ...ASKED, input });
    const [request] = bodies();
    const callId = expect.stringMatching(/./);
    expect(request?.messages).toMatchObject([
      ...texts.slice(0, 1),
      { role: "assistant", tool_calls: [{ id: callId, function: { name: "web_search" } }] },
      { role: "tool", tool_call_id: callId, content: (texts[2] as { content: string }).content },
      { role: "assistant", content: `Der Turm 🗼 ist 300 m hoch ${LINK}. Ja.` },
      { role: "user", content: "Thanks." },
    ]);
  });

  it("takes searches back by their ids alone, as the Vercel AI SDK names them", async () => {
    searching(true);
    const response = await ask(true);
    world.wire.reset();
    world.wire.on(CHAT_ROUTE, says("You are welcome."));
    const input = [
      { role: "user", content: ASKED.input },
      { type: "item_reference", id: response.output[0]?.id },
      { role: "user", content: "Thanks." },
    ];
    await ask(true, { ...ASKED, input });
    expect(JSON.stringify(bodies()[0]?.messages)).toContain("https://www.example.com/tower");
  });

  it.each([true, false])("leaves calls of the client's functions to it (whole: %s)", async (whole) => {
    const act = whole ? says : streams;
    const note = { id: "call_f", name: "note", arguments: { text: "x" } };
    world.wire.on(CHAT_ROUTE, act("", note, searchCall("call_s", "tower")));
    world.searx.on("GET /search", PAGES);
    const tools = [...ASKED.tools, { type: "function", name: "note", parameters: { type: "object" }, strict: false }];
    const response = await ask(whole, { ...ASKED, tools });
    expect(response.output).toMatchObject([
      { type: "function_call", name: "note", call_id: "call_f" },
      { type: "web_search_call", status: "completed" },
    ]);
  });

  it("insists on the search once, when the client does, of a model that does not think", async () => {
    searching(true);
    await ask(true, { ...ASKED, tool_choice: { type: "web_search_preview" }, reasoning: { effort: "none" } });
    expect(bodies().map(({ tool_choice }) => tool_choice)).toEqual([
      { type: "function", function: { name: "web_search" } },
      undefined,
    ]);
  });

  it("tells which other tools no one runs", async () => {
    searching(true);
    const answer = await world.postern.post("/responses", {
      ...ASKED,
      tools: [...ASKED.tools, { type: "code_interpreter", container: { type: "auto" } }],
    });
    expect(answer.headers.get("x-postern-dropped-tools")).toBe("code_interpreter");
  });
});
