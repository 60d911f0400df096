import fc from "fast-check";
import { expect, it } from "vitest";
import { parseInPieces } from "../../../gateway/lib/json-pieces.ts";
import { scanJson } from "../../../gateway/lib/json-scan.ts";

const NONE = { depth: Infinity, pieces: Infinity, values: Infinity };
/** So long that some of them are a piece. */
const FILLER = 'x\\n\\"],[é'.repeat(1_600);

const scanned = (json: string) => scanJson(Buffer.from(json), NONE);
const inPieces = (json: string): Promise<unknown> => parseInPieces(Buffer.from(json), scanned(json));

/** What JSON.parse makes of it; null for what is no JSON. */
function whole(json: string): unknown {
  try {
    return { value: JSON.parse(json) as unknown };
  } catch {
    return null;
  }
}

const outcome = (json: string): Promise<unknown> =>
  inPieces(json).then(
    (value) => ({ value }),
    (error: unknown) => (error instanceof SyntaxError ? null : error),
  );

const list = (items: readonly unknown[]): string =>
  `[ ${items.map((item) => `${JSON.stringify(item)} ,\n"${FILLER}"`).join(",")} ]`;

/** Names with at most one that needs an escape: V8 confuses escaped names of one shape (nodejs/node#63785). */
const name = fc.oneof(
  fc.string().filter((text) => !JSON.stringify(text).includes("\\")),
  fc.constantFrom("a", "1", "0", "__proto__", '"'),
);

/** JSON with long texts and blanks at any depth. */
const { value: longJson } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    { weight: 4, arbitrary: fc.constantFrom(`"${FILLER}"`, "1", "null", '"é"', `\n${" ".repeat(20_000)}[ ] `) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: fc.oneof(tie("list"), tie("object")) },
  ),
  list: fc.array(tie("value"), { minLength: 3, maxLength: 6 }).map((items) => `[${items.join(" ,")} ]`),
  object: fc
    .array(fc.tuple(name, tie("value")), {
      minLength: 3,
      maxLength: 5,
    })
    .map((members) => `{ ${members.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(", ")}}`),
}));

it("makes what JSON.parse makes, names in their order", async () => {
  let cuts = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(longJson, { minLength: 2, maxLength: 6 }), async (items) => {
      const json = `{"messages":[${items.join(",")}]}`;
      cuts += scanned(json).cuts.length;
      const value = await inPieces(json);
      expect(value).toStrictEqual(JSON.parse(json));
      expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(json)));
    }),
    { numRuns: 60 },
  );
  expect(cuts).toBeGreaterThan(100);
});

it("refuses what JSON.parse refuses", async () => {
  await fc.assert(
    fc.asyncProperty(
      longJson,
      fc.nat(),
      fc.constantFrom("", ",", "]", "}", "[", "{", "1", '"', ":"),
      async (json, at, text) => {
        const places = [...json.matchAll(/[[\]{},:]/g)].map(({ index }) => index);
        const place = places[at % (places.length || 1)] ?? 0;
        const broken = `[${json.slice(0, place)}${text}${json.slice(place + 1)}]`;
        expect(await outcome(broken)).toStrictEqual(whole(broken));
      },
    ),
    { numRuns: 100 },
  );
});

const items = list([1, 2, 3, 4, 5, 6, 7, 8]);
it.each([
  ["a name at the top twice, the short list last", `{"a":${items},"a":[1]}`],
  ["a name at the top twice, the long list last", `{"a":[1],"a":${items}}`],
  ["two long lists of one name", `{"a":${items},"\\u0061":${items}}`],
  ["a name that objects inherit", `{"__proto__":${items},"b":1}`],
  ["a name inside of the list twice", `{"a":${list([1, 2, 3, 4, 5])},"b":{"x":1,"x":2}}`],
  ["nothing between two commas", `{"a":[1,"${FILLER}","${FILLER}","${FILLER}","${FILLER}",,"${FILLER}"]}`],
  ["a comma at the end", `{"a":["${FILLER}","${FILLER}","${FILLER}","${FILLER}",]}`],
  ["a list that an object's bracket closes", `{"a":["${FILLER}","${FILLER}","${FILLER}","${FILLER}","${FILLER}"}}`],
  ["brackets that meet in the middle", `{"a":["${FILLER}","${FILLER}","${FILLER}"],["${FILLER}","${FILLER}"]}`],
  ["an end that is missing", `{"a":${items}`],
  ["something behind the end", `{"a":${items}}}`],
  ["a bad escape far inside", `{"a":${items.slice(0, -1)},"\\x"]}`],
  ["a raw line break far inside", `{"a":${items.slice(0, -1)},"a\nb"]}`],
  ["a list in a list", `[${items},${items}]`],
  ["a mark in front", `\ufeff{"a":${items}}`],
  ["nothing behind a list but a value", `{"a":[${items} 1]}`],
  ["a list that nothing follows", `{"a":[${items}]}`],
  ["a list behind whose comma nothing follows", `{"a":[${items},]}`],
  ["a list in an object's place", `{"a":[${items}}`],
])("%s is what JSON.parse says it is", async (_, json) => {
  expect(await outcome(json)).toStrictEqual(whole(json));
});

it("leaves the bytes as they were", async () => {
  const json = Buffer.from(`{"a":${items}}`);
  const before = Buffer.from(json);
  await parseInPieces(json, scanJson(json, NONE));
  expect(json.equals(before)).toBe(true);
});

const numbered = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(",");

it.each([
  ["long texts", `{"a":[${numbered(100, () => `"${FILLER}"`)}]}`],
  ["an object of many names", `{"a":{${numbered(40_000, (index) => `"k${index}":1`)}}}`],
  ["a list of many parts far inside", `{"a":[{"b":[{"c":[${numbered(40_000, () => '{"d":1}')}]}]}]}`],
])("lets others have turns: %s", async (_, json) => {
  let turns = 0;
  const others = (): void => {
    turns += 1;
    waiting = setImmediate(others);
  };
  let waiting = setImmediate(others);
  const value = await inPieces(json);
  clearImmediate(waiting);
  expect(turns).toBeGreaterThanOrEqual(2);
  expect(value).toStrictEqual(JSON.parse(json));
});
