import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { answered, chunk, eventsOf, finalOf, refusalOf, translated } from "./translated.ts";

const func = (name: string) => ({ type: "function", name, parameters: { type: "object" } });
const namespace = (name: string, ...tools: readonly Document[]) => ({ type: "namespace", name, tools });

function namesFor(tools: readonly Document[], input: unknown = "hi"): unknown {
  const sent = translated({ tools, input }).body["tools"] as { function: { name: string } }[] | undefined;
  return sent?.map((tool) => tool.function.name);
}

/** The item that the client gets when the provider calls `name`; the same whole and streamed. */
function calledBack(fields: Document, name: string, args = '{"a":1}'): unknown {
  const calls = [{ id: "call_1", type: "function", function: { name, arguments: args } }];
  const whole = answered(translated(fields), {
    choices: [{ message: { tool_calls: calls }, finish_reason: "tool_calls" }],
  });
  const events = eventsOf(translated(fields), [chunk({ tool_calls: [{ index: 0, ...calls[0] }] }, "tool_calls")]);
  expect(finalOf(events)["output"]).toEqual(whole["output"]);
  return (whole["output"] as readonly Document[])[0];
}

describe("namespaces", () => {
  const tools = [func("echo"), namespace("mcp__a", func("echo"), func("only_a")), namespace("mcp__b__", func("_echo"))];

  it("are flattened to unique names", () => {
    expect(namesFor(tools)).toEqual(["echo", "mcp__a__echo", "mcp__a__only_a", "mcp__b__echo"]);
  });

  it.each([
    ["mcp__a__echo", { name: "echo", namespace: "mcp__a" }],
    ["mcp__b__echo", { name: "_echo", namespace: "mcp__b__" }],
    ["only_a", { name: "only_a", namespace: "mcp__a" }],
  ])("%s comes back as Codex looks it up", (wireName, identity) => {
    expect(calledBack({ tools }, wireName)).toMatchObject({ type: "function_call", call_id: "call_1", ...identity });
  });

  it("leave a plain tool without one", () => {
    expect(calledBack({ tools }, "echo")).not.toHaveProperty("namespace");
    expect(calledBack({ tools }, "unknown")).toMatchObject({ type: "function_call", name: "unknown" });
  });

  it("are not guessed where two tools have the name that a model calls", () => {
    const twins = [namespace("mcp__a", func("x")), namespace("mcp__b", func("x"))];
    expect(calledBack({ tools: twins }, "x")).not.toHaveProperty("namespace");
  });

  it("do not count Codex's default one", () => {
    const wrapped = [namespace("functions", func("exec"))];
    expect(namesFor(wrapped)).toEqual(["exec"]);
    expect(calledBack({ tools: wrapped }, "exec")).not.toHaveProperty("namespace");
  });

  it("keep names within what providers take, and apart", () => {
    const long = "x".repeat(70);
    expect(namesFor([namespace("a.b", func("c d")), func("a_b__c_d"), func(`${long}1`), func(`${long}2`)])).toEqual([
      "a_b__c_d",
      "a_b__c_d_2",
      "x".repeat(64),
      `${"x".repeat(62)}_2`,
    ]);
  });
});

describe("free-text tools", () => {
  const tools = [{ type: "custom", name: "apply_patch" }];

  it("get their text back out of the function that stands for them", () => {
    expect(calledBack({ tools }, "apply_patch", '{"input":"*** Begin\\nx"}')).toMatchObject({
      type: "custom_tool_call",
      name: "apply_patch",
      call_id: "call_1",
      input: "*** Begin\nx",
      status: "completed",
    });
  });

  it("get the arguments themselves where a model wrote something else", () => {
    expect(calledBack({ tools }, "apply_patch", "*** Begin")).toMatchObject({ input: "*** Begin" });
  });
});

