import { describe, expect, it } from "vitest";
import { filesBelow, readSource } from "./source-tree.ts";

/** What the code is written in, counted: a figure that grows worse fails. The rules are in docs/glossary.md. */

const VERBS = (
  "get set create make read write parse is has can must should may does are to from as with without find list add remove delete " +
  "update start stop open close check validate verify format render use on handle build compute calculate load save store send " +
  "fetch apply merge map filter run resolve register count estimate encode decode translate convert show hide draw test try push " +
  "pop take put keep ask look begin end pass let hold release give go leave do prepare transform extract init assert inject throw " +
  "serialize split join sort group pick choose select match compare measure sum reduce collect observe watch wait notify emit " +
  "publish subscribe cancel abort retry repeat replay restore reset clear flush sync commit lock unlock acquire admit settle charge " +
  "price quote hash sign encrypt decrypt compress scan search index insert replace rename move copy clone append prepend trim cut " +
  "escape quote unescape normalize sanitize redact mask log report trace warn fail require ensure allow deny reject accept refuse " +
  "connect disconnect attach detach bind mount install import export describe label name print toggle enable disable expand collapse " +
  "focus scroll drag drop click press submit round clamp limit throttle debounce schedule poll spawn kill call relay forward " +
  "route dispatch deliver enqueue drain fill grow shrink reserve free touch refresh evict prune tidy repair recover migrate upgrade " +
  "rebuild reload restart resume pause skip mark note record track visit walk each include exclude diff patch derive infer guess"
).split(" ");
const VERB = new RegExp(`^(?:${VERBS.toSorted((a, b) => b.length - a.length).join("|")})(?=[A-Z_0-9]|$)`);
const PARTICIPLE = /^[a-z]{2,}(?:ed|ought|aid|eld|iven|own|ade|old|un)$/;
const PLAIN_WORDS = new Set([
  "feed",
  "seed",
  "need",
  "embed",
  "field",
  "speed",
  "fold",
  "hold",
  "run",
  "unfold",
  "down",
]);
const PREPOSITION = /[a-z](?:Of|In|At|By|For)$/;
const ODD =
  /\b(?:whoever|whomever|anew|lest|dearest|dearer|nobody|somebody|begun|told|beside|behind)\b|\b(?:is|are) none\b/i;
/** Words that titles and comments of tests do not have either; `behind` may be a place there. */
const ODD_IN_TESTS = new RegExp(ODD.source.replace("|behind", ""), "i");
const TITLE = /^ *(?:(?:it|test|describe)(?:\.\w+)*|[^"'`]*\]\)(?: as const)?\)?)\(\s*(["'`])(.+?)\1,/gm;
const FRAGMENT = /^(?:Of|For|By|In|With|Beside|Behind|To|From|Where|As|That|What|Who|Whose|Those|One|The same|Its) /;
const COMMENT = /\/\*\*?(.*?)\*\/|(?<![:"'`])\/\/([^\n]*)/gs;
const DEFINITIONS = [
  /^(?:export\s+)?(?:async\s+)?function\*?\s+(\w+)/,
  /^(?:export\s+)?const\s+(\w+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:<[^>]+>)?\(/,
  /^ {2}(?:async\s+|static\s+|override\s+|private\s+|public\s+|protected\s+)*#?(\w+)(?:<[^>]*>)?\(/,
];
const NO_NAMES = new Set(["constructor", "if", "for", "switch", "while", "return", "super", "catch", "function"]);
const NO_PROSE = ["oxlint", "@ts", "@typedef", "@param", "@type"];

interface Found {
  readonly text: string;
  readonly place: string;
}

const sources = ["gateway", "main", "renderer"]
  .flatMap((folder) => filesBelow(folder, [".ts", ".tsx", ".mjs"]))
  .filter((path) => !path.includes("/locales/"));

/** Functions and methods, private ones included; components and hooks have the names of their framework. */
const functions = sources.flatMap((path) =>
  readSource(path)
    .split("\n")
    .flatMap((line, index): Found[] => {
      const name = DEFINITIONS.map((definition) => definition.exec(line)?.[1]).find((found) => found !== undefined);
      const isNamed = name !== undefined && !NO_NAMES.has(name) && /^[a-z]/.test(name);
      return isNamed ? [{ text: name, place: `${path}:${index + 1}` }] : [];
    }),
);

const comments = sources.flatMap(readComments);

const tests = filesBelow("test", [".ts", ".tsx", ".mjs"]).filter((path) => !path.startsWith("test/arch/"));
const titles = tests.flatMap((path) => {
  const source = readSource(path);
  return [...source.matchAll(TITLE)].map(({ 2: text = "", index }): Found => ({
    text,
    place: `${path}:${source.slice(0, index).split("\n").length}`,
  }));
});

function readComments(path: string): Found[] {
  const source = readSource(path);
  return [...source.matchAll(COMMENT)].flatMap(({ 1: block, 2: line, index }): Found[] => {
    const words = (block ?? line ?? "")
      .replace(/\n\s*\*\s?/g, " ")
      .replace(/\s+/g, " ")
      .trim();
    if (words.length <= 10 || NO_PROSE.some((start) => words.startsWith(start))) return [];
    return [{ text: words, place: `${path}:${source.slice(0, index).split("\n").length}` }];
  });
}

const listed = (found: readonly Found[]): string => found.map(({ text, place }) => `\n${place}  ${text}`).join("");

describe("the grammar of names and comments", () => {
  it.each<[kind: string, found: readonly Found[], total: number, mostPercent: number]>([
    ["functions that do not begin with a verb", functions.filter(({ text }) => !VERB.test(text)), functions.length, 35],
    [
      "functions named by a bare participle",
      functions.filter(({ text }) => PARTICIPLE.test(text) && !PLAIN_WORDS.has(text)),
      functions.length,
      0.3,
    ],
    [
      "functions that end in a preposition",
      functions.filter(({ text }) => PREPOSITION.test(text)),
      functions.length,
      0.5,
    ],
    ["comments with words of no field", comments.filter(({ text }) => ODD.test(text)), comments.length, 0.1],
    [
      "comments that begin with a preposition or pronoun",
      comments.filter(({ text }) => FRAGMENT.test(text)),
      comments.length,
      0.1,
    ],
  ])("has few %s", (_kind, found, total, mostPercent) => {
    const percent = (100 * found.length) / total;
    expect(percent, mostPercent < 35 ? listed(found) : "").toBeLessThanOrEqual(mostPercent);
  });

  it.each([
    ["titles of tests", titles],
    ["comments in tests", tests.flatMap(readComments)],
  ])("has no word of no field in %s", (_kind, found) => {
    expect(listed(found.filter(({ text }) => ODD_IN_TESTS.test(text)))).toBe("");
  });

  it("finds what it counts", () => {
    expect(["bookedIn", "told", "chargedFor", "x"].map((name) => PREPOSITION.test(name))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(["booked", "noted", "need", "load"].map((name) => PARTICIPLE.test(name) && !PLAIN_WORDS.has(name))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(functions.length).toBeGreaterThan(5_000);
    expect(comments.length).toBeGreaterThan(5_000);
    expect(titles.length).toBeGreaterThan(6_000);
  });
});
