import { parseDotenv } from "../../lib/dotenv.ts";
import { readHome } from "./addresses.ts";
import type { Home } from "./addresses.ts";
import { SetupBuilder } from "./setup-builder.ts";
import type { SourceFields } from "./fields.ts";
import type { FileRead, RequestedFile, Imported, Importer, Places } from "./importer.ts";
import type { Known } from "./known.ts";
import { chooseName, namedProvider } from "./named-provider.ts";
import { variable } from "./references.ts";
import { readItems, readMembers, readText } from "./values.ts";

/**
 * Continue: `config.yaml` with `models[]` of `provider`, `model`, `apiBase`, `apiKey`; earlier, `config.json` with
 * `title` instead of `name`, and two models outside the list. Secrets may be in the adjacent `.env`, as `${{
 * secrets.NAME }}` (https://docs.continue.dev/reference, https://docs.continue.dev/reference/json-reference, read
 * 2026-11-24).
 */
export const continueImporter: Importer = { id: "continue", label: "Continue", files: readFiles, read };

const YAML = "config.yaml";
const JSON_FILE = "config.json";
const SECRETS = ".env";

/** Continue takes the first of the two that is there. */
function readFiles({ home, env, folder }: Places): readonly RequestedFile[] {
  const at = folder ?? env["CONTINUE_GLOBAL_DIR"] ?? `${home}/.continue`;
  return [YAML, JSON_FILE, SECRETS].map((name) => ({ path: `${at}/${name}` }));
}

/** `${{ secrets.NAME }}`, with or without a dot, and the older `${{ inputs.NAME }}`. */
const SECRET = /^\$\{\{\s*(?:secrets|inputs|env)\.(\w+)\s*\}\}$/;

/** How Continue calls a provider at an address of the user's. */
const DIALECTS: Readonly<Record<string, "messages" | "gemini">> = { anthropic: "messages", gemini: "gemini" };

type Env = Readonly<Record<string, string | undefined>>;

function read(files: readonly FileRead[], { env }: Places, known: Known): Imported | null {
  const draft = new SetupBuilder(known);
  const config = files.find(({ path }) => !path.endsWith(SECRETS));
  if (config === undefined) return null;
  const secrets = parseDotenv(files.find(({ path }) => path.endsWith(SECRETS))?.text ?? "");
  for (const value of Object.values(secrets)) draft.fields.secret(value);
  const { data } = config;
  const fields = draft.fields.source("", data);
  const older = files.find((file) => file !== config && file.path.endsWith(JSON_FILE));
  // If both files exist, Continue only reads the newer format.
  if (older !== undefined) draft.fields.source(JSON_FILE, older.data).left([], "unused");

  const models = [
    ...readItems(readMembers(data)["models"]).map((model, index) => ({ model, path: ["models", index] })),
    ...["tabAutocompleteModel", "embeddingsProvider", "reranker"].map((name) => ({
      model: readMembers(data)[name],
      path: [name],
    })),
  ];
  const connections = new Connections(draft, { ...env, ...secrets });
  for (const { model, path } of models)
    if (readMembers(model)["provider"] !== undefined) connections.add(readMembers(model), fields.below(path));
  connections.connect();
  return connections.isFound ? draft.done() : null;
}

interface Entry {
  readonly label: string;
  readonly home: Home;
  readonly keys: Set<string>;
  readonly marks: {
    readonly fields: SourceFields;
    readonly key: boolean;
    readonly model: Readonly<Record<string, unknown>>;
  }[];
}

/** Continue sets the address per model; models at the same address become one connection. */
class Connections {
  readonly #draft: SetupBuilder;
  readonly #env: Env;
  readonly #entries = new Map<string, Entry>();
  /** Whether any model was added, also of an unknown provider. */
  isFound = false;

  constructor(draft: SetupBuilder, env: Env) {
    this.#draft = draft;
    this.#env = env;
  }

  add(model: Readonly<Record<string, unknown>>, fields: SourceFields): void {
    this.isFound = true;
    const { known } = this.#draft;
    const name = readText(model["provider"]) ?? "";
    const address = readText(model["apiBase"]);
    const named = namedProvider(name, known);
    const home =
      address !== null
        ? readHome(address, DIALECTS[name] ?? null, known, [], name === "openai")
        : named === null || named.baseUrl === null
          ? { reason: "unknown-provider" as const }
          : { provider: named.provider.id, baseUrl: named.baseUrl, changed: false };
    const written = readText(model["apiKey"]);
    if (written !== null && SECRET.exec(written) === null) fields.secret(written);
    if ("reason" in home) {
      fields.left([], home.reason);
      return;
    }
    const id = `${home.provider} ${home.baseUrl ?? ""}`;
    const entry = this.#entries.get(id) ?? {
      label: chooseName(home, named?.label ?? name, known),
      home,
      keys: new Set(),
      marks: [],
    };
    this.#entries.set(id, entry);
    const key = written === null ? null : this.#readKey(written);
    if (key !== null) entry.keys.add(key);
    else if (written !== null) fields.left(["apiKey"], "secret-missing");
    entry.marks.push({ fields, key: key !== null, model });
  }

  /** Makes the connections of all that was added. */
  connect(): void {
    for (const { label, home, keys, marks } of this.#entries.values()) {
      const connection = this.#draft.connection({
        name: label,
        home,
        keys: [...keys],
      });
      const becomes = `connection "${connection.name}"`;
      for (const { fields, key, model } of marks) {
        fields.recordTaken(["provider"], becomes);
        if (key) fields.recordTaken(["apiKey"], becomes);
        if (model["apiBase"] !== undefined) {
          fields.endpoint(["apiBase"], becomes, home);
        }
        // Every model of a connection can be called.
        if (model["model"] !== undefined) fields.left(["model"], "default");
      }
    }
  }

  /** Null if it is not in the files. */
  #readKey(written: string): string | null {
    const named = SECRET.exec(written)?.[1];
    return named === undefined ? written : variable(this.#env, named);
  }
}