describe("Codex's tool search", () => {
  const search = {
    type: "tool_search",
    execution: "client",
    description: "Finds tools.",
    parameters: { type: "object" },
  };

  it("is a function that comes back as a search", () => {
    expect(namesFor([search])).toEqual(["tool_search"]);
    expect(calledBack({ tools: [search] }, "tool_search", '{"query":"calendar"}')).toMatchObject({
      type: "tool_search_call",
      execution: "client",
      call_id: "call_1",
      arguments: { query: "calendar" },
    });
  });

  it("adds the tools that it found", () => {
    const input = [
      { role: "user", content: "x" },
      { type: "tool_search_call", call_id: "s", execution: "client", arguments: { query: "q" } },
      { type: "tool_search_output", call_id: "s", execution: "client", tools: [namespace("cal", func("add"))] },
    ];
    expect(namesFor([search], input)).toEqual(["tool_search", "cal__add"]);
    expect(translated({ tools: [search], input }).body["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant", tool_calls: [{ function: { name: "tool_search", arguments: '{"query":"q"}' } }] },
      { role: "tool", tool_call_id: "s" },
    ]);
  });

  it("is left out where OpenAI runs it", () => {
    expect(namesFor([{ type: "tool_search" }])).toBeUndefined();
  });
});

it("takes tools that come as an item of the input, and each only once", () => {
  const input = [
    { type: "additional_tools", role: "developer", tools: [namespace("functions", func("exec"))] },
    { role: "user", content: "x" },
  ];
  expect(namesFor([func("exec")], input)).toEqual(["exec"]);
  expect(namesFor([], input)).toEqual(["exec"]);
});

describe("tools that run at OpenAI", () => {
  it("are left out, with all that only makes sense next to tools", () => {
    const tools = [{ type: "web_search" }, { type: "local_shell" }, { type: "mcp", server_label: "x" }];
    const { body } = translated({ tools, tool_choice: "required", parallel_tool_calls: true });
    expect(body).toEqual({ model: "m", messages: [{ role: "user", content: "hi" }] });
  });
});

it("sends a schema where a function has none, and strictness where it is asked for", () => {
  const tools = [
    { type: "function", name: "a", parameters: null },
    { ...func("b"), strict: true },
  ];
  expect(translated({ tools }).body["tools"]).toEqual([
    { type: "function", function: { name: "a", parameters: { type: "object", properties: {} } } },
    { type: "function", function: { name: "b", parameters: { type: "object" }, strict: true } },
  ]);
});

describe("tool_choice", () => {
  const tools = [func("a"), namespace("ns", func("b"), func("c")), { type: "custom", name: "d" }];
  const named = (name: string) => ({ type: "function", function: { name } });
  it.each<[choice: unknown, sent: unknown]>([
    ["auto", "auto"],
    ["none", "none"],
    ["required", "required"],
    [{ type: "function", name: "a" }, named("a")],
    [{ type: "function", name: "b", namespace: "ns" }, named("ns__b")],
    [{ type: "custom", name: "d" }, named("d")],
    [{ type: "web_search" }, "auto"],
    [undefined, undefined],
  ])("%j", (choice, sent) => {
    expect(translated({ tools, tool_choice: choice }).body["tool_choice"]).toEqual(sent);
  });

  it("of allowed tools leaves only those", () => {
    const allow = (mode: string, ...allowed: readonly Document[]) => {
      const { body } = translated({ tools, tool_choice: { type: "allowed_tools", mode, tools: allowed } });
      const sent = body["tools"] as { function: { name: string } }[];
      return [body["tool_choice"], ...sent.map((tool) => tool.function.name)];
    };
    expect(allow("required", { type: "function", name: "a" })).toEqual(["required", "a"]);
    expect(allow("auto", { type: "namespace", name: "ns" })).toEqual(["auto", "ns__b", "ns__c"]);
    expect(allow("auto", { type: "web_search" })).toEqual(["none", "a", "ns__b", "ns__c", "d"]);
  });

  it("leaves a word that no one here knows to the model", () => {
    const { tool_choice: choice } = translated({ tools, input: "hi", tool_choice: "validated" }).body;
    expect(choice).toBe("auto");
  });

  it("refuses a tool that is not there", () => {
    const choice = { type: "function", name: "nobody" };
    expect(refusalOf({ tools, tool_choice: choice })).toMatchObject({
      code: "invalid_value",
      details: { param: "tool_choice.name" },
    });
  });
});
