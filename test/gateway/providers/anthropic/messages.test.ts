import { describe, expect, it } from "vitest";
import { messages } from "../../../../gateway/providers/anthropic/messages.ts";
import { provider } from "../../../../gateway/providers/anthropic/provider.ts";
import { carry } from "../../../../gateway/codecs/carried-thinking.ts";
import { bodyOf, dialectCall } from "../dialect-call.ts";

const BODY = {
  model: "claude-sonnet-5",
  max_tokens: 1_024,
  system: [{ type: "text", text: "x-anthropic-billing-header: cc_version=2.1.177.01c; cch=5hex;" }],
  messages: [{ role: "user", content: "Hi" }],
};

describe("the body", () => {
  it("is the client's own buffer", () => {
    const call = dialectCall(BODY);
    expect(messages.toRequest(call, "k").body).toBe(call.raw);
    expect(messages.toCountRequest(call, "k").body).toBe(call.raw);
  });

  it("has nothing but the model's id changed where the client knows the model by another", () => {
    const raw = '{ "metadata":{"model":"mine"},\n "model" : "sonnet",  "temperature":1.0, "max_tokens":1e3 }';
    const call = dialectCall(JSON.parse(raw) as Record<string, unknown>, {
      raw: Buffer.from(raw),
      upstreamModel: "claude-sonnet-5",
    });
    expect(String(messages.toRequest(call, "k").body)).toBe(raw.replace('"sonnet"', '"claude-sonnet-5"'));
  });

  it("is written again where it was translated, or changed by a rule", () => {
    const translated = dialectCall(BODY, { raw: null, upstreamModel: "claude-opus-5" });
    expect(String(messages.toRequest(translated, "k").body)).toBe(JSON.stringify({ ...BODY, model: "claude-opus-5" }));
    const changed = dialectCall(BODY, { changed: true, body: { ...BODY, max_tokens: 5 } });
    expect(String(messages.toRequest(changed, "k").body)).toBe(JSON.stringify({ ...BODY, max_tokens: 5 }));
  });
});

describe("thinking that a client asks for by the name of a route", () => {
  const modelOf = (id: string) => provider.catalog.find((spec) => spec.id === id) ?? null;
  const effort = (value: string) => ({ output_config: { effort: value } });
  const adaptive = { thinking: { type: "adaptive" } };
  const budget = (tokens: number) => ({ thinking: { type: "enabled", budget_tokens: tokens } });

  it.each([
    ["claude-haiku-4-5", { ...adaptive, ...effort("high") }, budget(24_576)],
    [
      "claude-haiku-4-5",
      { ...adaptive, ...effort("max"), max_tokens: 10_000 },
      { ...budget(8_000), max_tokens: 10_000 },
    ],
    ["claude-haiku-4-5", { ...adaptive, max_tokens: 1_100 }, { ...budget(1_024), max_tokens: 1_100 }],
    ["claude-haiku-4-5", { ...adaptive, max_tokens: 1_024 }, { max_tokens: 1_024 }],
    ["claude-haiku-4-5", { output_config: { effort: "low", format: {} } }, { output_config: { format: {} } }],
    ["claude-opus-4-5", { ...adaptive, ...effort("xhigh") }, { ...budget(32_768), ...effort("high") }],
    ["claude-sonnet-4-6", { ...budget(2_000), ...effort("high") }, { ...budget(2_000), ...effort("high") }],
    ["claude-sonnet-5-5", { ...budget(2_000), ...effort("high") }, { ...adaptive, ...effort("high") }],
    ["claude-sonnet-5-5", { ...adaptive, ...effort("xhigh") }, { ...adaptive, ...effort("xhigh") }],
    ["a-model-of-another", { ...budget(2_000) }, { ...budget(2_000) }],
  ])("is what %s takes: %o", (model, request, expected) => {
    const body = { ...BODY, model, max_tokens: 64_000, ...request };
    const call = dialectCall(body, { model: modelOf(model) });
    expect(JSON.parse(String(messages.toRequest(call, "k").body))).toEqual({
      ...BODY,
      model,
      max_tokens: 64_000,
      ...expected,
    });
  });
});

