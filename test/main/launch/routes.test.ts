import { describe, expect, it } from "vitest";
import type { RouteView } from "../../../gateway/contract/route-operations.ts";
import { initialSettings } from "../../../gateway/contract/settings.ts";
import { startFakeControl, runWith, type HttpResponse } from "./fake-control.ts";
import { sampleKey } from "./samples.ts";

const sampleRoute: RouteView = {
  name: "smart",
  models: ["claude-opus-4-5", "gpt-5.4"],
  order: "listed",
  sticky: false,
  rules: [],
  enabled: true,
  created_at: 1_790_000_000_000,
  hides: null,
  unserved: [],
};
const background = { when: { kinds: ["background" as const] }, models: ["claude-haiku-4-5"], enabled: true };
const ofLaptop = { when: { keys: ["key_1"], budget_used_above: 80 }, models: ["gpt-5.4-mini"], enabled: false };

const served = (...routes: RouteView[]): Record<string, HttpResponse> => ({
  "GET /control/routes": { body: { data: routes } },
  "POST /control/routes": { body: routes[0] ?? sampleRoute },
  "GET /control/keys": { body: { data: [sampleKey] } },
  "GET /control/models": { body: { data: [] } },
  "GET /control/settings": { body: initialSettings },
});

describe("route list", () => {
  it("has one row a route, and says how to make one", async () => {
    const night = { ...sampleRoute, name: "night", order: "cheapest" as const, sticky: true, enabled: false };
    const { code, out } = await runWith(served(sampleRoute, { ...night, rules: [background] }), ["route", "list"]);
    expect({ code, lines: out.split("\n") }).toEqual({
      code: 0,
      lines: [
        "NAME   STATE  MODELS                    ORDER             RULES",
        "smart  on     claude-opus-4-5, gpt-5.4  listed                0",
        "night  off    claude-opus-4-5, gpt-5.4  cheapest, sticky      1",
      ],
    });
    expect((await runWith(served(), ["route", "list"])).out).toContain("postern route set NAME");
  });

  it("says when none applies", async () => {
    const off = { "GET /control/settings": { body: { ...initialSettings, routes: false } } };
    const { out } = await runWith({ ...served(sampleRoute), ...off }, ["route", "list"]);
    expect(out.split("\n").at(-1)).toBe('None of them applies now. "postern settings set --routes on" lets them.');
  });
});

describe("route show", () => {
  it("has the rules by number, with keys by their names", async () => {
    const route = { ...sampleRoute, rules: [background, ofLaptop], hides: "smart", unserved: ["gpt-5.4"] };
    await using control = await startFakeControl(served(route));
    const { out } = await control.run(["route", "show", "smart"]);
    expect(out.split("\n")).toEqual([
      "Route     smart, on",
      "Models    claude-opus-4-5, gpt-5.4",
      "Order     listed",
      "Sticky    off",
      "Rule 1    background: claude-haiku-4-5",
      "Rule 2    key=laptop and budget>80: gpt-5.4-mini (off)",
      "Hides     the model smart",
      "Unserved  gpt-5.4",
    ]);
    const json = await control.run(["route", "show", "smart", "--json"]);
    expect(JSON.parse(json.out)).toEqual(route);
  });

  it("fails with a sentence where none exists of the name", async () => {
    const ended = await runWith(served(sampleRoute), ["route", "show", "other"]);
    expect(ended).toMatchObject({ code: 1, error: 'There is no route "other". "postern route list" names them.' });
  });
});

