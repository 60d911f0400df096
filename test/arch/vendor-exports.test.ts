import { describe, expect, it } from "vitest";
import { vendorIdSchema } from "../../gateway/contract/connection.ts";
import { vendors } from "../../gateway/vendors/registry.ts";
import { filesBelow, readSource } from "./source-tree.ts";

/** The files that make up a vendor's protocol. Each exports one value, named as the file is. */
const protocol = ["chat", "errors", "models", "vendor"];

const files = filesBelow("gateway/vendors", [".ts"]);
const folders = [...new Set(files.flatMap((path) => /^gateway\/vendors\/([^/]+)\//.exec(path)?.[1] ?? []))];

/** What the folder's files export as values. */
function valuesOf(path: string): string[] {
  return [...readSource(path).matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)].map(
    (match) => match[1] ?? "",
  );
}

describe.each(folders)("gateway/vendors/%s", (folder) => {
  it.each(protocol)("has %s.ts, which exports that name", (name) => {
    const path = `gateway/vendors/${folder}/${name}.ts`;
    expect(files).toContain(path);
    expect(valuesOf(path)).toContain(name);
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
