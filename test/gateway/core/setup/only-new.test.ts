import { describe, expect, it } from "vitest";
import { initialSettings } from "../../../../gateway/contract/settings.ts";
import type { Setup } from "../../../../gateway/contract/setup.ts";
import { onlyNew, type KnownConnection } from "../../../../gateway/core/setup/only-new.ts";

const HOUSE = "http://127.0.0.1:8080/v1";
const provider = "openai-compatible";
const known: KnownConnection[] = [
  { name: "House", provider, base_url: HOUSE, keys: ["key-1"] },
  { name: "Fixed", provider, base_url: "http://127.0.0.1:1/v1", keys: ["fixed-1"], fixed: true },
];
const current: Setup = {
  keys: [{ name: "laptop", sha256: "a".repeat(64) }],
  routes: [{ name: "work", models: ["gpt-5"], order: "listed", sticky: false, rules: [], enabled: true }],
  aliases: { quick: "gpt-5-mini" },
  prices: { "gpt-5": { input: 1, output: 2 } },
  settings: { ...initialSettings, backup_keep: 3 },
};

describe("what an import adds", () => {
  it.each<[string, NonNullable<Setup["connections"]>, unknown]>([
    [
      "a connection that is not there",
      [{ name: "New", provider, base_url: "http://127.0.0.1:2/v1" }],
      [{ name: "New" }],
    ],
    ["nothing for one that is there", [{ name: "house", provider, base_url: HOUSE, keys: ["key-1"] }], []],
    [
      "keys to one that is there, and nothing else of it",
      [{ name: "house", provider, base_url: HOUSE, keys: ["key-2", "key-1"], priority: 1, enabled: false }],
      [{ name: "House", provider, keys: ["key-1", "key-2"] }],
    ],
    [
      "another name where the name leads elsewhere",
      [{ name: "House", provider, base_url: "http://127.0.0.1:3/v1" }],
      [{ name: "House 2", base_url: "http://127.0.0.1:3/v1" }],
    ],
    [
      "nothing for what is there under another name",
      [{ name: "Other", provider, base_url: HOUSE, keys: ["key-1"] }],
      [],
    ],
    [
      "a connection beside one of the environment, whose keys stay",
      [{ name: "Fixed", provider, base_url: "http://127.0.0.1:1/v1", keys: ["more"] }],
      [{ name: "Fixed 2", keys: ["more"] }],
    ],
    [
      "nothing beside one of the environment that has the key",
      [{ name: "Fixed", provider, base_url: "http://127.0.0.1:1/v1", keys: ["fixed-1"] }],
      [],
    ],
    [
      "two of one name",
      [
        { name: "Twin", provider, base_url: "http://127.0.0.1:4/v1" },
        { name: "twin", provider, base_url: "http://127.0.0.1:5/v1" },
      ],
      [{ name: "Twin" }, { name: "twin 2" }],
    ],
  ])("is %s", (_what, connections, added) => {
    const { setup } = onlyNew(current, known, { connections });
    expect(setup.connections).toMatchObject(added as object[]);
    expect(setup.connections).toHaveLength((added as object[]).length);
  });

  it("names models by the name that their connection has here", () => {
    const { setup } = onlyNew(current, known, {
      connections: [{ name: "House", provider, base_url: "http://127.0.0.1:3/v1" }],
      routes: [
        {
          name: "new",
          models: ["house/a", "other/b", "gpt-5"],
          rules: [{ when: { input_tokens_above: 1 }, models: ["House/c/d"], enabled: true }],
        },
      ],
      aliases: { mine: "house/a" },
      prices: { "house/a": { input: 1, output: 1 } },
    });
    expect(setup).toMatchObject({
      routes: [{ models: ["house-2/a", "other/b", "gpt-5"], rules: [{ models: ["house-2/c/d"] }] }],
      aliases: { mine: "house-2/a" },
      prices: { "house-2/a": { input: 1, output: 1 } },
    });
  });

  it("leaves what is here under the same name, and says so where it is another", () => {
    const { setup, existing: stored } = onlyNew(current, known, {
      keys: [{ name: "laptop", sha256: "b".repeat(64) }, { name: "laptop" }, { name: "new" }],
      routes: [
        { name: "work", models: ["other"] },
        { name: "fresh", models: ["gpt-5"] },
      ],
      aliases: { quick: "gpt-5", slow: "gpt-5" },
      prices: { "gpt-5": { input: 9, output: 9 } },
      settings: { backup_keep: 9, record_keep_days: 3 },
    });
    expect(setup).toMatchObject({
      keys: [{ name: "new" }],
      routes: [{ name: "fresh" }],
      aliases: { slow: "gpt-5" },
      prices: {},
      settings: { record_keep_days: 3 },
    });
    expect(stored.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "key laptop",
      "route work",
      "alias quick",
      "price gpt-5",
      "setting backup_keep",
    ]);
  });

  it("says nothing of what is the same already", () => {
    const { setup, existing: stored } = onlyNew(current, known, {
      keys: [{ name: "renamed", sha256: "a".repeat(64) }],
      routes: [{ name: "work", models: ["gpt-5"] }],
      aliases: current.aliases,
      prices: current.prices,
      settings: { backup_keep: 3 },
    });
    expect(stored).toEqual([]);
    expect(setup).toEqual({
      connections: [],
      keys: [],
      routes: [],
      aliases: {},
      prices: {},
      settings: {},
      search_keys: {},
    });
  });

  it("opens this Postern to no one", () => {
    const { setup } = onlyNew(current, known, { settings: { lan: true, port: 8080, allow_targets: ["10.0.0.1:80"] } });
    expect(setup.settings).toEqual({});
  });
});
