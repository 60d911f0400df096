import { describe, expect, it } from "vitest";
import { getDirectives } from "../../../gateway/sandbox/directives.ts";

const nothing = { errorStatus: null, fails: false, slowMs: null, cut: false, tools: [], count: null };

describe("directives in a prompt", () => {
  it.each([
    ["Hello", {}],
    ["please sandbox:error=429 now", { errorStatus: 429 }],
    ["sandbox:fail", { errorStatus: 500, fails: true }],
    ["sandbox:fail sandbox:error=503", { errorStatus: 503 }],
    ["sandbox:failure is a word", {}],
    ["sandbox:slow=1500", { slowMs: 1_500 }],
    ["sandbox:slow=999999999", { slowMs: 3_600_000 }],
    ["sandbox:cut and sandbox:slow=5", { cut: true, slowMs: 5 }],
    ["sandbox:cutlery", {}],
    ["count to 12", { count: { to: 12, slowly: false } }],
    ["Please count slowly to one hundred.", { count: { to: 100, slowly: true } }],
    ["count slowly", { count: { to: 100, slowly: true } }],
    ["Count slowly to 5", { count: { to: 5, slowly: true } }],
    ["count slowly to 5000", { count: { to: 100, slowly: true } }],
    ["count from one to ten", { count: { to: 10, slowly: false } }],
    ["count to 999999999", { count: { to: 10_000, slowly: false } }],
    ["count to 0", { count: { to: 1, slowly: false } }],
    ["the account to close", {}],
    ['[[tool:f {"a":1}]]', { tools: [{ name: "f", input: { a: 1 } }] }],
    ['x [[tool:a.b-c  {"a":{"b":[[{}]]}}]] y', { tools: [{ name: "a.b-c", input: { a: { b: [[{}]] } } }] }],
    ['[[tool:f {"a":"}]]"}]]', { tools: [{ name: "f", input: { a: "}]]" } }] }],
    [
      "[[tool:f {}]] [[tool:g {}]]",
      {
        tools: [
          { name: "f", input: {} },
          { name: "g", input: {} },
        ],
      },
    ],
    ["[[tool:f {broken}]] [[tool:g {}]]", { tools: [{ name: "g", input: {} }] }],
    ["[[tool:f]]", {}],
  ])("reads %j", (text, expected) => {
    expect(getDirectives(text)).toEqual({ ...nothing, ...expected });
  });

  it.each(["sandbox:error=200", "sandbox:error=399", "sandbox:error=600", "sandbox:error=99999"])(
    "says what %s should have been",
    (text) => {
      expect(() => getDirectives(text)).toThrow("400 to 599");
    },
  );

  it("comes to an end on texts full of beginnings and of ends", () => {
    expect(getDirectives(`${"[[tool:f {".repeat(200_000)}}]]`).tools).toEqual([]);
    expect(getDirectives(`[[tool:f {"a":${"}]]".repeat(200_000)}`).tools).toEqual([]);
  });
});
