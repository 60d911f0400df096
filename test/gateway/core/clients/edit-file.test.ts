import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Order } from "../../../../gateway/core/clients/client-kind.ts";
import { clientKinds } from "../../../../gateway/core/clients/client-kinds.ts";
import { canonical } from "../../../../gateway/core/clients/data.ts";
import { applySettings, readData, takeOut } from "../../../../gateway/core/clients/edit-file.ts";
import type { Machine } from "../../../../gateway/core/clients/place.ts";
import type { Setting } from "../../../../gateway/core/clients/file-format.ts";
import { shapes } from "./shapes.ts";

const ORDER: Order = {
  origin: "http://127.0.0.1:6174",
  key: "sk-Abc123",
  models: { main: "gpt-5.5", opus: "claude-opus-5-5", sonnet: "claude-sonnet-5-5", haiku: "claude-haiku-5-5" },
  contextOf: () => 128_000,
  offered: [
    { id: "gpt-5.5", name: "GPT-5.5", context: 400_000, output: 128_000, hasVision: true, isReasoning: true },
    { id: "é / a", name: 'A "b"', context: 32_000, output: 8_000, hasVision: false, isReasoning: false },
    { id: "c", name: "c", context: 1_000_000, output: 64_000, hasVision: false, isReasoning: false },
  ],
};
const LINUX: Machine = { platform: "linux", home: "/home/ada", env: {} };

interface OneFile {
  readonly name: string;
  readonly id: string;
  readonly format: "json" | "toml" | "yaml" | "env";
  readonly settings: readonly Setting[];
}

/** The files of all clients, each with the settings of all parts in it; lists at the top have a test of their own. */
const files: readonly OneFile[] = clientKinds.flatMap(({ id, files: own }) =>
  [...Map.groupBy(own, (file) => file.place(LINUX)?.path)].map(([path, together]) => ({
    name: `${id} ${path?.split("/").at(-1)}`,
    id,
    format: (together[0]?.format ?? "json") as "json",
    settings: together.flatMap((file) => file.settings(ORDER)),
  })),
);
const objectFiles = files.filter(({ settings }) => settings.every(({ path }) => path.length > 0));
const byFormat = (format: "json" | "toml" | "yaml" | "env"): readonly OneFile[] =>
  objectFiles.filter((file) => file.format === format);

/** A file of Codex, in which `model` is a value: Grok Build has tables of that name. */
const isForeign = (id: string, text: string | null): boolean =>
  id.startsWith("grok-build") && /^\uFEFF?\s*model\s*=/.test(text ?? "");

/** `inner` is what is left of `outer` when some characters are left out. */
function isWithin(inner: string, outer: string): boolean {
  let at = 0;
  for (let next = 0; next < outer.length; next++) if (outer[next] === inner[at]) at++;
  return at === inner.length;
}

describe.each(["json", "toml", "yaml", "env"] as const)("%s files", (format) => {
  const clients = byFormat(format).map(({ name, settings }) => [name, settings] as const);

  describe.each(clients)("for %s", (id, settings) => {
    const own = shapes[format].filter(({ text }) => !isForeign(id, text));
    test.each(own.map((shape) => [shape.name, shape] as const))("%s", (_name, shape) => {
      const { text, refused } = shape;
      if (refused !== undefined && clients.length > 0) {
        let message = "";
        try {
          applySettings(format, text, settings);
        } catch (error) {
          message = error instanceof Error ? error.message : "";
        }
        // What only some clients' settings meet is no fault for the others.
        if (message !== "" || /line|object\b|not valid|mapping|several|short form|marks/.test(refused)) {
          if (message === "" && ["not an object", "twice", "inline table"].includes(refused)) return;
          expect(message).toContain(refused);
        }
        return;
      }
      const { text: after, marks } = applySettings(format, text, settings);
      for (const { kind, path, value, onlyInNewFile } of settings) {
        if (onlyInNewFile === true) continue;
        const found = path.reduce<unknown>(
          (at, name) => (at as Record<string, unknown>)[name],
          readData(format, after),
        );
        if (kind === "value") expect(found).toEqual(value);
        else expect(found).toContainEqual(value);
      }
      if (text !== null && text.includes("\r\n") && !/[^\r]\n/.test(text))
        expect(after.replaceAll("\r\n", "")).not.toContain("\n");
      expect(after.startsWith("\uFEFF")).toBe(text?.startsWith("\uFEFF") ?? false);

      // Applied to what it made, it finds everything in its place.
      if (settings.every(({ kind }) => kind === "value"))
        expect(applySettings(format, after, settings).text).toBe(after);

      const back = takeOut(format, after, text, marks);
      expect(back.unchanged).toEqual([]);
      const nothing = (data: unknown): string => canonical(data).replaceAll(/\[\]/g, "null");
      // A name with nothing behind it comes back as one with an empty list.
      expect(nothing(readData(format, back.text))).toBe(nothing(readData(format, text ?? "")));
    });
  });
});

