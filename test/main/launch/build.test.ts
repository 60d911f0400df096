import { readdir, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { THREADS } from "../../../main/launch/bundle.mjs";
import { makeProject } from "./project.ts";

/** What the gateway is made of, in small: Koa and undici are CommonJS, zod brings locales, one module comes lazily. */
const gatewaySources = {
  "gateway/headless.ts": `
    import Koa from "koa";
    import { Pool } from "undici";
    import * as z from "zod";
    export async function answer(): Promise<unknown> {
      const pool = new Pool("http://127.0.0.1:9");
      await pool.close();
      const { late } = await import("./late.ts");
      const schema = z.object({ name: z.string() });
      return { koa: typeof new Koa().callback(), zod: schema.safeParse({ name: 1 }).success, late, closed: pool.closed };
    }`,
  "gateway/late.ts": 'export const late: string = "late";',
};

describe("the build", () => {
  it("makes a bundle that runs without node_modules, and without zod's locales", async () => {
    await using project = await makeProject(gatewaySources);
    const built = await project.run("main/build.mjs");
    expect(built).toMatchObject({ code: 0, out: "" });
    expect(built.error).toMatch(/^Built out\/gateway in \d+\.\d s\.\n$/);
    await project.remove("node_modules");
    const { answer }: { answer(): Promise<unknown> } = createRequire(import.meta.url)(
      join(project.folder, "out/gateway/headless.cjs"),
    );
    expect(await answer()).toEqual({ koa: "function", zod: false, late: "late", closed: true });
    const names = (await readdir(join(project.folder, "out/gateway"))).filter((name) => name.endsWith(".cjs"));
    expect(names).toHaveLength(4);
    expect(names).toEqual(expect.arrayContaining(Object.keys(THREADS)));
    expect(await project.read("out/gateway/headless.cjs")).not.toContain("Ungültige Eingabe");
  });

  it("writes ASCII that says the same, and only what is used of Koa and undici", async () => {
    await using project = await makeProject({
      "gateway/headless.ts": `
        import Koa from "koa";
        import { Pool } from "undici";
        const é = /[–-—]|🙂/u;
        export const said = (text: string) => [typeof Pool, é.test(text), \`\${text} → “é”\`, "🙂"];
        export function typeOf(type: string): unknown {
          const context = { set: (_: string, value: string) => (found = value) };
          let found: unknown;
          Reflect.set(Object.create(Object.getPrototypeOf(new Koa().response), { set: { value: context.set } }), "type", type);
          return found;
        }`,
    });
    expect(await project.run("main/build.mjs")).toMatchObject({ code: 0 });
    const code = await project.read("out/gateway/headless.cjs");
    expect(code).toMatch(/^\p{ASCII}*$/u);
    expect(code).not.toMatch(/node:http2|application\/vnd\.ms-excel|no-simd/);
    const bundled = createRequire(import.meta.url)(join(project.folder, "out/gateway/headless.cjs")) as {
      said(text: string): unknown;
      typeOf(type: string): unknown;
    };
    expect(bundled.said("a–b")).toEqual(["function", true, "a–b → “é”", "🙂"]);
    expect(["json", "html", "text", "bin", "text/css"].map((type) => bundled.typeOf(type))).toEqual([
      "application/json; charset=utf-8",
      "text/html; charset=utf-8",
      "text/plain; charset=utf-8",
      "application/octet-stream",
      "text/css; charset=utf-8",
    ]);
  });

  it("does nothing when nothing changed, and leaves no scraps", async () => {
    await using project = await makeProject({ "gateway/headless.ts": "export const a = 1;" });
    await project.run("main/build.mjs");
    const before = await stat(join(project.folder, "out/gateway/headless.cjs"));
    expect(await project.run("main/build.mjs")).toEqual({ code: 0, out: "", error: "" });
    const after = await stat(join(project.folder, "out/gateway/headless.cjs"));
    expect(after.ino).toBe(before.ino);
    expect(await readdir(join(project.folder, "out"))).toEqual(["gateway"]);
  });

  it("keeps the old bundle when the new sources are broken, and says where", async () => {
    await using project = await makeProject({ "gateway/headless.ts": "export const a = 1;" });
    await project.run("main/build.mjs");
    const before = await project.read("out/gateway/headless.cjs");
    await project.write("gateway/headless.ts", "export const a = ;");
    const failed = await project.run("main/build.mjs");
    expect(failed.code).toBe(1);
    expect(failed.error).toContain("out/gateway could not be built from gateway/headless.ts: ");
    expect(failed.error).toContain("gateway/headless.ts:1:18");
    expect(await project.read("out/gateway/headless.cjs")).toBe(before);
    expect(await readdir(join(project.folder, "out"))).toEqual(["gateway"]);
  });

  it("leaves one whole result when two run at once", async () => {
    await using project = await makeProject({ "gateway/headless.ts": "export const a = 1;" });
    const both = await Promise.all([project.run("main/build.mjs"), project.run("main/build.mjs")]);
    expect(both.map((ended) => ended.code)).toEqual([0, 0]);
    expect(await project.read("out/gateway/headless.cjs")).toMatch(/(\w+)\s*=\s*1;[^]*exports\.a\s*=\s*\1\b/);
    expect(await readdir(join(project.folder, "out"))).toEqual(["gateway"]);
  });

  it("makes the desktop shell with electron left outside, and a preload that a sandbox takes", async () => {
    await using project = await makeProject({
      "main/index.ts": 'import { app } from "electron"; export const name = app.name;',
      "main/boot.mjs": 'await import(["./app.mjs"][0]);',
      "main/assets/icons/256x256.png": "an icon",
      "main/command-in-app.ts": "process.exit(0);",
      "main/preload.ts": 'import { contextBridge } from "electron"; contextBridge.exposeInMainWorld("postern", {});',
    });
    expect((await project.run("main/build.mjs", ["desktop"])).code).toBe(0);
    expect(await project.read("out/main/app.mjs")).toMatch(/import\s*\{\s*app\b[^}]*\}\s*from\s*["'`]electron["'`]/);
    expect(await project.read("out/main/index.mjs")).toContain("./app.mjs");
    expect(await project.read("out/main/icon.png")).toBe("an icon");
    const preload = await project.read("out/main/preload.cjs");
    expect(preload).toMatch(/require\(["'`]electron["'`]\)/);
    expect(preload).not.toMatch(/^import /m);
  });

  it("refuses what it does not bundle of undici", async () => {
    await using project = await makeProject({ "gateway/headless.ts": 'export { Agent } from "undici";' });
    const failed = await project.run("main/build.mjs");
    expect(failed.code).toBe(1);
    expect(failed.error).toContain("Agent");
  });

  it("names the targets that there are", async () => {
    await using project = await makeProject();
    const ended = await project.run("main/build.mjs", ["everything"]);
    expect(ended.code).toBe(2);
    expect(ended.error).toBe(
      'There is no build target "everything". There are: gateway, renderer, command, desktop.\n',
    );
  });
});