describe("thinking by budget", () => {
  const thinking = { type: "enabled", budget_tokens: 2_000 };
  const clear = { type: "clear_thinking_20251015", keep: "all" };
  const call = { type: "tool_use", id: "toolu_1", name: "read", input: {} };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "4" }] };
  const thought = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
  const sent = (turns: readonly object[], more: object = {}): Record<string, unknown> => {
    const request = {
      ...BODY,
      model: "claude-sonnet-4-5",
      max_tokens: 4_096,
      thinking,
      messages: [...BODY.messages, ...turns],
      ...more,
    };
    return JSON.parse(String(messages.toRequest(dialectCall(request), "k").body)) as Record<string, unknown>;
  };

  it.each([
    ["without a thought", [call]],
    ["with a thought that nobody signed", [{ ...thought, signature: "" }, call]],
  ])("is left out while calls of tools go on that another model made %s", (_what, content) => {
    const body = sent([{ role: "assistant", content }, result], { context_management: { edits: [clear] } });
    expect(body["messages"]).toEqual([...BODY.messages, { role: "assistant", content: [call] }, result]);
    expect(body).not.toHaveProperty("thinking");
    expect(body).not.toHaveProperty("context_management");
  });

  it("leaves what else manages the context", () => {
    const uses = { type: "clear_tool_uses_20250919" };
    const turns = [{ role: "assistant", content: [call] }, result];
    expect(sent(turns, { context_management: { edits: [uses, clear] } })["context_management"]).toEqual({
      edits: [uses],
    });
  });

  it.each([
    ["a thought of its own", [{ role: "assistant", content: [thought, call] }, result]],
    [
      "a thought before the first of its calls, as Claude does not think before each",
      [{ role: "assistant", content: [thought, call] }, result, { role: "assistant", content: [call] }, result],
    ],
    [
      "what the user said",
      [{ role: "assistant", content: [call] }, result, ...texts("Four."), ...texts("Go on.", "user")],
    ],
    ["nothing", []],
  ])("stays after %s", (_what, turns) => {
    const management = { edits: [clear] };
    expect(sent(turns, { context_management: management })).toMatchObject({ thinking, context_management: management });
  });

  function texts(content: string, role = "assistant"): readonly object[] {
    return [{ role, content }];
  }
});

describe("the headers", () => {
  it("hold a key as x-api-key, an OAuth token as a bearer, and someone else's key as both", () => {
    const { headers } = messages.toRequest(dialectCall(BODY), "sk-ant-api03-abc");
    expect(headers["x-api-key"]).toBe("sk-ant-api03-abc");
    expect(headers).not.toHaveProperty("authorization");

    const oauth = messages.toRequest(dialectCall(BODY), "sk-ant-oat01-abc").headers;
    expect(oauth["authorization"]).toBe("Bearer sk-ant-oat01-abc");
    expect(oauth).not.toHaveProperty("x-api-key");

    const others = messages.toRequest(dialectCall(BODY), "sk-of-a-relay").headers;
    expect(others).toMatchObject({ "x-api-key": "sk-of-a-relay", authorization: "Bearer sk-of-a-relay" });

    const none = messages.toRequest(dialectCall(BODY), null).headers;
    expect(Object.keys(none)).not.toEqual(expect.arrayContaining(["authorization"]));
    expect(none).not.toHaveProperty("x-api-key");
  });

  it("name the version of 2023-06-01 unless the client names one", () => {
    expect(messages.toRequest(dialectCall(BODY), null).headers["anthropic-version"]).toBe("2023-06-01");
    const call = dialectCall(BODY, { headers: { "anthropic-version": "2027-01-01" } });
    expect(messages.toRequest(call, null).headers["anthropic-version"]).toBe("2027-01-01");
  });

  it("pass on what belongs to the dialect, known or not, and nothing else of the client's (A.6)", () => {
    const mine = {
      "anthropic-beta": "context-management-2025-06-27,made-up-beta-2099-01-01",
      "anthropic-made-up": "1",
      "x-claude-code-session-id": "s",
      "x-claude-code-agent-id": "a",
    };
    const notForProviders = {
      authorization: "Bearer sk-local",
      "x-api-key": "sk-local",
      cookie: "a=b",
      host: "127.0.0.1:6174",
      "content-length": "5",
      "user-agent": "claude-cli/2",
      "x-stainless-lang": "js",
    };
    for (const make of [messages.toRequest, messages.toCountRequest]) {
      const { headers } = make(dialectCall(BODY, { headers: { ...mine, ...notForProviders } }), "sk-ant-api03-abc");
      expect(headers).toMatchObject(mine);
      expect(headers["x-api-key"]).toBe("sk-ant-api03-abc");
      for (const name of ["authorization", "cookie", "host", "content-length", "user-agent", "x-stainless-lang"])
        expect(headers).not.toHaveProperty(name);
    }
  });
});

