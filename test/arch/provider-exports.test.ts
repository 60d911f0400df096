import { describe, expect, it } from "vitest";
import { providerIdSchema } from "../../gateway/contract/connection.ts";
import { providerIds, providers } from "../../gateway/providers/registry.ts";
import type { Provider } from "../../gateway/providers/provider.ts";
import { filesBelow, readSource } from "./source-tree.ts";

/** What every provider's folder has. Each file exports one value, named as the file is. */
const everywhere = ["profile", "catalog", "provider", "errors"] as const;
/**
 * What a provider may have or be able to do: each a file in its folder, or a few lines in `provider.ts` itself; null
 * there where it is not.
 */
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

const files = filesBelow("gateway/providers", [".ts"]);
const folders = [...new Set(files.flatMap((path) => /^gateway\/providers\/([^/]+)\//.exec(path)?.[1] ?? []))];

/** What the folder's files export as values. */
function valuesOf(path: string): string[] {
  return [...readSource(path).matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)].map(
    (match) => match[1] ?? "",
  );
}

describe.each(folders)("gateway/providers/%s", (folder) => {
  const fileOf = (name: string): string => `gateway/providers/${folder}/${name}.ts`;
  const provider = providerIds.map((id): Provider => providers[id]).find(({ id }) => id === folder);

  it.each(everywhere)("has %s.ts, which exports that name", (name) => {
    expect(files).toContain(fileOf(name));
    expect(valuesOf(fileOf(name))).toContain(name);
  });

  it.each(abilities)("has %s under that name, in its file or in provider.ts, unless it says null", (name) => {
    const own = files.includes(fileOf(name));
    if (provider?.[name] == null) expect(own).toBe(false);
    else if (own) expect(valuesOf(fileOf(name))).toContain(name);
    else expect(readSource(fileOf("provider"))).toMatch(new RegExp(`^(?:export )?(?:const|function) ${name}\\b`, "m"));
  });

  it("has nothing in its other files that only it uses under another name than its siblings", () => {
    const shared = files
      .filter((path) => path.startsWith(`gateway/providers/${folder}/`))
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
    const own = files.filter((path) => path.startsWith(`gateway/providers/${folder}/`));
    const busy = own.filter((path) =>
      /\b(setTimeout|setInterval|setImmediate|Date\.now|new Date\(\)|performance\.now|Math\.random|console\.\w+\()/.test(
        readSource(path),
      ),
    );
    expect(busy).toEqual([]);
  });
});

describe("the registry", () => {
  it("lists each folder by hand, under the id that the contract lets through", () => {
    expect(providerIds.toSorted()).toEqual(folders.toSorted());
    expect(providerIds.map((id) => providers[id].id)).toEqual(providerIds);
    for (const id of providerIds) expect(providerIdSchema.safeParse(id).success).toBe(true);
  });
});

describe("what is known of one provider", () => {
  /** The compatible server's adapter leads anywhere, and knows what some of them want. */
  const LEADS_ANYWHERE = "gateway/providers/openai-compatible/";
  const sources = ["gateway", "main", "renderer"]
    .flatMap((folder) => filesBelow(folder, [".ts", ".tsx", ".mjs"]))
    .map((path) => [path, readSource(path)] as const);

  const atHome = providerIds.filter((id) => providers[id].defaultBaseUrl !== null);

  it.each(atHome)("%s: its hosts and variables stand in its folder alone", (id) => {
    const { environment, owners, presets }: Provider = providers[id];
    const hosts = [
      ...owners.flatMap((owner) => owner.hosts),
      ...presets.flatMap(({ baseUrl }) => (baseUrl.startsWith("https:") ? [new URL(baseUrl).hostname] : [])),
    ];
    const words = [...hosts, `POSTERN_${environment.name}_`];
    const elsewhere = sources.flatMap(([path, text]) =>
      path.startsWith(`gateway/providers/${id}/`) || path.startsWith(LEADS_ANYWHERE)
        ? []
        : words.filter((word) => text.includes(word)).map((word) => `${path}: ${word}`),
    );
    expect(hosts.length).toBeGreaterThan(0);
    expect(elsewhere).toEqual([]);
  });
});