describe("route set", () => {
  it.each<[string[], object]>([
    [["claude-opus-4-5", "gpt-5.4", "llama3.2:latest"], { models: ["claude-opus-4-5", "gpt-5.4", "llama3.2:latest"] }],
    [["a,b", "c"], { models: ["a", "b", "c"] }],
    [
      ["a", "--order", "cheapest", "--sticky", "on", "--off"],
      { models: ["a"], order: "cheapest", sticky: true, enabled: false },
    ],
    [["a", "--sticky", "off", "--on"], { models: ["a"], sticky: false, enabled: true }],
    [
      ["a", "--rule", "background: claude-haiku-4-5", "--rule", "key=laptop and budget>80: gpt-5.4-mini"],
      { models: ["a"], rules: [background, { ...ofLaptop, enabled: true }] },
    ],
    [["a", "--no-rules"], { models: ["a"], rules: [] }],
    [["--order", "fastest"], { models: sampleRoute.models, order: "fastest" }],
  ])("sends what is named and nothing else: %j", async (words, sent) => {
    await using control = await startFakeControl(served(sampleRoute));
    const { code, out } = await control.run(["route", "set", "smart", ...words]);
    expect(code).toBe(0);
    const posted = control.calls.find(({ method }) => method === "POST");
    expect(posted?.body).toEqual({ name: "smart", ...sent });
    expect(out).toContain("Route   smart, on");
  });

  it.each<[string[], string]>([
    [["smart", "a", "--order", "dearest"], "listed, cheapest, fastest"],
    [["smart", "a", "--sticky", "yes"], "on, off"],
    [["smart", "a", "--on", "--off"], "Either --on or --off"],
    [["smart", "a", "--rule", "background: b", "--no-rules"], "Either --rule or --no-rules"],
    [["smart", "a", "--rule", "background"], "CONDITIONS: MODELS"],
    [[], "needs a NAME"],
  ])("refuses %j before anything is changed", async (words, sentence) => {
    await using control = await startFakeControl(served(sampleRoute));
    const ended = await control.run(["route", "set", ...words]);
    expect(ended.code).toBe(2);
    expect(ended.error).toContain(sentence);
    expect(control.calls.some(({ method }) => method === "POST")).toBe(false);
  });

  it("without a model changes a route that is there, and no other", async () => {
    const ended = await runWith(served(sampleRoute), ["route", "set", "new", "--off"]);
    expect(ended).toMatchObject({ code: 1, error: 'There is no route "new". "postern route list" names them.' });
  });
});

describe("route rename", () => {
  it("calls it otherwise in one step, and changes nothing else", async () => {
    await using control = await startFakeControl({
      ...served(sampleRoute),
      "POST /control/routes": { body: { ...sampleRoute, name: "work" } },
    });
    const { code, out } = await control.run(["route", "rename", "smart", "work"]);
    expect({ code, out }).toEqual({ code: 0, out: "smart is called work now." });
    expect(control.calls.at(-1)?.body).toEqual({ name: "work", renames: "smart", models: sampleRoute.models });
  });

  it("wants the new name, and a route that there is", async () => {
    await using control = await startFakeControl(served(sampleRoute));
    expect((await control.run(["route", "rename", "smart"])).code).toBe(2);
    const missing = await control.run(["route", "rename", "none", "work"]);
    expect(missing.error).toContain('There is no route "none"');
  });
});

describe("route rule", () => {
  it("switches one rule and leaves the others", async () => {
    const route = { ...sampleRoute, rules: [background, ofLaptop] };
    await using control = await startFakeControl(served(route));
    const { code } = await control.run(["route", "rule", "smart", "off", "1"]);
    expect(code).toBe(0);
    expect(control.calls.find(({ method }) => method === "POST")?.body).toEqual({
      name: "smart",
      models: route.models,
      rules: [{ ...background, enabled: false }, ofLaptop],
    });
  });

  it.each<[string[], number, string]>([
    [["smart", "on", "2"], 1, 'The route "smart" has no rule 2.'],
    [["smart", "on", "0"], 1, "has no rule 0"],
    [["other", "on", "1"], 1, 'There is no route "other"'],
    [["smart", "maybe", "1"], 2, "on or off"],
    [["smart", "on"], 2, "the number of the rule"],
    [["smart", "on", "first"], 2, "the number of the rule"],
    [["smart", "on", "1", "2"], 2, "the number of the rule"],
  ])("refuses %j", async (words, code, sentence) => {
    const ended = await runWith(served({ ...sampleRoute, rules: [background] }), ["route", "rule", ...words]);
    expect(ended.code).toBe(code);
    expect(ended.error).toContain(sentence);
  });
});

it("route remove takes it away by name", async () => {
  await using control = await startFakeControl({ "POST /control/routes/remove": { body: { ok: true } } });
  const { out } = await control.run(["route", "remove", "smart"]);
  expect(out).toBe("Done: route remove smart.");
  expect(control.calls.at(-1)?.body).toEqual({ name: "smart" });
  await control.run(["route", "remove", "smart", "--yes"]);
  expect(control.calls.at(-1)?.body).toEqual({ name: "smart", confirm: true });
});
