import { describe, expect, it } from "vitest";
import { vendorIdSchema } from "../../gateway/contract/connection.ts";
import { vendors } from "../../gateway/vendors/registry.ts";
import { filesBelow, readSource } from "./source-tree.ts";

/** What every vendor's folder has. Each file exports one value, named as the file is. */
const everywhere = ["vendor", "errors"] as const;
/** What a vendor may have or be able to do: each a file in its folder where it is, null in `vendor.ts` where it is not. */
const abilities = [
  "models",
  "chat",
  "messages",
  "responses",
  "embeddings",
  "speech",
  "images",
  "edits",
  "videos",
] as const;
const protocol: readonly string[] = [...everywhere, ...abilities];

const files = filesBelow("gateway/vendors", [".ts"]);
const folders = [...new Set(files.flatMap((path) => /^gateway\/vendors\/([^/]+)\//.exec(path)?.[1] ?? []))];

/** What the folder's files export as values. */
function valuesOf(path: string): string[] {
  return [...readSource(path).matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)].map(
    (match) => match[1] ?? "",
  );
}

describe.each(folders)("gateway/vendors/%s", (folder) => {
  const fileOf = (name: string): string => `gateway/vendors/${folder}/${name}.ts`;
  const vendor = vendorIdSchema.options.map((id) => vendors[id]).find(({ id }) => id === folder);

  it.each(everywhere)("has %s.ts, which exports that name", (name) => {
    expect(files).toContain(fileOf(name));
    expect(valuesOf(fileOf(name))).toContain(name);
  });

  it.each(abilities)("has %s.ts, which exports that name, just when vendor.ts does not say null", (name) => {
    const can = vendor?.[name] != null;
    expect(files.includes(fileOf(name))).toBe(can);
    if (can) expect(valuesOf(fileOf(name))).toContain(name);
  });

  it("has nothing in its other files that only it uses under another name than its siblings", () => {
    const shared = files
      .filter((path) => path.startsWith(`gateway/vendors/${folder}/`))
      .filter((path) => {
        const name = path.slice(path.lastIndexOf("/") + 1, -".ts".length);
        return !protocol.includes(name);
      });
    const unused = shared.filter(
      (path) => !files.some((other) => readSource(other).includes(path.slice(path.lastIndexOf("/") + 1))),
    );
    expect(unused).toEqual([]);
  });

  it("does not poll, sleep, log, or read clock and randomness", () => {
    const own = files.filter((path) => path.startsWith(`gateway/vendors/${folder}/`));
    const busy = own.filter((path) =>
      /\b(setTimeout|setInterval|setImmediate|Date\.now|new Date\(\)|performance\.now|Math\.random|console\.)/.test(
        readSource(path),
      ),
    );
    expect(busy).toEqual([]);
  });
});

describe("the registry", () => {
  it("lists each folder by hand, and the contract names the same vendors", () => {
    expect(Object.keys(vendors).toSorted()).toEqual(folders.toSorted());
    expect([...vendorIdSchema.options].toSorted()).toEqual(folders.toSorted());
  });
});
