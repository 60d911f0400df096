import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { commentsOf, deadCitations, foreignTexts, slugsOf } from "./citations.ts";
import { filesBelow, projectFolder, readSource } from "./source-tree.ts";

const sources = ["gateway", "main", "renderer", "test"].flatMap((folder) =>
  filesBelow(folder, [".ts", ".tsx", ".mjs", ".css", ".html"]),
);
const documents = [
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  ...filesBelow("docs", [".md"]),
  ...filesBelow("test", [".md"]),
];

/** The anchors of a document of the project; null where none exists. */
const anchors = new Map<string, ReadonlySet<string> | null>();
function anchorsOf(path: string): ReadonlySet<string> | null {
  const known = anchors.get(path);
  if (known !== undefined) return known;
  const found = existsSync(join(projectFolder, path)) ? slugsOf(readSource(path)) : null;
  anchors.set(path, found);
  return found;
}

/** Links of a document to others, and to places of its own, as citations. */
function linksOf(path: string): string[] {
  const targets = [...readSource(path).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
  const own = targets.filter((target) => !/^[a-z]+:/.test(target) && /^#|\.md(?:#|$)/.test(target));
  return own.map((target) => (target.startsWith("#") ? path + target : posix.join(posix.dirname(path), target)));
}

const isDead = (citation: string): boolean => deadCitations([citation], anchorsOf).length > 0;

/** Places in the text as `path: what`, so that a failure tells where to look. */
function findings(paths: readonly string[], find: (path: string) => readonly string[]): string[] {
  return paths.flatMap((path) => find(path).map((found) => `${path}: ${found}`));
}

describe("citations of documents", () => {
  it("lead to a document and a section of the repository", () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(
      findings([...sources, ...documents], (path) => {
        const named = readSource(path).match(/(?<![\w/.@-])docs\/[\w./-]+\.md(?:#[\w-]+)?/g) ?? [];
        return named.filter(isDead);
      }),
    ).toEqual([]);
  });

  it("are made by links of documents to sections that exist", () => {
    expect(findings(documents, (path) => linksOf(path).filter(isDead))).toEqual([]);
  });
});

describe("texts that are not in the repository", () => {
  it("are cited nowhere", () => {
    expect(findings([...sources, ...documents], (path) => foreignTexts(readSource(path)))).toEqual([]);
  });

  it("and sections without their document are cited by no comment", () => {
    const bare =
      /\breference \d|\b[Ss]pecification, "|\((?:section )?(?:\d{1,2}|A)\.\d(?:\.\d)?(?:, \d{1,2}\.\d(?:\.\d)?)*\)/g;
    expect(findings(sources, (path) => commentsOf(readSource(path)).flatMap((text) => text.match(bare) ?? []))).toEqual(
      [],
    );
  });
});

describe("the reader of citations", () => {
  it("makes anchors as GitHub does", () => {
    const text =
      "# A `b` (c, d)\n\n## GET /v1/x/{id}\n\n```sh\n# no heading\n```\n\n## Same\n\n## Same\n\n### [Link](x.md)'s\n";
    expect([...slugsOf(text)]).toEqual(["a-b-c-d", "get-v1xid", "same", "same-1", "links"]);
  });

  it("notices a document and a section that are not there", () => {
    const known = new Map([["a.md", new Set(["one"])]]);
    const of = (path: string): ReadonlySet<string> | null => known.get(path) ?? null;
    const dead = ["a.md#two", "b.md"];
    expect(deadCitations(["a.md", "a.md#one", ...dead], of)).toEqual(dead);
  });

  it.each([
    ["upstreams", " reference 1.3"],
    ["clients", "\n * reference 4"],
    ["Performance", " references"],
    ["references/upst", "reams.md"],
    ["contra", 'ct, "Video"'],
    ["Contra", 'ct: "2xx"'],
    ["reliability", ".md"],
  ])("notices %j%j, across lines too", (first, second) => {
    expect(foreignTexts(`/** What is known (${first}${second}). */\n`)).toHaveLength(1);
  });

  it("takes comments for what they are", () => {
    const code = 'const a = "// no";\n/** one\n * two */\nconst b = 1; // three\n  // four\n  // five\n';
    expect(commentsOf(code)).toEqual(["one two", "three", "four five"]);
  });
});
