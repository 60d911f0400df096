import { describe, expect, it } from "vitest";
import type { SearchView } from "../../../gateway/contract/search.ts";
import { startFakeControl, runWith } from "./fake-control.ts";

const view: SearchView = {
  provider: "brave",
  key_hint: "BSA…x7Qd",
  needs_key: true,
  keys_url: null,
  price_usd: 0.005,
  published_usd: 0.005,
  problem: null,
};
const GET = "GET /control/search";
const SET = "POST /control/search/key";

describe("search show", () => {
  it.each<[Partial<SearchView>, string]>([
    [{}, "Service  brave\nKey      BSA…x7Qd\nPrice    $0.005 for a search"],
    [
      { provider: "searxng", needs_key: false, key_hint: null, price_usd: 0, problem: "Set its address." },
      "Service  searxng\nPrice    $0 for a search\nProblem  Set its address.",
    ],
    [{ provider: "none" }, 'No search service is set. "postern settings set --search-provider NAME" sets one.'],
  ])("tells how it stands: %j", async (change, text) => {
    const { code, out } = await runWith({ [GET]: { body: { ...view, ...change } } }, ["search", "show"]);
    expect({ code, out }).toEqual({ code: 0, out: text });
  });
});

describe("search key", () => {
  it.each<[string[], { environment?: NodeJS.ProcessEnv; input?: string }, unknown, RegExp]>([
    [[], { input: "one-key\n" }, { provider: "brave", key: "one-key" }, /^The key of brave is kept\.$/],
    [["--service", "exa"], { input: "two" }, { provider: "exa", key: "two" }, /--search-provider exa/],
    [["--key-from", "MY_KEY"], { environment: { MY_KEY: "three" } }, { provider: "brave", key: "three" }, /kept/],
    [["--remove"], {}, { provider: "brave", key: null }, /forgotten/],
  ])("%j", async (options, terminal, body, said) => {
    await using control = await startFakeControl({ [GET]: { body: view }, [SET]: { body: view } });
    const { code, out } = await control.run(["search", "key", ...options], terminal);
    expect(code).toBe(0);
    expect(control.calls.at(-1)?.body).toEqual(body);
    expect(out).toMatch(said);
  });

  it.each([[[]], [["--key-from", "NONE"]], [["--service", "searxng"]]])("refuses %j without a key", async (options) => {
    await using control = await startFakeControl({ [GET]: { body: view }, [SET]: { body: view } });
    const { code } = await control.run(["search", "key", ...options]);
    expect(code).toBe(2);
    expect(JSON.stringify(control.calls)).not.toContain(`"key":`);
  });
});

describe("search test", () => {
  it.each([
    [{ ok: true, ms: 12, results: 3, message: "First" }, 0, "3 results in 12 ms; the first: First"],
    [{ ok: false, ms: 12, results: 0, message: "Brave Search refuses its key." }, 1, ""],
  ])("says what came of it: %j", async (body, code, out) => {
    const ended = await runWith({ "POST /control/search/test": { body } }, ["search", "test"]);
    expect(ended).toMatchObject({ code, out });
    if (code === 1) expect(ended.error).toContain("refuses its key");
  });
});
