import { readHome } from "./addresses.ts";
import type { Spoken } from "./addresses.ts";
import { SetupBuilder } from "./setup-builder.ts";
import type { SourceFields } from "./fields.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places } from "./importer.ts";
import type { Known } from "./known.ts";
import { namedProvider } from "./named-provider.ts";
import { variable } from "./references.ts";
import { readItems, readMembers, readText } from "./values.ts";

/**
 * Zed: `language_models` of `settings.json`, by provider, with `api_url`; compatible servers by name below
 * `openai_compatible` and `anthropic_compatible`. Keys are in the system's keychain, or in `NAME_API_KEY` of the
 * environment (https://zed.dev/docs/ai/llm-providers, read 2026-11-24).
 */
export const zedImporter: Importer = { id: "zed", label: "Zed", files: readFiles, read };

function readFiles({ home, platform, env, folder }: Places): readonly RequestedFile[] {
  const config = env["XDG_CONFIG_HOME"] ?? `${home}/.config`;
  const usual = platform === "win32" ? `${env["APPDATA"] ?? `${home}/AppData/Roaming`}/Zed` : `${config}/zed`;
  // Flatpak has its own home folder.
  const boxed = platform === "linux" ? [`${home}/.var/app/dev.zed.Zed/config/zed`] : [];
  const folders = folder === null ? [usual, ...boxed] : [folder];
  return folders.map((at) => ({ path: `${at}/settings.json` }));
}

/** Groups of compatible servers, keyed by the user's names, with their dialects. */
const COMPATIBLE: Readonly<Record<string, Spoken>> = { openai_compatible: "chat", anthropic_compatible: "messages" };

/** Dialects of providers that cannot be derived from the address. */
const SPOKEN: Readonly<Record<string, Spoken>> = { anthropic: "messages", google: "gemini" };

/** Providers that need a login to a cloud or to another program. */
const LOGINS: ReadonlySet<string> = new Set(["zed.dev", "copilot_chat", "bedrock"]);

function read(files: readonly FileRead[], { env }: Places, known: Known): Imported | null {
  const draft = new SetupBuilder(known);
  let isFound = false;
  for (const { path, data } of files) {
    // The rest of the file is about the editor.
    const models = readMembers(readMembers(data)["language_models"]);
    const fields = draft.fields.source(files.length > 1 ? path : "", { language_models: models });
    isFound ||= Object.keys(models).length > 0;
    for (const [id, value] of Object.entries(models)) {
      const own = fields.below(["language_models", id]);
      if (Object.hasOwn(COMPATIBLE, id))
        for (const [name, server] of Object.entries(readMembers(value)))
          readServer(draft, { name, id: name, server, spoken: COMPATIBLE[id] ?? null, fields: own.below([name]) }, env);
      else if (LOGINS.has(id)) own.left([], "login");
      else readServer(draft, { name: null, id, server: value, spoken: SPOKEN[id] ?? null, fields: own }, env);
    }
  }
  return isFound ? draft.done() : null;
}

interface Server {
  /** Name given by the user; null for a provider that Zed defines. */
  readonly name: string | null;
  readonly id: string;
  readonly server: unknown;
  readonly spoken: Spoken;
  readonly fields: SourceFields;
}

function readServer(draft: SetupBuilder, { name, id, server, spoken, fields }: Server, env: Places["env"]): void {
  const address = readText(readMembers(server)["api_url"]);
  const named = name === null ? namedProvider(id, draft.known) : null;
  const home =
    address !== null
      ? readHome(address, spoken, draft.known, [], spoken === "chat")
      : named === null || named.baseUrl === null
        ? { reason: "unknown-provider" as const }
        : { provider: named.provider.id, baseUrl: named.baseUrl, changed: false };
  if ("reason" in home) {
    fields.left([], home.reason);
    return;
  }
  // Zed makes the variable's name of the provider's: letters, digits and underscores.
  const key = variable(env, `${id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}_API_KEY`);
  const isLocal = home.baseUrl !== undefined && /^https?:\/\/(localhost|127\.|\[::1\])/.test(home.baseUrl);
  // Without an address it only has models that Zed shows.
  if (address === null && key === null) {
    fields.left([], "secret-missing");
    return;
  }
  const connection = draft.connection({
    name: name ?? named?.label ?? id,
    home,
    keys: key === null ? [] : [key],
  });
  const becomes = `connection "${connection.name}"`;
  if (address !== null) {
    if (key === null && !isLocal) fields.noteChange(["api_url"], becomes, "secret-missing");
    else fields.endpoint(["api_url"], becomes, home);
  }
  for (const [index] of readItems(readMembers(server)["available_models"]).entries())
    fields.left(["available_models", index], "default");
}
