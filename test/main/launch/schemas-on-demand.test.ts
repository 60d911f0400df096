import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { projectFolder } from "../../../main/launch/targets.mjs";
import { makeProject } from "./project.ts";

const run = promisify(execFile);

/** Zod reports each schema that is made, and `made` counts them, in a process of its own. */
const COUNTING =
  "var made = 0; Object.assign(globalThis, { __zod_globalConfig: { postProcessor: () => void (made += 1) } });";

const ON_DEMAND = `
  export function onDemand<T>(make: () => T): () => T {
    let made: T | undefined;
    return () => (made ??= make());
  }`;

/** @returns what the script prints, as JSON. It finds the bundle below `top`. */
async function printed(top: string, script: string, ...argv: string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, ["-e", `${COUNTING}\n${script}`, top, ...argv], {
    env: { PATH: process.env["PATH"] },
  });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
}

describe("schemas in a bundle", () => {
  it("are made when they are first used, once, and say what those of the sources say", async () => {
    const sources = {
      "gateway/contract/on-demand.ts": ON_DEMAND,
      "gateway/contract/parts.ts": `
        import * as z from "zod";
        export const FOLDER = "folder";
        export const text = z.string();
        const list = <T extends z.ZodType>(item: T) => z.array(item);
        function short() { return text.max(3); }
        export const texts = list(short());
        export const NAMES: readonly string[] = z.enum(["a", "b"]).options;
        export const between = (least: number, text: number) => z.number().min(least).max(text);`,
      "gateway/contract/whole.ts": `
        import * as z from "zod";
        import { between as bounded, text, texts } from "./parts.ts";
        const two = bounded(1, 2);
        const fields = { text, two };
        export const whole = z.object({ ...fields, texts }).strict();
        export type Whole = z.infer<typeof whole>;
        export const { a: never } = { a: 1 };
        export class Reader {
          static limit = 2;
          text = text;
          read(value: unknown) { return whole.safeParse(value).success; }
        }
        export function shadowed(text: string, { two, ...rest }: { two: number; texts?: number }) {
          for (const whole of [text]) if (whole !== text) return null;
          switch (two) { case 1: { const fields = rest.texts; return { text, two, fields, whole: whole.shape.two === two }; } default: }
          try { throw text; } catch (whole) { return [whole, [1].map((fields) => fields)]; }
        }`,
      "gateway/headless.ts": `
        import { FOLDER, NAMES } from "./contract/parts.ts";
        import { Reader, shadowed, whole, type Whole } from "./contract/whole.ts";
        const value: Whole = { text: FOLDER, two: 2, texts: ["abc"] };
        export const folder = () => FOLDER;
        export const names = () => NAMES;
        export const check = () => [whole.safeParse(value).success, whole.safeParse({ ...value, texts: ["abcd"] }).success];
        export const same = () => whole === whole && new Reader().text === whole.shape.text;
        export const object = () => Object.keys({ whole });
        export const reader = () => new Reader().read(value);
        export const shadows = () => [shadowed("x", { two: 1, texts: 5 }), shadowed("x", { two: 9 })];`,
    };
    const lines = (text: string): string => text.replaceAll(/^ +/gm, "");
    await using project = await makeProject(
      Object.fromEntries(Object.entries(sources).map(([path, text]) => [path, lines(text)])),
    );
    expect(await project.run("main/build.mjs", ["gateway"])).toMatchObject({ code: 0 });
    const said = await printed(
      project.folder,
      `const bundle = require(process.argv[1] + "/out/gateway/headless.cjs");
       const steps = {};
       for (const name of ["folder", "names", "check", "same", "object", "reader", "shadows"]) {
         const before = made;
         steps[name] = [bundle[name](), made - before];
       }
       console.log(JSON.stringify({ atLoad: made - Object.values(steps).reduce((sum, [, n]) => sum + n, 0), steps }));`,
    );
    expect(said).toEqual({
      atLoad: 0,
      steps: {
        folder: ["folder", 0],
        names: [["a", "b"], 1],
        check: [[true, false], expect.any(Number)],
        same: [true, 0],
        object: [["whole"], 0],
        reader: [true, 0],
        shadows: [[{ text: "x", two: 1, fields: 5, whole: false }, ["x", [1]]], 0],
      },
    });
  });

  it("are few when the gateway is ready", async () => {
    await run(process.execPath, [join(projectFolder, "main/build.mjs"), "gateway"], { timeout: 60_000 });
    const data = await mkdtemp(join(tmpdir(), "postern-schemas-"));
    try {
      const said = await printed(
        projectFolder,
        `const { runHeadless } = require(process.argv[1] + "/out/gateway/headless.cjs");
         const atLoad = made;
         const argv = ["--headless", "--port", "0", "--data-dir", process.argv[2]];
         runHeadless(argv, { HOME: process.argv[2], POSTERN_API_KEY: "sk-of-a-test-that-counts-schemas" }).then(() => {
           console.log(JSON.stringify([atLoad, made]));
           process.kill(process.pid, "SIGTERM");
         });`,
        data,
      );
      const [atLoad, atReady] = said as [number, number];
      // What is used at once needs a few lists of names.
      expect(atLoad).toBeLessThan(40);
      // There are more than 2,000. What a store of another kind of record needs, it makes (gateway/store/validate.ts).
      expect(atReady).toBeLessThan(250);
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  }, 90_000);
});