describe("what is not ours", () => {
  it("stays line for line", () => {
    for (const { id, format, settings: all } of objectFiles) {
      const settings = all.filter(({ onlyInNewFile }) => onlyInNewFile !== true);
      for (const { text, refused, name } of shapes[format]) {
        if (
          text === null ||
          text.trim() === "" ||
          isForeign(id, text) ||
          refused !== undefined ||
          /what is to be|our|nothing behind|empty list|one value|literal|odd blanks|quotes|CRLF$|mark$/.test(name)
        )
          continue;
        const after = applySettings(format, text, settings).text;
        expect(after.length, name).toBeGreaterThan(text.length);
        expect(isWithin(text, after), `${id} ${name}\n${after}`).toBe(true);
      }
    }
  });
});

describe("a list at the top", () => {
  const item = { name: "Postern", models: [{ id: "a" }] };
  const settings: readonly Setting[] = [{ kind: "item", path: [], value: item }];

  test.each([
    ["no file", null, []],
    ["nothing", "", []],
    ["an empty list", "[]", []],
    ["an empty list over two lines", "[\n]\n", []],
    ["one of another", '[{ "name": "x" }]', [{ name: "x" }]],
    ["comments", '// mine\n[\n  // first\n  { "name": "x" }, // last\n]\n', [{ name: "x" }]],
    ["CRLF", '[\r\n\t{\r\n\t\t"name": "x"\r\n\t}\r\n]\r\n', [{ name: "x" }]],
  ])("takes an element: %s", (_name, text, before) => {
    const after = applySettings("json", text, settings);
    expect(readData("json", after.text)).toEqual([...before, item]);
    expect(isWithin(text ?? "", after.text.replace(/\s+$/, text?.endsWith("\n") === true ? "$&" : ""))).toBe(true);
    expect(readData("json", takeOut("json", after.text, text, after.marks).text)).toEqual(before);
  });

  test.each([
    ["{}", "not a list"],
    ['{ "a": 1 }', "not a list"],
    ["[1", "line 1"],
    ["1", "no JSON object"],
  ])("refuses %s", (text, word) => {
    expect(() => applySettings("json", text, settings)).toThrow(word);
  });
});

describe("several elements of one list", () => {
  const settings: readonly Setting[] = ["a", "b", "c"].map((name) => ({
    kind: "item",
    path: ["list"],
    value: { name },
  }));

  test.each([
    ["json", '{\n  "list": [\n    { "name": "x" }, // mine\n  ],\n}\n'],
    ["json", '{"list":[{"name":"x"}]}'],
    ["json", "{}"],
    ["yaml", "# mine\nlist:\n  - name: x # best\n  # last\nother: 1\n"],
    ["yaml", "other: 1"],
  ] as const)("are added in one edit, and taken out around what came between: %s %j", (format, text) => {
    const { text: after, marks } = applySettings(format, text, settings);
    const before = (readData(format, text) as { list?: unknown[] }).list;
    expect(readData(format, after)).toMatchObject({ list: [...(before ?? []), ...settings.map(({ value }) => value)] });
    expect(isWithin(text, after)).toBe(true);
    expect(readData(format, takeOut(format, after, text, marks).text)).toEqual(readData(format, text));
    // One of them was changed since: it stays, and the others go.
    const changed = after.replace(/(name"?: ?"?)b/, "$1mine");
    const back = takeOut(format, changed, text, marks);
    expect(readData(format, back.text)).toMatchObject({ list: [...(before ?? []), { name: "mine" }] });
    expect(back.unchanged).toEqual(["list"]);
  });
});

