import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { ClientKind, Order } from "../../../../gateway/core/clients/client-kind.ts";
import { clientKinds } from "../../../../gateway/core/clients/client-kinds.ts";
import { canonical } from "../../../../gateway/core/clients/data.ts";
import { applySettings, readData, takeOut } from "../../../../gateway/core/clients/edit-file.ts";
import type { FormatName, Setting } from "../../../../gateway/core/clients/file-format.ts";
import { shapes } from "./shapes.ts";

const ORDER: Order = {
  origin: "http://127.0.0.1:6174",
  key: "sk-Abc123",
  models: { main: "gpt-5.5", opus: "claude-opus-5-5", sonnet: "claude-sonnet-5-5", haiku: "claude-haiku-5-5" },
  contextOf: () => 128_000,
};

/** The settings of a client's files of one format, as one list. */
const settingsOf = (kind: ClientKind, format: FormatName): readonly Setting[] =>
  Object.values(kind.files).flatMap((file) => (file.format === format ? file.settings(ORDER) : []));

const byFormat = (format: FormatName): readonly ClientKind[] =>
  clientKinds.filter((kind) => Object.values(kind.files).some((file) => file.format === format));

/** `inner` is what is left of `outer` when some characters are left out. */
function isWithin(inner: string, outer: string): boolean {
  let at = 0;
  for (let next = 0; next < outer.length; next++) if (outer[next] === inner[at]) at++;
  return at === inner.length;
}

describe.each(["json", "toml", "yaml"] as const)("%s files", (format) => {
  const clients = byFormat(format).map((kind) => [kind.id, settingsOf(kind, format)] as const);

  describe.each(clients)("for %s", (_id, settings) => {
    test.each(shapes[format].map((shape) => [shape.name, shape] as const))("%s", (_name, shape) => {
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
          if (message === "" && ["not an object", "twice"].includes(refused)) return;
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
    for (const { id } of clientKinds) {
      const kind = clientKinds.find((one) => one.id === id);
      if (kind === undefined) continue;
      for (const format of ["json", "toml", "yaml"] as const) {
        const settings = settingsOf(kind, format).filter(({ onlyInNewFile }) => onlyInNewFile !== true);
        if (settings.length === 0) continue;
        for (const { text, refused, name } of shapes[format]) {
          if (
            text === null ||
            refused !== undefined ||
            /what is to be|our|nothing behind|empty list|one value|literal|odd blanks|quotes|CRLF$|mark$/.test(name)
          )
            continue;
          const after = applySettings(format, text, settings).text;
          expect(after.length, name).toBeGreaterThan(text.length);
          expect(isWithin(text, after), `${id} ${name}\n${after}`).toBe(true);
        }
      }
    }
  });
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
  const settings = [
    ...settingsOf(clientKinds[0] as ClientKind, "json"),
    ...settingsOf(clientKinds.find(({ id }) => id === "opencode") as ClientKind, "json"),
  ];

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
