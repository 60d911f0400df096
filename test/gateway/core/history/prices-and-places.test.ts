import { describe, expect, it } from "vitest";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import type { Machine } from "../../../../gateway/core/clients/place.ts";
import { namedFolders, usualFolders } from "../../../../gateway/core/history/agents.ts";
import { earlierModel } from "../../../../gateway/core/history/earlier-models.ts";
import { readServed, servedText, type HistoryTokens } from "../../../../gateway/core/history/history-entry.ts";
import { costOfTokens, servedPrice } from "../../../../gateway/core/history/token-price.ts";
import { tokenizerRelation } from "../../../../gateway/core/history/tokenizers.ts";
import type { Price } from "../../../../gateway/core/models/model.ts";

const USD = 1_000_000_000;
const rates = { input: 2 * USD, cached_input: USD / 5, cache_write: 3 * USD, output: 10 * USD };
const price: Price = {
  tiers: [
    { above: 0, rates },
    { above: 200_000, rates: { input: 4 * USD, output: 20 * USD } },
  ],
  factors: { speed: { fast: 2 } },
  source: "a page",
  as_of: "2026-11-24",
};
const plain: Price = {
  tiers: [{ above: 0, rates: { input: 2 * USD, output: 10 * USD } }],
  source: "p",
  as_of: "2026-11-24",
};

describe("tokens cost", () => {
  it.each<[string, Price, HistoryTokens, boolean, number | null, readonly string[]]>([
    ["each class at its rate", price, [1_000, 1_000, 1_000, 0, 1_000, 1_000], true, 25_200_000, []],
    ["the whole request at the rate of its size", price, [200_001, 0, 0, 0, 1_000, 0], true, 820_004_000, []],
    ["an hour's writing at the nearest rate", price, [0, 0, 0, 1_000, 0, 0], true, 3_000_000, []],
    ["an hour's writing as writing, on another model", price, [0, 0, 0, 1_000, 0, 0], false, 3_000_000, []],
    ["writing as input where none is sold", plain, [0, 0, 1_000, 0, 0, 0], false, 2_000_000, ["writes_as_input"]],
    [
      "cached input in full where its rate is not known",
      plain,
      [0, 1_000, 0, 0, 0, 0],
      false,
      2_000_000,
      ["cached_at_full"],
    ],
  ])("%s", (_, at, tokens, strict, nano, notes) => {
    expect(costOfTokens(at, tokens, strict)).toEqual({ nano, notes });
  });

  it("more where they were served faster, and as usual where no one knows", () => {
    const cost = (served: string) =>
      costOfTokens(servedPrice(price, readServed(served)), [1_000, 0, 0, 0, 0, 0], true).nano;
    expect([cost(""), cost("speed=fast"), cost("service_tier=priority")]).toEqual([2_000_000, 4_000_000, 2_000_000]);
  });
});

it("writes down how a call was served, and nothing that no provider says", () => {
  const text = servedText({ speed: "fast", inference_geo: "us", service_tier: "a b=c" });
  expect([text, readServed(text), readServed("")]).toEqual([
    "speed=fast inference_geo=us",
    { speed: "fast", inference_geo: "us" },
    undefined,
  ]);
});

it.each([
  ["claude-sonnet-4-20250514", "claude-sonnet-4", 3],
  ["claude-opus-4-0", "claude-opus-4", 15],
  ["claude-3-5-haiku-latest", "claude-3-5-haiku", 0.8],
  ["gpt-5.1-codex-mini", "gpt-5.1-codex-mini", 0.25],
])("knows what %s did cost", (name, id, usd) => {
  const found = earlierModel(name);
  expect([found?.id, found?.price.tiers[0]?.rates.input]).toEqual([id, usd * USD]);
});