it("asks at the two paths of the dialect", () => {
  expect(messages.toRequest(dialectCall(BODY), null)).toMatchObject({ method: "POST", path: "/v1/messages" });
  expect(messages.toCountRequest(dialectCall(BODY), null)).toMatchObject({
    method: "POST",
    path: "/v1/messages/count_tokens",
  });
});

it.each([
  ["https://api.anthropic.com", "https://api.anthropic.com"],
  ["https://api.anthropic.com/", "https://api.anthropic.com"],
  ["https://api.anthropic.com/v1", "https://api.anthropic.com"],
  ["https://api.anthropic.com/v1/messages", "https://api.anthropic.com"],
  ["https://gateway.example/claude/messages", "https://gateway.example/claude"],
  ["https://gateway.example/v1/messages/count_tokens", "https://gateway.example"],
  ["https://gateway.ai.cloudflare.com/v1/ACC/GW/anthropic", "https://gateway.ai.cloudflare.com/v1/ACC/GW/anthropic"],
  ["https://proxy.example/anthropic/v1/", "https://proxy.example/anthropic"],
  ["http://127.0.0.1:8080//anthropic//", "http://127.0.0.1:8080/anthropic"],
])("puts the base URL %s right", (given, right) => {
  expect(provider.normalizeBaseUrl(new URL(given))).toBe(right);
});

describe("the list of models", () => {
  it("is asked for in one page", () => {
    expect(provider.models?.toRequest("sk-ant-api03-abc")).toMatchObject({
      method: "GET",
      path: "/v1/models?limit=1000",
      headers: { "x-api-key": "sk-ant-api03-abc", "anthropic-version": "2023-06-01" },
      body: null,
    });
  });

  it("is read with its dates and limits", () => {
    const body = {
      data: [
        {
          type: "model",
          id: "claude-opus-5",
          display_name: "Claude Opus 5",
          created_at: "2026-02-04T00:00:00Z",
          max_input_tokens: 1_000_000,
          max_tokens: 128_000,
          capabilities: null,
        },
        { type: "model", id: "claude-next", created_at: "soon", max_input_tokens: null },
        { type: "model" },
      ],
      has_more: false,
      first_id: "claude-opus-5",
      last_id: "claude-next",
    };
    expect(provider.models?.fromResponse(body)).toEqual([
      {
        id: "claude-opus-5",
        owned_by: "anthropic",
        created: 1_770_163_200,
        context_length: 1_000_000,
        max_output: 128_000,
        price: null,
      },
      {
        id: "claude-next",
        owned_by: "anthropic",
        created: null,
        context_length: null,
        max_output: null,
        price: null,
      },
    ]);
  });

  it("does not exist where the response is something else", () => {
    expect(provider.models?.fromResponse({ type: "error" })).toBeNull();
    expect(provider.models?.fromResponse(null)).toBeNull();
  });
});

