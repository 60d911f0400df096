import { describe, expect, it, test } from "vitest";
import { forbiddenBecause, gatewayOrder } from "./directions.ts";
import { filesBelow, importsOf, projectFolder, readSource, resolveImport, runtimeImportsOf } from "./source-tree.ts";

const sources = ["gateway", "main", "renderer"]
  .flatMap((folder) => filesBelow(folder, [".ts", ".tsx", ".mjs"]))
  .filter((path) => path !== "renderer/vite.config.ts");
const imports = new Map(sources.map((path) => [path, importsOf(readSource(path))]));

describe("reading import statements", () => {
  test.each([
    ['import { a } from "./a.ts";', ["./a.ts"]],
    ['import type { A } from "./a.ts";', ["./a.ts"]],
    ['import a, { b } from "./a.ts";', ["./a.ts"]],
    ['import * as z from "zod";', ["zod"]],
    ['import {\n  a,\n  type B,\n} from "./a.ts";', ["./a.ts"]],
    ['import "./style.css";', ["./style.css"]],
    ['export { a } from "./a.ts";', ["./a.ts"]],
    ['export * from "./a.ts";', ["./a.ts"]],
    ['const a = await import("./a.ts");', ["./a.ts"]],
    ['type A = import("./a.ts").A;', ["./a.ts"]],
    ['// import { a } from "./a.ts";', []],
    ['/* import { a } from "./a.ts"; */', []],
    ['const text = "no // comment"; import { a } from "./a.ts";', ["./a.ts"]],
    ['export const from = "import";', []],
  ])("%s", (code, expected) => {
    expect(importsOf(code)).toEqual(expected);
  });
});

