import fc from "fast-check";
import { expect, it } from "vitest";
import { parseInPieces } from "../../../gateway/lib/json-pieces.ts";
import { scanJson } from "../../../gateway/lib/json-scan.ts";

const NONE = { depth: Infinity, pieces: Infinity, values: Infinity };
/** So long that some of them are a piece. */
const FILLER = 'x\\n\\"],[é'.repeat(1_600);

const scanned = (json: string) => scanJson(Buffer.from(json), NONE);
const inPieces = (json: string): Promise<unknown> => parseInPieces(Buffer.from(json), scanned(json));

/** What JSON.parse makes of it, or says of it. */
function whole(json: string): unknown {
  try {
    return { value: JSON.parse(json) as unknown };
  } catch (error) {
    return { error: String(error) };
  }
}

const outcome = (json: string): Promise<unknown> =>
  inPieces(json).then(
    (value) => ({ value }),
    (error: unknown) => ({ error: String(error) }),
  );

const list = (items: readonly unknown[]): string =>
  `[ ${items.map((item) => `${JSON.stringify(item)} ,\n"${FILLER}"`).join(",")} ]`;
const manyItems = fc.array(fc.jsonValue(), { minLength: 5, maxLength: 12 });

it("makes what JSON.parse makes, names in their order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), manyItems, manyItems, async (rest, first, second) => {
      const members = JSON.stringify(rest).slice(1, -1);
      const json = `{"messages":${list(first)}${members === "" ? "" : `,${members}`}, "to\\"ols" : ${list(second)}}`;
      const scan = scanned(json);
      expect(scan.lists).toHaveLength(2);
      const value = await inPieces(json);
      expect(value).toStrictEqual(JSON.parse(json));
      expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(json)));
    }),
    { numRuns: 40 },
  );
});

const items = list([1, 2, 3, 4, 5, 6]);
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
  ["no list", `{"a":"${FILLER}"}`],
])("%s is what JSON.parse says it is", async (_, json) => {
  expect(await outcome(json)).toStrictEqual(whole(json));
});

it("leaves the bytes as they were", async () => {
  const json = Buffer.from(`{"a":${items}}`);
  const before = Buffer.from(json);
  await parseInPieces(json, scanJson(json, NONE));
  expect(json.equals(before)).toBe(true);
});

it("lets others have turns", async () => {
  let turns = 0;
  const others = (): void => {
    turns += 1;
    waiting = setImmediate(others);
  };
  let waiting = setImmediate(others);
  await inPieces(`{"a":[${Array.from({ length: 100 }, () => `"${FILLER}"`).join(",")}]}`);
  clearImmediate(waiting);
  expect(turns).toBeGreaterThanOrEqual(2);
});
