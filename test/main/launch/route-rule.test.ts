import { describe, expect, it } from "vitest";
import { routeConditionsSchema, type RouteRule } from "../../../gateway/contract/routes.ts";
import { UsageError } from "../../../main/launch/command-errors.ts";
import { namesKeys, ruleFromText, ruleText } from "../../../main/launch/route-rule.ts";

const keys = [
  { id: "key_1", name: "laptop" },
  { id: "key_2", name: "night shift" },
  { id: "key_3", name: "twin" },
  { id: "key_4", name: "twin" },
  { id: "key_5", name: "odd, and: even" },
  { id: "key_6", name: "key_1" },
];

const HAIKU = ["claude-haiku-4-5"];

describe("a rule as people write it", () => {
  it.each<[string, RouteRule["when"], string[]]>([
    ["background,title: claude-haiku-4-5", { kinds: ["background", "title"] }, HAIKU],
    ["web_search: gpt-5.4, gemini-3-pro", { kinds: ["web_search"] }, ["gpt-5.4", "gemini-3-pro"]],
    ["input>100000: openrouter/x-ai/grok:online", { input_tokens_above: 100_000 }, ["openrouter/x-ai/grok:online"]],
    ["client=claude-cli*,codex: a", { clients: ["claude-cli*", "codex"] }, ["a"]],
    ["key=laptop: a", { keys: ["key_1"] }, ["a"]],
    ["key=night shift: a", { keys: ["key_2"] }, ["a"]],
    ["key=key_4,key_5: a", { keys: ["key_4", "key_5"] }, ["a"]],
    ["hours=22:00-06:00: llama3.2:latest", { hours: { from: "22:00", until: "06:00" } }, ["llama3.2:latest"]],
    ["budget>80: a", { budget_used_above: 80 }, ["a"]],
    ["budget>99.5: a", { budget_used_above: 99.5 }, ["a"]],
    [
      "subagent,thinking and input>0 and client=* and key=laptop and hours=00:00-23:59 and budget>0: a, b",
      {
        kinds: ["subagent", "thinking"],
        input_tokens_above: 0,
        clients: ["*"],
        keys: ["key_1"],
        hours: { from: "00:00", until: "23:59" },
        budget_used_above: 0,
      },
      ["a", "b"],
    ],
  ])("%s", (text, when, models) => {
    const rule = ruleFromText(text, keys);
    expect(rule).toEqual({ when, models, enabled: true });
    expect(routeConditionsSchema.parse(rule.when)).toEqual(when);
    expect(ruleText(rule, keys)).toBe(text);
  });

  it.each<[string, string]>([
    [" background , title :  a ,b ", "background,title: a, b"],
    ["input > 5 and budget > 80 %: a", "input>5 and budget>80: a"],
    ["web-search: a", "web_search: a"],
    ["hours = 09:00 - 17:00: a", "hours=09:00-17:00: a"],
    ["key=key_1: a", "key=laptop: a"],
  ])("%s is %s", (text, same) => {
    expect(ruleText(ruleFromText(text, keys), keys)).toBe(same);
  });

  it.each<[string, RegExp]>([
    ["claude-haiku-4-5", /CONDITIONS: MODELS/],
    ["background:claude-haiku-4-5", /CONDITIONS: MODELS/],
    ["background: ", /names no model/],
    ["background: ,", /names no model/],
    [": a", /condition is empty/],
    ["poetry: a", /no condition "poetry".*background, title, subagent/],
    ["background and title: a", /two conditions of one kind/],
    ["input>5 and input>6: a", /two conditions of one kind/],
    ["background and : a", /condition is empty/],
    ["input>: a", /takes a number/],
    ["input>many: a", /takes a number/],
    ["input>-5: a", /takes a number/],
    ["input=5: a", /no condition "input=5"/],
    ["budget>half: a", /takes a number/],
    ["client=: a", /condition is empty/],
    ["key=nobody: a", /no key "nobody"/],
    ["key=twin: a", /Several keys are called "twin"/],
    ["hours=22:00: a", /hours=22:00-06:00/],
    ["hours=10pm-6am: a", /hours=22:00-06:00/],
  ])("%s is refused", (text, sentence) => {
    const refused = (): unknown => ruleFromText(text, keys);
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(sentence);
  });

  it("has keys by their ids where names cannot stand in it", () => {
    const rule: RouteRule = { when: { keys: ["key_3", "key_5", "key_9"] }, models: ["a"], enabled: true };
    expect(ruleText(rule, keys)).toBe("key=key_3,key_5,key_9: a");
    expect(ruleFromText("key=key_3,key_5: a", keys).when).toEqual({ keys: ["key_3", "key_5"] });
  });

  it.each([
    ["key=a: b", true],
    ["background and key = a: b", true],
    ["client=monkey: b", false],
    ["background: key/model", false],
  ])("%s names keys: %s", (text, named) => {
    expect(namesKeys(text)).toBe(named);
  });
});
