import { describe, expect, it } from "vitest";
import { readChain, followChain, getModel, routeName } from "../../../../gateway/core/imports/chains.ts";
import { ConnectionNames } from "../../../../gateway/core/imports/connection-names.ts";
import { readDocument, readJson, readToml } from "../../../../gateway/core/imports/documents.ts";
import { resolveReferences, withVariables } from "../../../../gateway/core/imports/references.ts";
import { knownProviders } from "../../../../gateway/services/imports/known-providers.ts";

describe("names of connections", () => {
  it("differ, also where they stand in front of models", () => {
    const names = new ConnectionNames();
    expect(["deepseek", "DeepSeek", "deepseek", "deep seek", "deep/seek"].map((name) => names.take(name))).toEqual([
      "deepseek",
      "DeepSeek 2",
      "deepseek 3",
      "deep seek",
      "deep/seek 2",
    ]);
  });

  it("are made up for what is invalid, and never too long", () => {
    const names = new ConnectionNames();
    expect(names.take(undefined, "relay.example")).toBe("relay.example");
    expect(names.take("  a\n\tb ")).toBe("a b");
    expect(names.take(7)).toBe("imported");
    expect(names.take("x".repeat(300))).toHaveLength(100);
    expect(names.take("x".repeat(300))).toHaveLength(100);
  });

  it("are no makers of models that another connection sells", () => {
    const names = new ConnectionNames();
    names.sells("OpenRouter", ["deepseek/deepseek-chat", "gpt-5"]);
    names.sells("qwen", ["qwen/qwen3"]);
    expect(names.take("OpenRouter")).toBe("OpenRouter");
    expect(names.take("DeepSeek")).toBe("DeepSeek direct");
    expect(names.take("qwen")).toBe("qwen");
  });
});

describe("the name by which a model of one connection is called", () => {
  const known = knownProviders("http://127.0.0.1:6174");
  const deepseek = { name: "My DeepSeek", provider: "deepseek" };

  it("is its own where the only connection to its provider has it by itself", () => {
    expect(getModel(deepseek, "deepseek-v4-pro", [deepseek], known)).toBe("deepseek-v4-pro");
    expect(getModel(deepseek, "no-such-model", [deepseek], known)).toBe("my-deepseek/no-such-model");
  });

  it("has the connection's name in front where another one could be meant", () => {
    const other = { name: "work", provider: "deepseek" };
    expect(getModel(deepseek, "deepseek-v4-pro", [deepseek, other], known)).toBe("my-deepseek/deepseek-v4-pro");
    const relay = { name: "relay", provider: "deepseek", base_url: "https://relay.example/v1" };
    expect(getModel(relay, "deepseek-v4-pro", [relay], known)).toBe("relay/deepseek-v4-pro");
  });

  it("is that of a dated snapshot, not of its model", () => {
    const anthropic = { name: "anthropic", provider: "anthropic" };
    expect(getModel(anthropic, "claude-sonnet-4-5-20250929", [anthropic], known)).not.toBe("claude-sonnet-4-5");
  });
});

describe("names and chains of routes", () => {
  it.each([
    ["claude-opus-5-5", "claude-opus-5-5"],
    [" My Combo! ", "My-Combo-"],
    ["快", null],
    ["", null],
    ["__proto__", null],
  ])("%j becomes %j", (text, name) => {
    expect(routeName(text)).toBe(name);
  });

  it("names each model once, and no more than ten", () => {
    expect(readChain(["a", "b", "a", "", "c".repeat(201)])).toEqual(["a", "b"]);
    expect(readChain(Array.from({ length: 30 }, (_, index) => `m${index}`))).toHaveLength(10);
  });
});

describe("a chain that names other names", () => {
  const chains: Readonly<Record<string, readonly string[]>> = {
    all: ["one", "two", "all"],
    one: ["a", "two"],
    two: ["b", "one", "c"],
  };
  const step = (name: string) => ({
    models: name.length === 1 ? [name] : [],
    next: chains[name] ?? [],
  });

  it("goes into each where it stands, and into none twice", () => {
    expect(followChain("all", step)).toEqual(["a", "b", "c"]);
    expect(followChain("a", step)).toEqual(["a"]);
    expect(followChain("none", step)).toEqual([]);
  });

  it("takes each once, however many name however many", () => {
    const names = Array.from({ length: 300 }, (_, index) => `name-${index}`);
    let steps = 0;
    const found = followChain("name-0", (name) => {
      steps += 1;
      return { models: name === "name-299" ? ["a"] : [], next: names };
    });
    expect(found).toEqual(["a"]);
    expect(steps).toBe(300);
  });
});

describe("variables in the place of values", () => {
  const env = { KEY: "sk-value", EMPTY: "", lower: "x" };

  it.each([
    ["$KEY", "sk-value"],
    ["${KEY}", "sk-value"],
    ["pre-${KEY}-post", "pre-sk-value-post"],
    ["$MISSING", null],
    ["$EMPTY", null],
    ["${toString}", null],
    ["pa$word", "pa$word"],
    ["plain", "plain"],
  ])("%s is %j", (text, value) => {
    expect(withVariables(text, env)).toBe(value);
  });

  it.each([
    ["os.environ/KEY", { value: "sk-value" }],
    ["env.KEY", { value: "sk-value" }],
    ["{env:KEY}", { value: "sk-value" }],
    ["os.environ/MISSING", { reason: "secret-missing" }],
    ["$KEY", { value: "$KEY" }],
    ["  sk-plain  ", { value: "sk-plain" }],
    ["   ", { reason: "secret-missing" }],
  ])("%s resolves to %j", (text, value) => {
    expect(resolveReferences(text, env)).toEqual(value);
  });
});

const yaml = (text: string): unknown => readDocument("a.yaml", text).data;

describe("documents", () => {
  it("are JSON with comments, trailing commas, single quotes and names without quotes", () => {
    expect(readJson(`\uFEFF{ // one\n a: 'b', /* two */ "c": [1, 2,], }`)).toEqual({ a: "b", c: [1, 2] });
  });

  it.each([
    ["a broken one", () => readJson("{")],
    ["one that is nested too deep", () => readJson("[".repeat(5_000) + "]".repeat(5_000))],
    ["YAML that names itself", () => yaml("a: &a [*a]")],
    ["YAML that grows without end", () => yaml(bomb(30))],
    ["broken YAML", () => yaml("a: [1")],
    ["broken TOML", () => readToml("a = ")],
  ])("%s is undefined", (_name, read) => {
    expect(read()).toBeUndefined();
  });

  it("keep `__proto__` as a name like others", () => {
    const data = readJson(`{ "__proto__": { "polluted": true } }`) as object;
    expect(Object.keys(data)).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

function bomb(levels: number): string {
  const lines = ["a0: &a0 [x, x]"];
  for (let level = 1; level <= levels; level += 1) lines.push(`a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`);
  return lines.join("\n");
}
