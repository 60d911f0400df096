import { execFileSync, spawnSync } from "node:child_process";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatJavascriptLiteral, formatPythonLiteral } from "../../../../renderer/lib/samples/literals.ts";
import { needs } from "../../../support/needs.ts";

const HOSTILE = [
  "it's",
  'a "quoted" word',
  "back\\slash \\n \\u0041 \\x41",
  "new\nline\r\ttab",
  "${process.exit()} `x` $(date)",
  "\u2028\u2029\u0000\u007f\u0085",
  "🦩 鹭",
  "'''\"\"\"",
  "</script><!--",
];
const samples: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1.5,
  1e21,
  [],
  {},
  { nested: { yes: true, no: false, none: null, list: [1, [2, [3]]] } },
  JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "with space": 3, "1st": 4, "class": 5}'),
  ...HOSTILE,
  ...HOSTILE.map((text) => ({ [text]: [text] })),
  ...fc.sample(fc.jsonValue({ maxDepth: 4 }), { numRuns: 150, seed: 6174 }),
];
/** As JSON knows them: it has no -0. */
const known = samples.map((value): unknown => JSON.parse(JSON.stringify(value)));

describe("values as programs write them", () => {
  it("are the same values to JavaScript, whatever is in them", () => {
    const program = `JSON.stringify([${known.map((value) => formatJavascriptLiteral(value)).join(",")}])`;
    expect(JSON.parse(String(runInNewContext(program)))).toEqual(known);
  });

  it.skipIf(spawnSync("python3", ["--version"]).status !== 0)(
    "are the same values to Python",
    needs("Python 3"),
    () => {
      const program =
        "import ast, json, sys\nprint(json.dumps([ast.literal_eval(each) for each in json.load(sys.stdin)]))";
      const input = JSON.stringify(known.map((value) => formatPythonLiteral(value)));
      expect(JSON.parse(execFileSync("python3", ["-c", program], { input, encoding: "utf8" }))).toEqual(known);
    },
  );

  it("stand in one line while it is short, and are indented like what is around them", () => {
    const value = { role: "user", content: "Hello", none: undefined };
    expect(formatJavascriptLiteral(value)).toBe('{ role: "user", content: "Hello" }');
    expect(formatPythonLiteral(value)).toBe('{"role": "user", "content": "Hello"}');
    const long = "x".repeat(80);
    expect(formatPythonLiteral({ a: [long, true] }, "  ")).toBe(
      `{\n      "a": [\n          "${long}",\n          True,\n      ],\n  }`,
    );
  });
});
