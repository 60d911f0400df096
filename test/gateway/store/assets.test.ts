import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readAssets } from "../../../gateway/store/assets.ts";

test("pages are read whole, typed by their names and tagged by their content", async () => {
  const dir = await mkdtemp(join(tmpdir(), "postern-assets-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, "assets"));
  await writeFile(join(dir, "index.html"), "<p>1</p>");
  // The builder's note of its sources: no one's page.
  await writeFile(join(dir, ".stamp"), "main/build.mjs|1|1");
  await writeFile(join(dir, "assets", "a.JS"), "1");
  await writeFile(join(dir, "assets", "b.bin"), "1");
  const assets = readAssets(dir, "postern open");
  expect([...assets.keys()].toSorted()).toEqual(["assets/a.JS", "assets/b.bin", "index.html"]);
  expect(assets.get("index.html")).toMatchObject({ body: Buffer.from("<p>1</p>"), type: "text/html; charset=utf-8" });
  expect(assets.get("assets/a.JS")?.type).toBe("text/javascript; charset=utf-8");
  expect(assets.get("assets/b.bin")?.type).toBe("application/octet-stream");
  expect(assets.get("assets/a.JS")?.etag).toBe(assets.get("assets/b.bin")?.etag);
  expect(assets.get("assets/a.JS")?.etag).not.toBe(assets.get("index.html")?.etag);
  expect(assets.get("index.html")?.etag).toMatch(/^"[\w-]+"$/);
});

test("a folder that was not built is an error", () => {
  expect(() => readAssets("/nonexistent/pages", "postern open")).toThrow(/ENOENT/);
});
