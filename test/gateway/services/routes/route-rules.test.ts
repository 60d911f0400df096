import { beforeAll, beforeEach, expect, it, test } from "vitest";
import type { RouteRule } from "../../../../gateway/contract/routes.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { recorded } from "../../core/routes/client-requests.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

/** What clients send decides which rule of a route holds, from the socket to the receipt. */
const LIMITED = "sk-test-limited-key-0002";
const provider = useProvider();
const rule = (when: RouteRule["when"], model: string): RouteRule => ({ when, models: [model], enabled: true });

const postern = useGateway(() => ({ provider, keys: [{ key: LIMITED, name: "limited", limit_usd: 0.0001 }] }));
beforeAll(async () => {
  await postern.ask("POST", "/routes", {
    name: "claude-opus-5-5",
    models: ["gpt-4.1"],
    rules: [
      rule({ kinds: ["title"] }, "gpt-4.1-nano"),
      rule({ kinds: ["background"] }, "gpt-4.1-mini"),
      rule({ kinds: ["subagent"] }, "gpt-4o-mini"),
      rule({ input_tokens_above: 5_000 }, "gpt-4o"),
      rule({ budget_used_above: 10 }, "gpt-5-mini"),
    ],
  });
});
beforeEach(() => provider.reset());

const [turn] = recorded("claude-code");
const CLAUDE = { "x-app": "cli", "x-claude-code-session-id": "11111111-2222-4333-8444-555555555555" };
const small = (turn: string) => ({ max_tokens: 512, messages: [{ role: "user", content: turn }], tools: [] });

it.each<[string, object, Record<string, string>, string, number | undefined, readonly string[]]>([
  [
    "Claude Code's turn, as recorded",
    { ...turn?.body, max_tokens: 32_000 },
    turn?.headers ?? {},
    "gpt-4.1",
    undefined,
    ["thinking", "tools"],
  ],
  [
    "its title",
    { ...small("fix it"), system: "Generate a concise title for this coding session." },
    CLAUDE,
    "gpt-4.1-nano",
    1,
    ["background", "title"],
  ],
  ["its look at a page", small("Web page content: …"), CLAUDE, "gpt-4.1-mini", 2, ["background"]],
  ["the same of another client", small("Web page content: …"), {}, "gpt-4.1", undefined, []],
  [
    "a title that Qwen Code asks for by a tool",
    {
      ...small("Generate the session title now."),
      system: "Generate a concise, sentence-case title that captures what this programming-assistant session is about.",
      tools: [{ name: "respond_in_schema", input_schema: { type: "object", properties: {} } }],
    },
    { "user-agent": "QwenCode/0.24.4 (linux; x64)" },
    "gpt-4.1-nano",
    1,
    ["background", "title", "tools"],
  ],
  [
    "opencode, which shrinks its conversation",
    small("Here is the conversation so far:\n\n<conversation>\n[User]: hi\n</conversation>"),
    { "user-agent": "opencode/1.18.33" },
    "gpt-4.1",
    undefined,
    [],
  ],
  ["a person who wants a title", small("Create a page with a title and a chat window"), {}, "gpt-4.1", undefined, []],
  ["its sub-agent", small("go"), { ...CLAUDE, "x-claude-code-agent-id": "a1" }, "gpt-4o-mini", 3, ["subagent"]],
  ["a long prompt", small("several words of it ".repeat(2_000)), {}, "gpt-4o", 4, []],
])("%s", async (_, body, headers, model, rule, kinds) => {
  const response = await postern.post("/messages", { ...body, model: "claude-opus-5-5", stream: false }, KEY, {
    ...headers,
    authorization: `Bearer ${KEY}`,
  });
  expect(response.status).toBe(200);
  const receipt = await postern.receipt();
  expect(receipt).toMatchObject({ model, route: { name: "claude-opus-5-5", passed: [] } });
  expect(receipt.route?.rule).toBe(rule);
  expect(receipt.kinds ?? []).toEqual(kinds);
});

test("a budget that is used up by a tenth", async () => {
  const body = { ...small("hi"), model: "claude-opus-5-5" };
  const models: string[] = [];
  for (let times = 0; times < 3; times += 1) {
    await (await postern.post("/messages", { ...body, max_tokens: 5 }, LIMITED)).text();
    models.push((await postern.receipt()).model);
  }
  expect(models[0]).toBe("gpt-4.1");
  expect(models.at(-1)).toBe("gpt-5-mini");
});
