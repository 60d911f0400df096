import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publicOperations } from "../../gateway/contract/operations.ts";
import { projectFolder, readSource } from "./source-tree.ts";

/** A statement of the specification that a test can be asked for, by its section and its name there. */
interface Statement {
  readonly section: string;
  readonly name: string;
}

/** A line of test/spec-coverage.md: a test, or what the row comes with. */
interface Line extends Statement {
  readonly test: string;
  readonly title: string;
}

/** Sections of which every paragraph is a statement, not the tables and numbered rules alone. */
const ENDPOINT = /^(?:GET|POST) \/v1\//;

const keyOf = ({ section, name }: Statement): string => `${section} › ${name}`;

const cellsOf = (line: string): string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Headings carry explanations in parentheses; the name before them is the section. */
const sectionOf = (heading: string): string => heading.replace(/^#+ /, "").replace(/ \(.*$/, "");

/** What distinguishes rows of the specification whose first cells are the same. */
function rowName(section: string, [first = "", second = ""]: readonly string[]): string {
  return section === "Limits" ? `${first} (${second})` : first;
}

/** `Response 200: … 400: … 429: …` is one statement for each status; another paragraph is one, by its beginning. */
function paragraphNames(line: string): string[] {
  if (line.startsWith("Response ")) {
    return [...line.matchAll(/(?:^Response |\. (?:Response )?)([2-5]\d\d)(?=[: ])/g)].map(
      (match) => `Response ${match[1]}`,
    );
  }
  return [`${line.split(" ").slice(0, 5).join(" ")} …`];
}

/** Every row, numbered rule and statement of the specification, in its order. */
function statementsOf(specification: string): Statement[] {
  const found: Statement[] = [];
  let section = "";
  let afterHead = false;
  for (const line of specification.split("\n")) {
    if (line.startsWith("#")) section = sectionOf(line);
    const rule = /^(\d+)\. /.exec(line)?.[1];
    if (line.startsWith("|")) {
      if (afterHead && !/^\|[-|]+$/.test(line)) found.push({ section, name: rowName(section, cellsOf(line)) });
      afterHead = true;
      continue;
    }
    afterHead = false;
    if (rule !== undefined) found.push({ section, name: rule });
    else if (ENDPOINT.test(section) && line !== "" && !/^(?:#|Rules:|Input shape)/.test(line)) {
      found.push(...paragraphNames(line).map((name) => ({ section, name })));
    }
  }
  return found;
}

/** The lines of test/spec-coverage.md: below a heading for the section, `| row | [file](link) | title |`. */
function linesOf(coverage: string): Line[] {
  const found: Line[] = [];
  let section = "";
  for (const line of coverage.split("\n")) {
    if (line.startsWith("## ")) section = line.slice(3);
    const [row = "", test = "", title = ""] = line.startsWith("|") ? cellsOf(line) : [];
    const name = /^`(.+)`$/.exec(row)?.[1];
    if (name !== undefined)
      found.push({ section, name, test: /^\[(.+)\]\(\.\.\/\1\)$/.exec(test)?.[1] ?? test, title });
  }
  return found;
}

/** Whether a file's source has a test, a group of tests or a row of a table of tests with exactly this title. */
function hasTitle(file: string, title: string): boolean {
  const words = title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`[([]\\s*(["'\`])${words}\\1,`).test(readSource(file));
}

/** The last section of test/spec-coverage.md: operations that the specification does not have. */
const BEYOND = "Beyond the specification";

const statements = statementsOf(readSource("docs/specification.md"));
const lines = linesOf(readSource("test/spec-coverage.md"));

describe("test/spec-coverage.md", () => {
  it("has exactly one line for each row, numbered rule and statement of the specification, in its order", () => {
    expect(statements.length).toBeGreaterThan(150);
    expect(new Set(statements.map(keyOf)).size).toBe(statements.length);
    expect(lines.filter(({ section }) => section !== BEYOND).map(keyOf)).toEqual(statements.map(keyOf));
  });

  it("has a line for each operation that the specification does not have, in their order, and for no other", () => {
    const specified = new Set(readSource("docs/specification.md").split("\n").map(sectionOf));
    const beyond = publicOperations
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
      .filter((name) => !specified.has(name));
    const rows = lines.filter(({ section }) => section === BEYOND).map(({ name }) => name);
    expect(new Set(rows).size).toBe(rows.length);
    // `POST /v1/moderations, input` is about a part of it.
    expect([...new Set(rows.map((name) => name.split(", ")[0]))]).toEqual(beyond);
  });

  it.each(lines.map((line) => [keyOf(line), line] as const))("%s: its test exists", (_key, { test, title }) => {
    expect(test).toMatch(/^test\/.+\.test\.ts$/);
    expect([test, existsSync(join(projectFolder, test))]).toEqual([test, true]);
    expect([title, hasTitle(test, title)]).toEqual([title, true]);
  });
});

describe("the reader of the specification", () => {
  it("finds every first cell of every table", () => {
    const rows = readSource("docs/specification.md")
      .split("\n")
      .filter(
        (line, index, all) => line.startsWith("|") && !line.startsWith("|-") && !all[index + 1]?.startsWith("|-"),
      );
    const numbered = readSource("docs/specification.md").match(/^\d+\. /gm) ?? [];
    const paragraphs = statements.filter(({ name }) => name.endsWith(" …") || name.startsWith("Response "));
    expect(statements.length - paragraphs.length).toBe(rows.length + numbered.length);
  });

  it("notices a row that was added, removed or renamed", () => {
    const table = (cell: string): string =>
      `## A (x)\n\n| Field | Type |\n|---|---|\n| id | string |\n| ${cell} | x |\n`;
    expect(statementsOf(table("size")).map(keyOf)).toEqual(["A › id", "A › size"]);
    expect(statementsOf(`${table("n")}\n1. A rule\n`).map(keyOf)).toEqual(["A › id", "A › n", "A › 1"]);
    expect(statementsOf("### GET /v1/x\n\nResponse 200: y. 400: z.\n").map(keyOf)).toEqual([
      "GET /v1/x › Response 200",
      "GET /v1/x › Response 400",
    ]);
  });
});