describe("directions", () => {
  test.each([
    ["gateway/core/money/price.ts", "../../store/store.ts"],
    ["gateway/core/money/price.ts", "node:fs"],
    ["gateway/core/money/price.ts", "node:crypto"],
    ["gateway/contract/key.ts", "../lib/ids.ts"],
    ["gateway/contract/key.ts", "koa"],
    ["gateway/services/chat/run-chat.ts", "../../http/app.ts"],
    ["gateway/services/chat/run-chat.ts", "undici"],
    ["gateway/services/chat/run-chat.ts", "node:fs/promises"],
    ["gateway/http/app.ts", "lowdb"],
    ["gateway/http/app.ts", "../headless.ts"],
    ["gateway/lib/log.ts", "electron"],
    ["gateway/lib/log.ts", "../../main/policy/quit.ts"],
    ["gateway/providers/openai/chat.ts", "../../services/chat/run-chat.ts"],
    ["gateway/providers/openai/chat.ts", "./sandbox.ts"],
    ["gateway/services/models/served-model.ts", "../../providers/openai/sandbox.ts"],
    ["renderer/app.tsx", "../gateway/core/errors.ts"],
    ["renderer/app.tsx", "../main/index.ts"],
    ["renderer/app.tsx", "node:path"],
    ["renderer/features/overview/recent-requests.tsx", "../requests/request-table.tsx"],
    ["renderer/features/playground/chat/chat-tab.tsx", "../../mcp/tool-marks.tsx"],
    ["renderer/components/request/request-dialog.tsx", "../../features/requests/request-filter.ts"],
    ["renderer/components/table/data-table.tsx", "../../features/keys/create-key-dialog.tsx"],
    ["renderer/components/frame/shell.tsx", "../../features/keys/key-form.tsx"],
    ["renderer/api/queries.ts", "../components/ui/toasts.tsx"],
    ["renderer/api/queries.ts", "../features/clients/use-clients.ts"],
    ["renderer/lib/format.ts", "../api/client.ts"],
    ["main/policy/quit.ts", "electron"],
    ["main/policy/quit.ts", "node:os"],
    ["main/launch/postern.ts", "undici"],
    ["main/index.ts", "../renderer/app.tsx"],
  ])("%s must not import %s", (from, specifier) => {
    expect(forbiddenBecause(from, specifier)).toEqual(expect.any(String));
  });

  test.each([
    ["gateway/store/journal/journal.ts", "node:fs"],
    ["gateway/store/journal/journal.ts", "../../lib/clock.ts"],
    ["gateway/upstream/provider-client.ts", "undici"],
    ["gateway/http/app.ts", "../services/chat/run-chat.ts"],
    ["gateway/contract/key.ts", "zod"],
    ["gateway/headless.ts", "./http/app.ts"],
    ["renderer/app.tsx", "../gateway/contract/key.ts"],
    ["renderer/app.tsx", "react"],
    ["renderer/routes.ts", "./features/keys/keys-page.tsx"],
    ["renderer/features/playground/chat/chat-tab.tsx", "../parts/copy-as.tsx"],
    ["renderer/features/playground/chat/chat-tab.tsx", "../../../components/ui/button.tsx"],
    ["renderer/components/frame/shell.tsx", "../../features/keys/create-key-dialog.tsx"],
    ["renderer/components/ui/toasts.tsx", "../../api/client.ts"],
    ["renderer/lib/i18n.tsx", "../locales/first-en.ts"],
    ["main/shell/tray.ts", "electron"],
    ["main/launch/postern.ts", "../../gateway/store/folder/data-dir.ts"],
  ])("%s may import %s", (from, specifier) => {
    expect(forbiddenBecause(from, specifier)).toBeNull();
  });

  it("hold in every file", () => {
    const broken = [...imports].flatMap(([from, specifiers]) =>
      specifiers.flatMap((specifier) => {
        const reason = forbiddenBecause(from, specifier);
        return reason === null ? [] : [`${from} imports ${specifier}: ${reason}`];
      }),
    );
    expect(sources.length, `sources below ${projectFolder}`).toBeGreaterThan(100);
    expect(broken).toEqual([]);
  });

  it("name every folder of the gateway", () => {
    const folders = new Set(sources.flatMap((path) => /^gateway\/([^/]+)\//.exec(path)?.[1] ?? []));
    expect([...folders].filter((folder) => !gatewayOrder.some((name) => name === folder))).toEqual([]);
  });
});

describe("circles", () => {
  /** The first circle that can be walked from a file, as a path, or null. */
  function circleFrom(
    start: string,
    graph: ReadonlyMap<string, readonly string[]>,
    finished: Set<string>,
  ): string[] | null {
    const walk = (path: string, trail: readonly string[]): string[] | null => {
      if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
      if (finished.has(path)) return null;
      for (const next of graph.get(path) ?? []) {
        const circle = walk(next, [...trail, path]);
        if (circle !== null) return circle;
      }
      finished.add(path);
      return null;
    };
    return walk(start, []);
  }

  it("are found", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c"]],
      ["c", ["b"]],
    ]);
    expect(circleFrom("a", graph, new Set())).toEqual(["b", "c", "b"]);
  });

  /** All circles among files, by what `read` says that they import. */
  function circlesOf(paths: readonly string[], read: (text: string) => readonly string[]): string[][] {
    const graph = new Map(paths.map((from) => [from, read(readSource(from)).map((to) => resolveImport(from, to))]));
    const finished = new Set<string>();
    return paths.map((path) => circleFrom(path, graph, finished)).filter((circle) => circle !== null);
  }

  it("do not exist", () => {
    expect(circlesOf(sources, runtimeImportsOf)).toEqual([]);
  });

  it("do not exist among types either", () => {
    expect(circlesOf(sources, importsOf)).toEqual([]);
  });
});

describe("exports", () => {
  it("are named everywhere: a default export has no name to search for", () => {
    const withDefault = sources.filter((path) => /^export default /m.test(readSource(path)));
    expect(withDefault).toEqual([]);
  });

  it("are where they are written: no file only passes on what others export", () => {
    const barrels = sources.filter((path) => {
      const lines = readSource(path)
        .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "")
        .split(/;\s*/)
        .map((line) => line.trim());
      const statements = lines.filter((line) => line !== "");
      return statements.length > 0 && statements.every((line) => /^export [^=]* from /.test(line));
    });
    expect(barrels).toEqual([]);
  });
});
