import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServedMessages } from "../../../../gateway/codecs/web-search/messages.ts";
import { plainHistory } from "../../../../gateway/codecs/web-search/messages-history.ts";
import { ServedResponses } from "../../../../gateway/codecs/web-search/responses.ts";
import type {
  OfferedSearch,
  SearchOutcome,
  ServedConversation,
} from "../../../../gateway/codecs/web-search/served-round.ts";
import { ItemMemory } from "../../../../gateway/codecs/responses-to-chat/item-memory.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { modelTurn, textBlock, toolResult, toolUse, userTurn } from "../support/blocks.ts";

const OFFERED: OfferedSearch = {
  name: "web_search",
  filters: { allowed: [], blocked: [] },
  maxUses: null,
  place: null,
  needed: true,
};
const text = fc.stringMatching(/^[a-zé 一🗼.`]{1,12}$/u);
const page = fc.record({ title: text, url: fc.webUrl(), snippet: text, age: fc.option(text) });
const outcome = fc.oneof(
  { weight: 4, arbitrary: fc.array(page, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const turns = fc.record({
  /** Played that search, each with what it says before and what comes of its searches. */
  searching: fc.array(
    fc.record({ said: fc.option(text), searches: fc.array(outcome, { minLength: 1, maxLength: 3 }) }),
    { maxLength: 3 },
  ),
  said: text,
  cites: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
  callsClient: fc.boolean(),
});
type Played = typeof turns extends fc.Arbitrary<infer T> ? T : never;

/** Plays a conversation. @returns what the provider was informed in the last turn, and then said itself */
function play(
  conversation: ServedConversation,
  { searching, said, cites, callsClient }: Played,
  turnOf: (said: string, searches: readonly string[], clientCall: boolean) => Document,
): void {
  let number = conversation.lastNumber;
  let id = 0;
  for (const [index, turn] of searching.entries()) {
    const mixed = callsClient && index === searching.length - 1;
    const made = conversation.read(
      turnOf(
        turn.said ?? "",
        turn.searches.map(() => `c${id++}`),
        mixed,
      ),
    );
    expect(made.callsClient).toBe(mixed);
    for (const [at, call] of made.searches.entries()) {
      const results = turn.searches[at];
      conversation.searching(call);
      const came: SearchOutcome =
        results == null
          ? { kind: "failed", code: "unavailable", message: "It failed." }
          : {
              kind: "results",
              results: results.map((result) => ({ ...result, url: new URL(result.url).href, number: ++number })),
            };
      conversation.addSearch(call, came);
    }
    if (mixed) return;
  }
  conversation.read(turnOf(said + cites.map((cite) => ` [${cite}]`).join(" and"), [], false));
}

const message = (said: string, searches: readonly string[], clientCall: boolean): Document => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [
    ...(said === "" ? [] : [textBlock(said)]),
    ...searches.map((id) => toolUse(id, "web_search", { query: `q ${id}` })),
    ...(clientCall ? [toolUse("client", "note", {})] : []),
  ],
  stop_reason: "end_turn",
  usage: { input_tokens: 1, output_tokens: 1 },
});

const ASKED = userTurn("?");

describe("a message with searches", () => {
  it("comes back as the turns that it was made of", () => {
    fc.assert(
      fc.property(turns, (played) => {
        const body = { model: "m", messages: [ASKED], tools: [{ type: "web_search_20250305", name: "web_search" }] };
        const served = new ServedMessages(body, OFFERED);
        play(served, played, message);
        const { content } = served.whole(false);
        const { messages, results } = plainHistory(
          [ASKED, modelTurn(JSON.parse(JSON.stringify(content)) as unknown)],
          { kind: "calls", name: "web_search" },
          false,
        );
        expect(messages).toEqual(served.request(false)["messages"]);
        expect(results.size).toBe(
          played.searching
            .flatMap(({ searches }) => searches)
            .reduce((sum, results) => sum + (results?.length ?? 0), 0),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("is read where Anthropic made its searches, as far as it can be", () => {
    const content = [
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "tower" } },
      {
        type: "web_search_tool_result",
        tool_use_id: "srvtoolu_1",
        content: [
          {
            type: "web_search_result",
            title: "T",
            url: "https://example.com/",
            encrypted_content: "EqgfCioI",
            page_age: "1 day",
          },
        ],
      },
      textBlock("Tall."),
    ];
    const history = [ASKED, modelTurn(content)];
    const { messages, results } = plainHistory(history, { kind: "calls", name: "web_search" }, true);
    expect(messages.slice(1)).toMatchObject([
      modelTurn([{ type: "tool_use", id: "1", name: "web_search" }]),
      userTurn([toolResult("1", expect.stringContaining("[1] T\nhttps://example.com/\n1 day"))]),
      modelTurn([textBlock("Tall.")]),
    ]);
    expect(results.size).toBe(1);
    // To Anthropic itself they go as they are.
    expect(plainHistory(history, { kind: "text" }, false).messages).toEqual(history);
  });

  it.each([
    null,
    "text",
    [],
    [null],
    [{ type: "text" }],
    [{ type: "server_tool_use", id: "x" }],
    [{ type: "web_search_tool_result", tool_use_id: "x", content: [] }],
  ])("stays what it is where it holds none: %j", (content) => {
    const history = [modelTurn(content)];
    const { messages } = plainHistory(history, { kind: "calls", name: "web_search" }, true);
    const left = messages.filter((turn) => (turn as Document)["role"] === "user");
    expect(left).toEqual([]);
  });
});

const response = (said: string, searches: readonly string[], clientCall: boolean): Document => ({
  id: "resp_1",
  object: "response",
  status: "completed",
  output: [
    ...(said === ""
      ? []
      : [{ type: "message", role: "assistant", content: [{ type: "output_text", text: said, annotations: [] }] }]),
    ...searches.map((id) => ({
      type: "function_call",
      call_id: id,
      name: "web_search",
      arguments: JSON.stringify({ query: `q ${id}` }),
    })),
    ...(clientCall ? [{ type: "function_call", call_id: "client", name: "note", arguments: "{}" }] : []),
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
});

describe("a response with searches", () => {
  it("comes back as the calls and outputs that it was made of", () => {
    fc.assert(
      fc.property(turns, (played) => {
        const body = { model: "m", input: [ASKED], tools: [{ type: "web_search" }] };
        let ids = 0;
        const deps = { newId: () => `id${ids++}`, items: new ItemMemory(1_000_000), now: () => 1 };
        const served = new ServedResponses(body, OFFERED, deps);
        play(served, { ...played, callsClient: false }, response);
        const output = JSON.parse(JSON.stringify(served.whole(false, false)["output"])) as Document[];
        const next = new ServedResponses({ ...body, input: [ASKED, ...output] }, OFFERED, deps);
        const calls = (items: unknown): unknown[] =>
          (items as Document[]).filter(({ type }) => String(type).startsWith("function_call"));
        expect(calls(next.request(false)["input"])).toEqual(calls(served.request(false)["input"]));
      }),
      { numRuns: 200 },
    );
  });
});
