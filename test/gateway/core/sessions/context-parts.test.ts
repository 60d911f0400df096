import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unitClassSchema } from "../../../../gateway/contract/receipt.ts";
import { contextSizes, sharedOut } from "../../../../gateway/core/sessions/context-parts.ts";
import type { Fields } from "../routes/client-requests.ts";
import { textBlock, toolResult, userTurn } from "../../codecs/support/blocks.ts";

const x = (length: number): string => "x".repeat(length);
const tool = { name: x(4), description: x(20), input_schema: { type: "object" } };
/** With the names of its fields. */
const TOOL = 4 + 4 + 11 + 20 + 12 + 4 + 6;

/** A conversation of one block. */
const holding = (type: string, kind: string, data: string): Fields => ({
  messages: [userTurn([{ type, source: { type: kind, data } }])],
});

describe("the size of each part", () => {
  test.each<[string, Fields, readonly [system: number, tools: number, results: number, messages: number]]>([
    [
      "Anthropic's",
      {
        system: [{ type: "text", text: x(100) }],
        tools: [tool],
        messages: [
          { role: "user", content: x(10) },
          { role: "system", content: x(50) },
          { role: "assistant", content: [{ type: "tool_use", id: "t", name: "Read", input: { path: x(7) } }] },
          userTurn([toolResult("t", x(300)), textBlock(x(5))]),
        ],
      },
      [108 + 4 + 50, TOOL, 300 + 4 + 11 + 11 + 1 + 7, 10 + (4 + 8 + 2 + 1 + 4 + 4 + 5 + 4 + 7) + 5 + 8 + 4],
    ],
    [
      "chat's",
      {
        tools: [{ type: "function", function: tool }],
        messages: [
          { role: "system", content: x(100) },
          { role: "user", content: [{ type: "text", text: x(10) }] },
          { role: "assistant", content: null, tool_calls: [{ id: "c", function: { name: "Read", arguments: x(7) } }] },
          { role: "tool", tool_call_id: "c", content: x(300) },
        ],
      },
      [100, TOOL + 4 + 8 + 8, 4 + 4 + 12 + 1 + 7 + 300, 4 + 4 + 4 + 10 + 4 + (2 + 1 + 8 + 4 + 4 + 9 + 7)],
    ],
    [
      "Responses'",
      {
        instructions: x(100),
        input: [
          { type: "message", role: "developer", content: [{ type: "input_text", text: x(50) }] },
          { type: "message", role: "user", content: x(10) },
          { type: "function_call", call_id: "c", name: "Read", arguments: x(7) },
          { type: "function_call_output", call_id: "c", output: x(300) },
        ],
      },
      [100 + 4 + 10 + 4 + 50, 0, 4 + 20 + 7 + 1 + 6 + 300, 10 + 1 + 4 + 7],
    ],
    ["a text alone", { input: x(10) }, [0, 0, 0, 10]],
    ["a picture is no text", holding("image", "base64", x(500_000)), [0, 0, 0, 6_400]],
    ["a file is what may be in it", holding("document", "base64", x(500_000)), [0, 0, 8 + 10_000, 0]],
    ["a document of text is that text", holding("document", "text", x(900)), [0, 0, 8 + 4 + 4 + 4 + 900, 0]],
    ["no conversation", { model: "m" }, [0, 0, 0, 0]],
  ])("%s", (_, body, [system, tools, results, messages]) => {
    expect(contextSizes(body)).toEqual({ system, tools, results, messages });
  });

  test.each(["claude-code", "codex", "opencode", "qwen-code"])("recorded requests of %s", (agent) => {
    const path = join(import.meta.dirname, `../../../fixtures/agents/${agent}.json`);
    for (const { body } of JSON.parse(readFileSync(path, "utf8")) as readonly { readonly body: Fields }[]) {
      const { system, tools, results, messages } = contextSizes(body);
      // What is in no part are signs of JSON and fields next to the conversation.
      const { tools: offered = [], messages: message = [], input = [] } = body;
      const texts = JSON.stringify([offered, message, input, body["system"] ?? ""]);
      expect(system + tools + results + messages).toBeLessThan(texts.length);
      expect(system + tools + results + messages).toBeGreaterThan(texts.replace(/[^a-z_]/gi, "").length * 0.45);
    }
  });
});

test("input tokens are shared out to the last", () => {
  const terms = fc.array(
    fc.record({
      unit: fc.constantFrom(...unitClassSchema.options),
      quantity: fc.nat(1_000_000),
      nano_per_million: fc.constant(0),
      nano: fc.constant(0),
    }),
  );
  const sizes = fc.record({
    system: fc.nat(10 ** 7),
    tools: fc.nat(10 ** 7),
    results: fc.nat(10 ** 7),
    messages: fc.nat(10 ** 7),
  });
  fc.assert(
    fc.property(terms, sizes, (used, each) => {
      const input = used
        .filter(({ unit }) => /input|cache/.test(unit))
        .reduce((sum, { quantity }) => sum + quantity, 0);
      const parts = sharedOut(used, each);
      const all = each.system + each.tools + each.results + each.messages;
      if (parts === null) {
        expect(input * all).toBe(0);
        return;
      }
      expect(parts.system + parts.tools + parts.results + parts.messages).toBe(input);
      for (const name of ["system", "tools", "results", "messages"] as const) {
        expect(Math.abs(parts[name] - (input * each[name]) / all)).toBeLessThanOrEqual(3);
      }
    }),
  );
  expect(sharedOut([{ unit: "input", quantity: 10, nano_per_million: 0, nano: 0 }], contextSizes({}))).toBeNull();
});
