import { join } from "node:path";
import type { ImportedField } from "../../../../gateway/contract/imports.ts";
import type { Setup } from "../../../../gateway/contract/setup.ts";
import type { Importer } from "../../../../gateway/core/imports/importer.ts";
import { ManageImports } from "../../../../gateway/services/imports/manage-imports.ts";
import type { SetupWorld } from "../setup/setup-world.ts";

/** A program whose file is a set-up as JSON, and names further files in `more`. */
export const program: Importer = {
  id: "opencode",
  label: "A program",
  files: ({ home: at, folder }) => [
    { path: join(folder ?? at, "program.json") },
    { path: join(folder ?? at, "other.json") },
  ],
  more: (files) =>
    files.flatMap(({ text }) => {
      const { more = [] } = JSON.parse(text) as { more?: string[] };
      return more.map((path) => ({ path }));
    }),
  read(files) {
    const parts = files.map(
      ({ text }) =>
        JSON.parse(text.replace(/^\s*\w+:\/\/[^?]*\?/, "")) as Setup & { more?: string[]; nothing?: boolean },
    );
    if (parts.some(({ nothing }) => nothing)) return null;
    const { more: _more, ...setup } = Object.assign({}, ...parts) as Setup & { more?: string[] };
    const fields = (setup.connections ?? []).map(({ name, keys }): ImportedField => ({
      field: `${name}.key`,
      value: String(keys),
      fate: "taken",
      becomes: `with ${String(keys)}`,
    }));
    return { setup, fields };
  },
};

export function importsAt(world: SetupWorld, home: string, env: Readonly<Record<string, string>> = {}): ManageImports {
  const { setup, connections, store } = world;
  return new ManageImports({
    setup,
    connections,
    store,
    machine: { platform: "linux", home, env },
    importers: async () => [program],
    origin: () => "http://127.0.0.1:6174",
  });
}
