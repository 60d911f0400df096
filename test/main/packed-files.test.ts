import type { Stats } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { walk } from "builder-util";
import * as fileMatcher from "app-builder-lib/out/fileMatcher.js";
import { getConfig } from "app-builder-lib/out/util/config/config.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wrongFiles } from "../e2e/desktop/package/packed-files.mjs";

const top = join(import.meta.dirname, "../..");

/** What lies in a project after a build, one of each kind. */
const packed = [
  "out/main/app.mjs",
  "out/main/command.mjs",
  "out/main/icon.png",
  "out/main/index.mjs",
  "out/main/ledger-worker.cjs",
  "out/main/worker.cjs",
  "out/main/preload.cjs",
  "out/main/runtime-B0paDext.mjs",
  "out/main/third-party.txt",
  "out/renderer/assets/index-BR2KKaw9.js",
  "out/renderer/assets/index-NMkaPMoF.css",
  "out/renderer/assets/mark-yrUjhyGn.svg",
  "out/renderer/guide/budgets.html",
  "out/renderer/guide/guide.css",
  "out/renderer/guide/index.html",
  "out/renderer/index.html",
  "out/renderer/third-party.txt",
  "package.json",
];
const left = [
  ".env",
  ".github/workflows/ci.yml",
  ".git/config",
  "README.md",
  "docs/mcp.md",
  "electron-builder.yml",
  "gateway/index.ts",
  "main/index.ts",
  "main/assets/icon.png",
  "node_modules/koa/package.json",
  "node_modules/out/main/index.mjs",
  "out/.cache/x",
  "out/.stage-desktop-1/index.mjs",
  "out/command/postern.cjs",
  "out/gateway/headless.cjs",
  "out/main/.stamp",
  "out/main/index.mjs.map",
  "out/main/node_modules/koa/index.js",
  "out/renderer/assets/index-BR2KKaw9.js.map",
  "package-lock.json",
  "release/linux-unpacked/postern",
  "renderer/app.tsx",
  "test/main/packed-files.test.ts",
  "test/fixtures/a.json",
];
/** What the builder would pack, and the bundles never hold. */
const stray = [
  "out/main/runtime.mjs",
  "out/renderer/assets/index.js",
  "out/renderer/guide/budgets.md",
  "out/renderer/guide/drafts/budgets.html",
  "out/renderer/notes.html",
];
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-packed-"));
  for (const path of [...packed, ...left]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), "");
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Matcher {
  createFilter(): (path: string, stat: Stats) => boolean;
}
/** electron-builder does not declare these two for others, though it exports them. */
const { getMainFileMatchers, getNodeModuleFileMatcher } = fileMatcher as unknown as {
  getMainFileMatchers(...given: readonly unknown[]): readonly Matcher[];
  getNodeModuleFileMatcher(...given: readonly unknown[]): Matcher;
};

/** What electron-builder's own matchers select of the project by our configuration, for the files and for the modules. */
async function selected(kind: "files" | "modules"): Promise<string[]> {
  const config = await getConfig(top, join(top, "electron-builder.yml"), null);
  const info = {
    projectDir: folder,
    buildResourcesDir: "main/assets",
    config,
    isPrepackedAppAsar: false,
    debugLogger: { isEnabled: false },
  };
  const output = join(folder, "release");
  const same = (text: string): string => text;
  const matcher =
    kind === "files"
      ? getMainFileMatchers(folder, join(output, "app"), same, config.linux ?? {}, { info }, output, false)[0]
      : getNodeModuleFileMatcher(folder, join(output, "app"), same, config.linux ?? {}, info);
  const filter = matcher?.createFilter() ?? (() => false);
  const start = kind === "files" ? folder : join(folder, "node_modules/koa");
  const files = await walk(start, (path, stat) => filter(path, stat));
  return files.map((path) => relative(folder, path).replaceAll("\\", "/")).toSorted();
}

describe("the packed files", () => {
  it("are the bundles alone", async () => {
    expect(await selected("files")).toStrictEqual(packed.toSorted());
    expect(await selected("modules")).toStrictEqual([]);
  });

  it("are what the check of a package takes, and nothing else is", () => {
    expect(wrongFiles(packed)).toStrictEqual([]);
    for (const path of [...left, ...stray])
      expect(wrongFiles([...packed, path]), path).toStrictEqual([`${path} is packed`]);
    expect(wrongFiles(packed.slice(1))).toStrictEqual(["out/main/app.mjs is missing"]);
  });
});
