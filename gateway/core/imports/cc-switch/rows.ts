import type { SourceFields } from "../fields.ts";
import type { Row } from "../importer.ts";
import { readJson } from "../documents.ts";
import { isOn, itemsOf, membersOf, numberOf, textOf } from "../values.ts";

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
export function orderOf(index: unknown): number {
  return numberOf(index) ?? 999_999;
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
    const app = textOf(row["app_type"]);
    const id = textOf(row["id"]);
    if (app === null || id === null) return [];
    const used = current.get(app);
    return [
      {
        id,
        app,
        name: textOf(row["name"]) ?? "",
        settings: row["settings_config"],
        meta: membersOf(row["meta"]),
        category: textOf(row["category"]),
        isCurrent: used === undefined ? isOn(row["is_current"]) : used === id,
        inQueue: isOn(row["in_failover_queue"]),
        order: orderOf(row["sort_index"]),
        fields: fields.below([index]),
      },
    ];
  });
}

/** Reads the rows of `config.json`, which versions before 3.8 kept: by app `{providers: {id: …}, current}`. */
export function fileRows(data: Members, fields: SourceFields): readonly ProviderRow[] {
  return Object.entries(data).flatMap(([app, manager]) => {
    const { providers, current } = membersOf(manager);
    return Object.entries(membersOf(providers)).map(([id, value]): ProviderRow => {
      const provider = membersOf(value);
      return {
        id,
        app,
        name: textOf(provider["name"]) ?? "",
        settings: provider["settingsConfig"],
        meta: membersOf(provider["meta"]),
        category: textOf(provider["category"]),
        isCurrent: current === id,
        inQueue: provider["inFailoverQueue"] === true,
        order: orderOf(provider["sortIndex"]),
        fields: fields.below([app, "providers", id]),
      };
    });
  });
}

const LOGINS: ReadonlySet<unknown> = new Set(["github_copilot", "codex_oauth", "xai_oauth"]);

/** Whether a row stands for a login of the app itself or an account that cc-switch has signed in to. */
export function isLogin({ settings, meta, category, id }: ProviderRow): boolean {
  const auth = membersOf(membersOf(settings)["auth"]);
  const hasTokens = Object.keys(membersOf(auth["tokens"])).length > 0 && textOf(auth["OPENAI_API_KEY"]) === null;
  return (
    category === "official" ||
    /^(claude|claude-desktop|codex|gemini|grokbuild)-official$/.test(id) ||
    LOGINS.has(meta["providerType"]) ||
    membersOf(meta["authBinding"])["source"] === "managed_account" ||
    hasTokens
  );
}

/** Reads this machine's providers by app: `currentProviderClaude` of `settings.json`. */
export function currentIn(settings: Members): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(CURRENT).flatMap(([name, app]) => {
      const id = textOf(settings[name]);
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
  for (const id of Object.keys(membersOf(value))) {
    const apps = rows.filter((row) => row.id === `universal-${row.app}-${id}`).map(({ app }) => app);
    if (apps.length > 0) fields.taken([id], `providers of ${apps.join(", ")}`);
    else fields.left([id], "unused");
  }
}

/** Apps in which cc-switch fails over by itself (`proxy_config.auto_failover_enabled`). */
export function failingOver(rows: unknown): ReadonlySet<string> {
  return new Set(
    itemsOf(rows).flatMap((row) => {
      const { app_type: app, auto_failover_enabled: on } = membersOf(row);
      return typeof app === "string" && isOn(on) ? [app] : [];
    }),
  );
}
