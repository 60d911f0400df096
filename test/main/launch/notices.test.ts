import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collectNotices } from "../../../main/launch/notices.mjs";

const top = join(import.meta.dirname, "../../..");
const moduleOf = (path: string): string => `${top}/node_modules/${path}`;

/** Packages that a bundle may hold: of what the lock file has, those that are not for development. */
function shipped(): readonly string[] {
  const lock = JSON.parse(readFileSync(join(top, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  return Object.entries(lock.packages).flatMap(([path, { dev, devOptional }]) =>
    path === "" || dev === true || devOptional === true || path.includes("node_modules/@types/") ? [] : [path],
  );
}

describe("the notices of a bundle", () => {
  it("name each package once, with its source and its licence", async () => {
    const text = await collectNotices([
      moduleOf("zod/index.js"),
      moduleOf("zod/v4/core/core.js"),
      `\0${moduleOf("accepts/node_modules/mime-db/index.js")}?commonjs-es-import`,
      join(top, "gateway/index.ts"),
      "\0rolldown/runtime.js",
    ]);
    expect(text.match(/^\S+ [\d.]+ \(MIT\)$/gm)).toEqual(["mime-db 1.52.0 (MIT)", expect.stringMatching(/^zod 4/)]);
    expect(text).toContain("https://github.com/colinhacks/zod");
    expect(text).toContain("Copyright (c) 2025 Colin McDonnell");
  });

  it("are empty where all is our own", async () => {
    expect(await collectNotices([join(top, "gateway/index.ts")])).toBe("");
  });

  it("hold the licences that ask for their text: of mediabunny, and of LAME in the MP3 encoder", async () => {
    expect(await collectNotices([moduleOf("mediabunny/dist/index.js")])).toContain(
      "Mozilla Public License Version 2.0",
    );
    const encoder = await collectNotices([moduleOf("wasm-media-encoders/dist/esnext/index.mjs")]);
    expect(encoder).toContain("GNU LIBRARY GENERAL PUBLIC LICENSE");
  });
});

it("every package that may be bundled is under a licence that THIRD-PARTY.md speaks of", async () => {
  const licences = shipped().map((path) => {
    const { name, license } = JSON.parse(readFileSync(join(top, path, "package.json"), "utf8")) as {
      name: string;
      license?: string;
    };
    return [license, name];
  });
  const free = /^(MIT|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0|BlueOak-1\.0\.0|Python-2\.0|Unlicense|\(MIT OR CC0-1\.0\))$/;
  expect(licences.filter(([license]) => !free.test(license ?? ""))).toEqual([["MPL-2.0", "mediabunny"]]);
  const told = readFileSync(join(top, "THIRD-PARTY.md"), "utf8");
  for (const licence of ["MPL-2.0", "BlueOak-1.0.0", "Python-2.0"]) expect(told).toContain(licence);
});