describe("pairs of nested mappings", () => {
  test.each([
    ["model: gpt # mine\nx: 1\n", ["model"], { default: "a" }],
    ["a:\n    b: 1 # one\n    # last\nx: 1\n", ["a", "c"], { d: [1, 2], e: "" }],
    ["a:\n    b: 1", ["a", "c"], "x"],
    ["a:\nx: 1\n", ["a", "c"], "x"],
    ["a: {}\nx: 1\n", ["a", "c"], "x"],
    ["a:\n  c:\n    - 1\n    - 2\n\n# next\nx: 1\n", ["a", "c"], "x"],
    ["a:\r\n  b: |\r\n    text\r\n  c: 1\r\nx: 1\r\n", ["a", "c"], { d: 1 }],
  ] as const)("%j takes %j", (text, path, value) => {
    const settings: readonly Setting[] = [{ kind: "value", path, value }];
    const { text: after, marks } = applySettings("yaml", text, settings);
    expect(path.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], readData("yaml", after))).toEqual(
      value,
    );
    for (const line of ["# mine", "# one", "# last", "# next"])
      if (text.includes(line) && !text.includes(`gpt ${line}`)) expect(after).toContain(line);
    if (text.includes("\r")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
    const back = takeOut("yaml", `${after.replace(/\n?$/, "\n")}later: 1\n`, text, marks);
    const asBefore = { ...(readData("yaml", text) as object), later: 1 };
    expect(canonical(readData("yaml", back.text)).replaceAll("null", "{}")).toBe(
      canonical(asBefore).replaceAll("null", "{}"),
    );
  });

  test.each([
    ["a: 1\n", "no mapping"],
    ["a: { b: 1 }\n", "no mapping"],
    ["a:\n  - 1\n", "no mapping"],
  ])("refuses %j", (text, word) => {
    expect(() => applySettings("yaml", text, [{ kind: "value", path: ["a", "c"], value: 1 }])).toThrow(word);
  });
});

it("sets one value of a table, and leaves the others", () => {
  const text = '# mine\n[models] # these\nweb_search = "x" # why\n\n[tui]\na = 1\n';
  const settings: readonly Setting[] = [{ kind: "value", path: ["models", "default"], value: "postern" }];
  const { text: after, marks } = applySettings("toml", text, settings);
  expect(after).toBe(text.replace("# why\n", '# why\ndefault = "postern"\n'));
  expect(takeOut("toml", after, text, marks).text).toBe(text);
  const known = text.replace("[tui]", 'default = "y" # kept\n[tui]');
  const replaced = applySettings("toml", known, settings);
  expect(replaced.text).toContain('default = "postern" # kept');
  expect(takeOut("toml", replaced.text, known, replaced.marks).text).toBe(known);
});

/** JSON as a person might lay it out: any blanks, comments where they may be, trailing commas. */
const gap = fc.constantFrom("", " ", "\n", "\n  ", "\r\n\t", " /* c */ ", "\n// line, { \n", "\n\n");
const name = fc.constantFrom("a", "b c", "env", "mcpServers", "provider", "é", 'q"');
const layout = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("1", "-0.50", "true", "null", '"x"', '"}, // {"', "[]", "[1, 2 ]"),
    tie("object"),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, gap, gap, gap, gap, tie("value")), { maxLength: 4, selector: ([key]) => key }),
      gap,
      fc.boolean(),
    )
    .map(([members, inner, trailing]) => {
      const written = members.map(
        ([key, before, afterName, beforeValue, after, value]) =>
          `${before}${JSON.stringify(key)}${afterName}:${beforeValue}${value}${after}`,
      );
      return `{${written.join(",")}${trailing && members.length > 0 ? "," : ""}${inner}}`;
    }),
}));

describe("JSON of any layout", () => {
  const settings = files
    .filter(({ id, format }) => format === "json" && (id === "claude-code" || id === "opencode"))
    .flatMap((file) => file.settings);

  it("that has a comment on either side of a bracket stays JSON", () => {
    const text = '{"env":{\r\n\t"a":1 /* c */ } /* c */ \n\n}';
    const { text: after } = applySettings("json", text, settings);
    expect(isWithin(text, after)).toBe(true);
    expect(readData("json", after)).toMatchObject({ env: { a: 1 } });
  });

  it("keeps every byte and takes everything out again, or is refused", () => {
    fc.assert(
      fc.property(gap, layout.object, gap, (head, object, tail) => {
        const text = head + object + tail;
        const data = readData("json", text) as Record<string, unknown>;
        const fits = ["env", "mcpServers", "provider", "mcp"].every(
          (key) =>
            data[key] === undefined ||
            (typeof data[key] === "object" && data[key] !== null && !Array.isArray(data[key])),
        );
        if (!fits) {
          expect(() => applySettings("json", text, settings)).toThrow(/not an object/);
          return;
        }
        const { text: after, marks } = applySettings("json", text, settings);
        expect(isWithin(text, after)).toBe(true);
        const back = takeOut("json", after, text, marks);
        expect(back.unchanged).toEqual([]);
        expect(readData("json", back.text)).toEqual(data);
        expect(isWithin(back.text.replaceAll(/\s/g, ""), after.replaceAll(/\s/g, ""))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
