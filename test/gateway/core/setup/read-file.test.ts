import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLines, parseFile, type FileProblem } from "../../../../gateway/core/setup/parse-file.ts";
import type { ValueProblem } from "../../../../gateway/core/setup/read-file.ts";
import { readFile } from "../../../support/read-setup-file.ts";
import { literal, findReferences, resolveReferences } from "../../../../gateway/core/setup/references.ts";

function read(
  text: string,
  values: Readonly<Record<string, string>> = {},
  secrets: Record<string, string> | null = null,
) {
  const parsed = parseFile(text);
  if (!("tree" in parsed)) return parsed;
  const found = readFile(parsed, values, secrets);
  if (!Array.isArray(found)) return found;
  const wrong = found as readonly ValueProblem[];
  const lines = findLines(
    text,
    wrong.map(({ path }) => path),
  );
  return wrong.map(({ message }, index): FileProblem => ({ line: lines[index] ?? null, message }));
}

/** As they are reported: the line and what is wrong. */
const problems = (found: unknown): string[] =>
  Array.isArray(found) ? (found as FileProblem[]).map(({ line, message }) => `${line} ${message}`) : ["none"];

describe("reading a configuration file", () => {
  it("takes YAML and JSON, and an empty file", () => {
    const setup = { aliases: { quick: "gpt-5" }, settings: { backup_keep: 3 } };
    expect(read("version: 1\naliases:\n  quick: gpt-5 # the small one\nsettings: { backup_keep: 3 }\n")).toEqual(setup);
    expect(read(JSON.stringify(setup))).toEqual(setup);
    expect(read(`\uFEFF${JSON.stringify(setup)}`)).toEqual(setup);
    expect(read("\uFEFFaliases:\n  quick: gpt-5\nsettings: { backup_keep: 3 }")).toEqual(setup);
    expect(read("")).toEqual({});
    expect(read("# nothing yet\n")).toEqual({});
  });

  it("puts in what its references stand for, and says what stands for nothing", () => {
    const text = [
      "connections:",
      "  - name: House",
      "    provider: openai-compatible",
      "    base_url: http://${HOST}:8080/v1",
      '    keys: ["${file:/run/secrets/house}", "${secret:house}", "$${literal}"]',
    ].join("\n");
    const values = { HOST: "10.0.0.5", "file:/run/secrets/house": "key-one" };
    expect(read(text, values, { house: "key-two" })).toMatchObject({
      connections: [{ base_url: "http://10.0.0.5:8080/v1", keys: ["key-one", "key-two", "${literal}"] }],
    });
    expect(problems(read(text, { HOST: "10.0.0.5" }, {}))).toEqual([
      expect.stringMatching(/^5 \$\{file:\/run\/secrets\/house\} cannot be read here/),
      expect.stringMatching(/^5 \$\{secret:house\} is not among/),
    ]);
    expect(problems(read(text, values))).toEqual([expect.stringMatching(/^5 .*give the passphrase/)]);
    // What every object has is nothing that was given.
    expect(problems(read("aliases: { a: '${constructor}', b: '${secret:toString}' }", {}, {}))).toHaveLength(2);
  });

  it.each<[string, string, RegExp]>([
    ["no YAML", "aliases: [unclosed\nsettings:\n", /^2 Flow sequence/],
    ["a list", "- name: OpenAI", /^1 The file must be a mapping/],
    ["a section that there is not", "connection: []", /Unrecognized key: "connection"/],
    ["a wrong value", "settings:\n\n  backup_keep: many\n", /^3 settings\.backup_keep: .*number/],
    ["a field that is missing", "connections:\n  - name: OpenAI\n    keys: []\n", /^2 connections\[0\]\.provider: /],
    ["another version", "version: 2", /^1 version: /],
    ["bytes that are not UTF-8", "aliases:\n  caf\uFFFD: b\n", /^2 It is not UTF-8/],
    ["a name twice", "aliases:\n  a: b\n  a: c\n", /^3 Map keys must be unique/],
  ])("says where it is wrong: %s", (_what, text, problem) => {
    expect(problems(read(text))[0]).toMatch(problem);
  });

  it("merges what `<<` names", () => {
    const text = "aliases:\n  <<: {a: gpt-5}\n  b: gpt-5\n";
    expect(read(text)).toEqual({ aliases: { a: "gpt-5", b: "gpt-5" } });
  });

  it("does not grow by repeating itself", () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const inner = level === 0 ? '"x"' : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array.from({ length: 9 }, () => inner).join(",")}]`;
    });
    expect(problems(read(levels.join("\n")))).toEqual(["null The file repeats itself too often (YAML aliases)."]);
  });

  it("throws nothing whatever it is given", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(read(text)).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });
});

describe("references", () => {
  it("are found, each once, but for what is written to mean itself", () => {
    expect(findReferences("${A} $${B} ${file:/x} ${A} ${secret:q-1} ${ not one")).toEqual([
      "A",
      "file:/x",
      "secret:q-1",
    ]);
  });

  it("leave every text that is made literal as it is", () => {
    const value = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom("$", "{", "}", "${", "$${", "a")).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(value, (text) => {
        expect(resolveReferences(literal({ a: [text] }), () => "wrong")).toEqual({ a: [text] });
      }),
    );
  });
});