it.each([
  ["claude-opus-4-6", "claude-opus-5", "ratio", 1, 1.35],
  ["claude-opus-4-8", "claude-sonnet-4-5", "ratio", 0.74, 1],
  ["claude-opus-4-7", "claude-sonnet-5-5", "same", null, null],
  ["claude-haiku-4-5", "claude-haiku-5-5", "unknown", null, null],
  ["gpt-5.4", "gpt-5.5", "same", null, null],
  ["claude-opus-4-8", "gpt-5.5", "unknown", null, null],
  ["gpt-5.5", "no-such-model", "unknown", null, null],
])("%s and %s: %s", (from, to, relation, low, high) => {
  const found = tokenizerRelation(findModel(from) ?? null, findModel(to) ?? null);
  expect(found).toEqual({ relation, low, high, source: relation === "ratio" ? expect.any(String) : null });
});

describe("folders of agents", () => {
  const machine = (env: Record<string, string>, home: string | null = "/home/u"): Machine => ({
    platform: "linux",
    home,
    env,
  });
  const logs = (found: ReturnType<typeof usualFolders>): string[] => found.flatMap((folder) => folder.logs);
  /** Those of the two agents whose variables have several folders. */
  const first = (found: ReturnType<typeof usualFolders>): string[] =>
    logs(found.filter(({ agent }) => agent === "claude-code" || agent === "codex"));

  it.each<[string, Machine, readonly string[]]>([
    [
      "are below the home folder",
      machine({}),
      [
        "/home/u/.config/claude/projects",
        "/home/u/.claude/projects",
        "/home/u/.codex/sessions",
        "/home/u/.codex/archived_sessions",
      ],
    ],
    [
      "are where the environment says, with commas between them",
      machine({ CLAUDE_CONFIG_DIR: "/a, ~/b,relative,/c/projects", CODEX_HOME: "/x" }),
      ["/a/projects", "/home/u/b/projects", "/c/projects", "/x/sessions", "/x/archived_sessions"],
    ],
    [
      "follow XDG_CONFIG_HOME",
      machine({ XDG_CONFIG_HOME: "/cfg", CODEX_HOME: "/x" }),
      ["/cfg/claude/projects", "/home/u/.claude/projects", "/x/sessions", "/x/archived_sessions"],
    ],
    ["are nowhere without a home folder", machine({}, null), []],
  ])("%s", (_, where, expected) => {
    expect(first(usualFolders(where))).toEqual(expected);
  });

  it.each<[string, Record<string, string>, readonly string[]]>([
    [
      "below the home folder",
      {},
      [
        "/home/u/.gemini/tmp",
        "/home/u/.qwen/projects",
        "/home/u/.copilot/session-state",
        "/home/u/.local/share/opencode",
        "/home/u/.local/share/goose/sessions",
      ],
    ],
    [
      "where their variables say",
      { GEMINI_CLI_HOME: "/g", QWEN_HOME: "/q", COPILOT_HOME: "/c", XDG_DATA_HOME: "/x" },
      ["/g/.gemini/tmp", "/q/projects", "/c/session-state", "/x/opencode", "/x/goose/sessions"],
    ],
  ])("of five more agents are %s", (_, env, expected) => {
    expect(logs(usualFolders(machine(env)))).toEqual(expect.arrayContaining([...expected]));
  });

  it("of Goose on Windows are below APPDATA", () => {
    const windows: Machine = { platform: "win32", home: "C:\\u", env: { APPDATA: "C:\\u\\Roaming" } };
    expect(logs(usualFolders(windows))).toContain("C:\\u\\Roaming\\Block\\goose\\data\\sessions");
  });

  it.each([
    ["/d/.claude/", "/d/.claude/projects"],
    ["/d/.qwen/projects", "/d/.qwen/projects"],
    ["/d/.copilot", "/d/.copilot/session-state"],
    ["/d/opencode", "/d/opencode"],
    ["/d/.claude/projects", "/d/.claude/projects"],
    ["/d/.codex/sessions", "/d/.codex/sessions"],
    ["/d/.codex/archived_sessions/", "/d/.codex/sessions"],
  ])("may be named: %s", (path, expected) => {
    expect(logs(namedFolders(machine({}), path))).toContain(expected);
  });
});
