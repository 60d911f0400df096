import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, projectFolder, readSource } from "./source-tree.ts";

const documents = [
  "README.md",
  "CHANGELOG.md",
  "CODE_OF_CONDUCT.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...filesBelow("docs", [".md"]),
  ...filesBelow("test", [".md"]),
];

/** The middleware that app.ts applies, in its order, by the names of their files. */
function appliedMiddleware(): string[] {
  const source = readSource("gateway/http/app.ts");
  const fileOf = new Map<string, string>();
  for (const match of source.matchAll(/^import \{([^}]*)\} from "\.\/middleware\/([\w-]+)\.ts";/gm)) {
    for (const name of (match[1] ?? "").split(",")) fileOf.set(name.trim().replace(/^type /, ""), match[2] ?? "");
  }
  const body = source.slice(source.lastIndexOf("import "));
  const uses = [...body.matchAll(/\b(\w+)\b/g)].map((match) => fileOf.get(match[1] ?? ""));
  return [...new Set(uses.filter((name) => name !== undefined))];
}

describe("docs/ARCHITECTURE.md", () => {
  it("lists the middleware in the order in which app.ts applies it", () => {
    const listed = [...readSource("docs/ARCHITECTURE.md").matchAll(/`middleware\/([\w-]+)\.ts`/g)].map(
      (match) => match[1],
    );
    const applied = appliedMiddleware();
    expect(applied.length).toBeGreaterThan(4);
    expect([...new Set(listed)].filter((name) => applied.includes(name ?? ""))).toEqual(applied);
  });
});

describe.each(["docs/ARCHITECTURE.md", "CONTRIBUTING.md"])("%s", (document) => {
  it("names files and folders that exist", () => {
    const named = [...readSource(document).matchAll(/`((?:gateway|main|renderer|test|docs)\/[\w./-]+)`/g)];
    const missing = named.map((match) => match[1] ?? "").filter((path) => !existsSync(join(projectFolder, path)));
    expect(missing).toEqual([]);
  });
});

describe("README.md", () => {
  it.each(["npm ci && npm start", "npm ci && npm test"])("has the command %s", (command) => {
    expect(readSource("README.md")).toContain(command);
  });

  it("is read in two minutes", () => {
    expect(readSource("README.md").split(/\s+/).length).toBeLessThanOrEqual(600);
  });
});

describe("docs/guide", () => {
  it("lists every page in its README", () => {
    const index = readSource("docs/guide/README.md");
    const pages = filesBelow("docs/guide", [".md"]).map((path) => path.slice("docs/guide/".length));
    expect(pages.filter((name) => name !== "README.md" && !index.includes(`(${name})`))).toEqual([]);
  });
});

describe("docs/screenshots", () => {
  const pictures = filesBelow("docs/screenshots", [".png", ".webp"]);

  it("has few and small pictures", () => {
    expect(pictures.length).toBeLessThanOrEqual(12);
    const bytes = pictures.map((path) => statSync(join(projectFolder, path)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_500_000);
  });

  it("has no picture that no document shows", () => {
    const text = documents.map(readSource).join("\n");
    expect(pictures.filter((path) => !text.includes(path.slice("docs/".length)))).toEqual([]);
  });
});

describe("links between documents", () => {
  it.each(documents)("of %s lead somewhere", (document) => {
    const targets = [...readSource(document).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
    const relative = targets.filter((target) => !/^[a-z]+:|^#/.test(target));
    const broken = relative.filter((target) => {
      return !existsSync(join(projectFolder, dirname(document), target.replace(/#.*$/, "")));
    });
    expect(broken).toEqual([]);
  });
});

describe("docs/decisions", () => {
  it("lists every record in its README", () => {
    const index = readSource("docs/decisions/README.md");
    const records = filesBelow("docs/decisions", [".md"]).map((path) => path.slice("docs/decisions/".length));
    expect(records.filter((name) => name !== "README.md" && !index.includes(`(${name})`))).toEqual([]);
  });

  it("has few records, each short and with decision, reason and alternatives", () => {
    const records = filesBelow("docs/decisions", [".md"]).filter((path) => !path.endsWith("/README.md"));
    expect(records.length).toBeLessThanOrEqual(25);
    const headings = records.map((path) => [...readSource(path).matchAll(/^## (.+)$/gm)].map((match) => match[1]));
    expect(headings).toEqual(records.map(() => ["Decision", "Reason", "Alternatives"]));
    expect(records.filter((path) => readSource(path).split(/\s+/).length > 500)).toEqual([]);
  });

  it("names files that exist", () => {
    const missing = filesBelow("docs/decisions", [".md"]).flatMap((path) =>
      [...readSource(path).matchAll(/`((?:gateway|main|renderer|test|docs)\/[\w./-]+)`/g)]
        .map((match) => match[1] ?? "")
        .filter((named) => !existsSync(join(projectFolder, named))),
    );
    expect(missing).toEqual([]);
  });
});