describe("a host that speaks this dialect and is not Anthropic", () => {
  const sentTo = (host: string, body: object): Record<string, unknown> =>
    bodyOf(
      messages.toRequest(dialectCall({ ...BODY, model: "kimi-k2.6", ...body }, { origin: `https://${host}` }), "k"),
    );
  const user = { role: "user", content: "Hi" };
  const call = { type: "tool_use", id: "toolu_1", name: "Bash", input: {} };
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "a.txt" };
  const unsigned = { type: "thinking", thinking: "Hm.", signature: "" };

  it("gets back what it thought without a signature, and not what was carried for another provider", () => {
    const turns = (signature: string): object[] => [
      user,
      { role: "assistant", content: [{ ...unsigned, signature }, call] },
      { role: "user", content: [result] },
    ];
    expect(sentTo("relay.example", { messages: turns("") })["messages"]).toEqual(turns(""));
    expect(sentTo("relay.example", { messages: turns(carry({ isReasoning: true })) })["messages"]).toEqual(turns(""));
    // Claude refuses it wherever it is served.
    const claude = { model: "claude-sonnet-5", messages: turns("") };
    expect(sentTo("relay.example", claude)["messages"]).toEqual(
      turns("").with(1, { role: "assistant", content: [call] }),
    );
    expect(sentTo("api.anthropic.com", { messages: turns("") })["messages"]).toEqual(
      turns("").with(1, { role: "assistant", content: [call] }),
    );
  });

  it("is not reported an effort next to thinking that is off", () => {
    const off = { thinking: { type: "disabled" }, output_config: { effort: "high" } };
    expect(sentTo("api.deepseek.com", off)).not.toHaveProperty("output_config");
    expect(
      sentTo("api.deepseek.com", { ...off, output_config: { effort: "high", format: {} } })["output_config"],
    ).toEqual({
      format: {},
    });
    expect(sentTo("api.anthropic.com", { ...off, model: "claude-opus-5" })).toMatchObject(off);
  });

  it("has system messages at the top alone: others are the user's, after the results of tools", () => {
    const late = { role: "system", content: [{ type: "text", text: "Mind the gap." }] };
    const reminder = { type: "text", text: "<system-reminder>\nMind the gap.\n</system-reminder>" };
    const turns = [user, { role: "assistant", content: [call] }, { role: "user", content: [result] }, late];
    expect(sentTo("api.minimax.io", { messages: turns })["messages"]).toEqual([
      ...turns.slice(0, 2),
      { role: "user", content: [result, reminder] },
    ]);
    expect(sentTo("api.minimax.io", { messages: [late, user] })["messages"]).toEqual([
      { role: "user", content: [reminder] },
      user,
    ]);
    expect(sentTo("api.anthropic.com", { messages: turns })["messages"]).toEqual(turns);
  });

  it.each([
    ["api.siliconflow.cn", { type: "adaptive" }, 4_000, { type: "enabled", budget_tokens: 1_024 }],
    ["api.siliconflow.cn", { type: "adaptive" }, 1_000, { type: "disabled" }],
    ["api.siliconflow.cn", { type: "disabled" }, 4_000, { type: "disabled" }],
    ["api.minimax.io", { type: "enabled", budget_tokens: 2_000 }, 4_000, { type: "adaptive" }],
    ["relay.example", { type: "enabled", budget_tokens: 2_000 }, 4_000, { type: "enabled", budget_tokens: 2_000 }],
  ])("is reported at %s to think by its own word: %j within %i", (host, thinking, max_tokens, expected) => {
    expect(sentTo(host, { thinking, max_tokens })["thinking"]).toEqual(expected);
  });
});
