import { describe, expect, it } from "vitest";
import type { Setup } from "../../../../gateway/contract/setup.ts";
import { SetupWorld } from "../setup/setup-world.ts";
import { importsAt } from "./json-program.ts";

const GOOD = {
  name: "Good",
  provider: "openai-compatible",
  base_url: "http://127.0.0.1:1/v1",
  keys: ["good-key-0001"],
};
const BAD = {
  name: "Bad one",
  provider: "openai-compatible",
  base_url: "http://127.0.0.1:2/v1",
  keys: ["bad-key-000001"],
};
const CLAUDE = { name: "Claude", provider: "anthropic", keys: ["bad-key-000002"] };

/** Names what a connection that falls out would have served, in every way that a set-up can. */
const NAMING: Setup = {
  routes: [
    { name: "dead", models: ["bad-one/q"] },
    {
      name: "half",
      models: ["bad-one/q", "good/a"],
      rules: [{ when: { kinds: ["tools"] }, models: ["Bad One/r"], enabled: true }],
    },
    {
      name: "limited",
      models: ["good/a"],
      rules: [{ when: { keys: ["only-bad", "both"] }, models: ["good/b"], enabled: true }],
    },
    {
      name: "refused",
      models: ["good/a"],
      rules: [{ when: { keys: ["only-bad"] }, models: ["good/b"], enabled: true }],
    },
  ],
  aliases: { gone: "bad-one/q", here: "good/a" },
  prices: { "bad-one/q": { input: 1, output: 1 }, "good/a": { input: 1, output: 1 } },
  keys: [
    { name: "only-bad", secret: "sk-only-bad-0001", models: ["bad-one/*"] },
    { name: "both", secret: "sk-both-000001", models: ["bad-one/q", "good/*"] },
    { name: "all", secret: "sk-all-0000001" },
  ],
};

const LEFT = {
  routes: [
    { name: "half", models: ["good/a"], rules: [] },
    { name: "limited", models: ["good/a"], rules: [{ when: { keys: ["both"] } }] },
    { name: "refused", models: ["good/a"], rules: [] },
  ],
  aliases: { here: "good/a" },
  prices: { "good/a": { input: 1 } },
  keys: [
    { name: "both", models: ["good/*"] },
    { name: "all", models: null },
  ],
};

async function take(world: SetupWorld, setup: Setup, more: { take_over?: string[]; link?: boolean } = {}) {
  const imports = importsAt(world, "/nowhere");
  const text = JSON.stringify(setup);
  const source = { program: "opencode" as const, text };
  const preview = await imports.preview(source);
  const { token } = preview;
  const result = await imports.apply({
    ...source,
    token,
    take_keys: "all",
    ...(more.take_over && { take_over: more.take_over }),
  });
  const conflicts = result.conflicts.map(({ kind, name }) => `${kind} ${name}`);
  return { preview, result, conflicts, here: world.setup.read() };
}

describe("what names a connection that is not made", () => {
  it.each<[string, Setup["connections"]]>([
    ["its key is refused", [GOOD, BAD]],
    ["its address is refused", [GOOD, { ...BAD, base_url: "http://1.1.1.1/v1", keys: ["good-key-0002"] }]],
  ])("is left out with it, with the reason, where %s", async (_why, connections) => {
    const { here, result, conflicts } = await take(await SetupWorld.start(), { connections, ...NAMING });
    expect(here).toMatchObject(LEFT);
    expect(new Set(conflicts)).toEqual(
      new Set([
        ...(result.tests.length > 1 ? [] : ["connection Bad one"]),
        "route dead",
        "route half",
        "alias gone",
        "price bad-one/q",
        "key only-bad",
        "key both",
      ]),
    );
    expect(result.conflicts.find(({ name }) => name === "dead")?.message).toMatch(/left out with "Bad one"/);
  });

  it("is left out by its own name too, where no one else serves it", async () => {
    const routes = [{ name: "fast", models: ["claude-haiku-5-5"] }];
    const setup = { connections: [GOOD, CLAUDE], routes };
    expect((await take(await SetupWorld.start(), setup)).here.routes).toEqual([]);
    const world = await SetupWorld.start();
    await world.apply({ connections: [{ name: "Mine", provider: "anthropic", keys: ["good-key-0009"] }] });
    expect((await take(world, setup)).here.routes).toMatchObject(routes);
  });

  it("is left out of a configuration file whose key is refused", async () => {
    const world = await SetupWorld.start();
    const result = await world.apply({ connections: [GOOD, BAD], ...NAMING });
    expect(world.setup.read()).toMatchObject(LEFT);
    expect(result.conflicts.length).toBe(6);
  });
});

describe("a route by a name that is served", () => {
  const setup = {
    connections: [GOOD],
    routes: [
      { name: "gpt-5.5", models: ["good/a"] },
      { name: "mine/b", models: ["good/b"] },
      { name: "free", models: ["good/c"] },
    ],
  };
  async function start(): Promise<SetupWorld> {
    const world = await SetupWorld.start();
    await world.apply({
      connections: [
        { name: "OpenAI", provider: "openai", keys: ["good-key-0009"] },
        { ...BAD, name: "mine", keys: ["good-key-0008"] },
      ],
    });
    return world;
  }

  it("is made only where the owner says so", async () => {
    const { preview, here, conflicts } = await take(await start(), setup);
    expect(preview.conflicts).toMatchObject([
      {
        kind: "route",
        name: "gpt-5.5",
        message: expect.stringMatching(/"OpenAI" serves/) as string,
        takes_over: ["good/a"],
      },
      { kind: "route", name: "mine/b", takes_over: ["good/b"] },
    ]);
    expect(conflicts).toEqual(["route gpt-5.5", "route mine/b"]);
    expect(here.routes).toMatchObject([{ name: "free" }]);
    const received = await take(await start(), setup, { take_over: ["gpt-5.5"] });
    expect(received.here.routes).toMatchObject([{ name: "gpt-5.5" }, { name: "free" }]);
  });

  it("is made by no link", async () => {
    const world = await start();
    const imports = importsAt(world, "/nowhere");
    const source = { program: "opencode" as const, text: ` CCSwitch://v1/import?${JSON.stringify(setup)}` };
    const { token, conflicts } = await imports.preview(source);
    expect(conflicts.map(({ takes_over: over }) => over)).toEqual([undefined, undefined]);
    await imports.apply({ ...source, token, take_keys: "all", take_over: ["gpt-5.5", "mine/b"] });
    expect(world.setup.read().routes).toMatchObject([{ name: "free" }]);
  });
});
