import { expect, it } from "vitest";
import { readyLines } from "../../gateway/ready-lines.ts";
import { defaultDataDir } from "../../gateway/store/folder/data-dir.ts";

const url = "http://127.0.0.1:6174";
const facts = { url, ui: `${url}/#token=t`, dataDir: "/d", pid: 7, firstKey: null };

it("says address, pages and, on the very first start, the key", () => {
  expect(readyLines(facts, false)).toBe(`Postern is ready at ${url}\nPages: ${url}/#token=t\n`);
  const first = readyLines({ ...facts, firstKey: "sk-x" }, false);
  expect(first.split("\n")[2]).toMatch(/sk-x$/);
  expect(first).toContain("clients connect claude-code --data-dir /d ");
  const usual = defaultDataDir(process.platform, process.env);
  expect(readyLines({ ...facts, dataDir: usual, firstKey: "sk-x" }, false)).not.toContain("--data-dir");
});

it("says it as one line of JSON", () => {
  const text = readyLines(facts, true);
  expect(text).toMatch(/^[^\n]*\n$/);
  const ready = { event: "ready", url, ui: facts.ui, mcp: `${url}/mcp`, dataDir: "/d", pid: 7 };
  expect(JSON.parse(text)).toStrictEqual(ready);
  expect(JSON.parse(readyLines({ ...facts, firstKey: "sk-x" }, true))).toStrictEqual({ ...ready, apiKey: "sk-x" });
});
