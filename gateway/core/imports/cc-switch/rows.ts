import type { SourceFields } from "../fields.ts";
import type { Row } from "../importer.ts";
import { readJson } from "../documents.ts";
import { isOn, readItems, readMembers, readNumber, readText } from "../values.ts";

type Members = Readonly<Record<string, unknown>>;

/** A provider of one app, from the database, the file of earlier versions, or a link. */
export interface ProviderRow {
  readonly id: string;
  readonly app: string;
  readonly name: string;
  readonly settings: unknown;
  readonly meta: Members;
  readonly category: string | null;
  readonly isCurrent: boolean;
  readonly inQueue: boolean;
  readonly order: number;
  /** Fields of the row, whose `settings_config` has the app's configuration. */
  readonly fields: SourceFields;
}

/** Parses a column with JSON; returns other text unchanged. */
export function parsedColumn(value: Row[string] | undefined): unknown {
  return typeof value === "string" ? (readJson(value) ?? value) : value;
}

/** Returns the provider's position as in cc-switch: `sort_index`, those without it last. */
export function readOrder(index: unknown): number {
  return readNumber(index) ?? 999_999;
}

/**
 * Rows of the table `providers`, with JSON columns parsed.
 * @param current by app, what this machine uses (`settings.json`), which goes before the table
 */
export function tableRows(
  rows: readonly Members[],
  fields: SourceFields,
  current: ReadonlyMap<string, string>,
): readonly ProviderRow[] {
  return rows.flatMap((row, index): readonly ProviderRow[] => {
    const app = readText(row["app_type"]);
    const id = readText(row["id"]);
    if (app === null || id === null) return [];
    const used = current.get(app);
    return [
      {
        id,
        app,
        name: readText(row["name"]) ?? "",
        settings: row["settings_config"],
        meta: readMembers(row["meta"]),
        category: readText(row["category"]),
        isCurrent: used === undefined ? isOn(row["is_current"]) : used === id,
        inQueue: isOn(row["in_failover_queue"]),
        order: readOrder(row["sort_index"]),
        fields: fields.below([index]),
      },
    ];
  });
}

/** Reads the rows of `config.json` of versions before 3.8: by app `{providers: {id: …}, current}`. */
export function fileRows(data: Members, fields: SourceFields): readonly ProviderRow[] {
  return Object.entries(data).flatMap(([app, manager]) => {
    const { providers, current } = readMembers(manager);
    return Object.entries(readMembers(providers)).map(([id, value]): ProviderRow => {
      const provider = readMembers(value);
      return {
        id,
        app,
        name: readText(provider["name"]) ?? "",
        settings: provider["settingsConfig"],
        meta: readMembers(provider["meta"]),
        category: readText(provider["category"]),
        isCurrent: current === id,
        inQueue: provider["inFailoverQueue"] === true,
        order: readOrder(provider["sortIndex"]),
        fields: fields.below([app, "providers", id]),
      };
    });
  });
}

const LOGINS: ReadonlySet<unknown> = new Set(["github_copilot", "codex_oauth", "xai_oauth"]);

/** Whether a row stands for a login of the app itself or an account that cc-switch has signed in to. */
export function isLogin({ settings, meta, category, id }: ProviderRow): boolean {
  const auth = readMembers(readMembers(settings)["auth"]);
  const hasTokens = Object.keys(readMembers(auth["tokens"])).length > 0 && readText(auth["OPENAI_API_KEY"]) === null;
  return (
    category === "official" ||
    /^(claude|claude-desktop|codex|gemini|grokbuild)-official$/.test(id) ||
    LOGINS.has(meta["providerType"]) ||
    readMembers(meta["authBinding"])["source"] === "managed_account" ||
    hasTokens
  );
}

/** Reads this machine's providers by app: `currentProviderClaude` of `settings.json`. */
export function findCurrent(settings: Members): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(CURRENT).flatMap(([name, app]) => {
      const id = readText(settings[name]);
      return id === null ? [] : [[app, id]];
    }),
  );
}

const CURRENT = {
  currentProviderClaude: "claude",
  currentProviderClaudeDesktop: "claude-desktop",
  currentProviderCodex: "codex",
  currentProviderGemini: "gemini",
  currentProviderGrokbuild: "grokbuild",
} as const;

/**
 * Providers that several apps share (`settings['universal_providers']`): cc-switch writes a row of its own for each app
 * (`universal-claude-…`), which are read instead.
 */
export function markUniversal(value: unknown, fields: SourceFields, rows: readonly ProviderRow[]): void {
  for (const id of Object.keys(readMembers(value))) {
    const apps = rows.filter((row) => row.id === `universal-${row.app}-${id}`).map(({ app }) => app);
    if (apps.length > 0) fields.recordTaken([id], `providers of ${apps.join(", ")}`);
    else fields.left([id], "unused");
  }
}

/** Apps in which cc-switch fails over by itself (`proxy_config.auto_failover_enabled`). */
export function failingOver(rows: unknown): ReadonlySet<string> {
  return new Set(
    readItems(rows).flatMap((row) => {
      const { app_type: app, auto_failover_enabled: on } = readMembers(row);
      return typeof app === "string" && isOn(on) ? [app] : [];
    }),
  );
}
