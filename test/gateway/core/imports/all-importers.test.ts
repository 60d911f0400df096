import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importerIds } from "../../../../gateway/contract/imports.ts";
import { importedFieldSchema } from "../../../../gateway/contract/imports.ts";
import { setupSchema } from "../../../../gateway/contract/setup.ts";
import { allImporters } from "../../../../gateway/core/imports/all-importers.ts";
import { PASTED } from "../../../../gateway/core/imports/importer.ts";
import type { FileRead, RequestedFile, Importer, Row } from "../../../../gateway/core/imports/importer.ts";
import { readAll } from "./read-database.ts";
import { textFile } from "./text-file.ts";
import { places } from "./read-files.ts";

/** Names that the programs use, so that what is made up looks like theirs. */
const NAMES = [
  "Providers", "providers", "name", "api_base_url", "api_key", "baseUrl", "models", "transformer", "use", "Router",
  "default", "background", "think", "longContext", "fallback", "rules", "condition", "left", "operator", "right",
  "rewrites", "key", "value", "settings_config", "env", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_MODEL",
  "config", "auth", "OPENAI_API_KEY", "meta", "apiFormat", "model_list", "model_name", "litellm_params", "model",
  "api_base", "model_info", "input_cost_per_token", "litellm_settings", "fallbacks", "router_settings",
  "model_group_alias", "general_settings", "master_key", "providerConnections", "provider", "authType", "apiKey",
  "combos", "modelAliases", "apiKeys", "pricing", "profile", "profiles", "agent", "include", "__proto__", "constructor",
  "toString", "credentials", "capabilities", "type", "enabled", "id", "app_type", "data", "prefix", "api-keys",
  "openai-compatibility", "governance", "virtual_keys", "language_models", "api_url", "options", "apiBase",
] as const; // prettier-ignore

const SECRET = "sk-live-secret-0123456789abcdef";

const TEXTS = [
  "https://relay.example/v1/chat/completions", "http://127.0.0.1:3456", SECRET, "$MISSING",
  "os.environ/MISSING", "deepseek,deepseek-chat", "relay/model", "apikey", "claude", "codex", "openai/gpt-5", "==",
  "request.body.model", "PROXY_MANAGED", "", " ", "enc:v1:00:00:00", "{", "model = 'x'", "https://[", "\u0000",
] as const; // prettier-ignore

const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NAMES) }, fc.string({ maxLength: 8 }));
const leaf = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ maxLength: 30 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);

const { document } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 6, depthSize: "medium" },
    leaf,
    fc.array(tie("document"), { maxLength: 4 }),
    fc.dictionary(name, tie("document"), { maxKeys: 6, noNullPrototype: true }),
  ),
}));

const cell: fc.Arbitrary<Row[string]> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.uint8Array({ maxLength: 20 }),
  fc.constant(null),
  document.map((data) => JSON.stringify(data)),
);

const COLUMNS = [
  "id", "app_type", "name", "settings_config", "meta", "is_current", "in_failover_queue", "sort_index", "key", "value",
  "value_json", "encrypted_key", "encryption", "limits_json", "expires_at", "source_kind", "content", "archived_at",
  "provider", "authType", "auth_type", "api_key", "data", "models", "is_active", "isActive", "priority", "scope",
  "namespace", "prefix", "base_url", "baseUrl", "type", "api_type", "allowed_models", "daily_limit_usd", "__proto__",
] as const; // prettier-ignore

const row = fc.dictionary(fc.constantFrom(...COLUMNS), cell, {
  maxKeys: 10,
  noNullPrototype: true,
}) as fc.Arbitrary<Row>;

const filesOf = (importer: Importer): readonly RequestedFile[] => importer.files(places());

/** Each file that an importer wants, there or not, with anything in it. */
function anyFiles(importer: Importer): fc.Arbitrary<readonly FileRead[]> {
  const expected = filesOf(importer).map(({ path, tables }) => {
    const file: fc.Arbitrary<FileRead> =
      tables === undefined
        ? fc
            .oneof(
              document.map((data) => JSON.stringify(data)),
              fc.string(),
            )
            .map((text) => textFile(path, text))
        : fc.tuple(...tables.map(() => fc.array(row, { maxLength: 4 }))).map((rows) => ({
            path,
            text: "",
            tables: Object.fromEntries(tables.map((table, index) => [table, rows[index] ?? []])),
            otherTables: { usage_log: 3 },
          }));
    return fc.option(file, { nil: null, freq: 5 });
  });
  const pasted = fc
    .oneof(
      document.map((data) => JSON.stringify(data)),
      fc.string(),
      link,
    )
    .map((text) => [textFile(PASTED, text)]);
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(...expected).map((files) => files.filter((file) => file !== null)) },
    { weight: 1, arbitrary: pasted },
  );
}

const link = fc
  .dictionary(fc.constantFrom("resource", "app", "name", "endpoint", "apiKey", "model", "config"), leaf.map(String))
  .map((given) => `ccswitch://v1/import?${new URLSearchParams(given).toString()}`);

describe.each(allImporters.map((importer) => [importer.id, importer] as const))("%s", (_id, importer) => {
  it("never throws, and makes nothing that the contract does not take", () => {
    fc.assert(
      fc.property(anyFiles(importer), (files) => {
        const imported = readAll(importer, files);
        if (imported === null) return;
        expect(setupSchema.safeParse(imported.setup).error?.issues ?? []).toEqual([]);
        for (const field of imported.fields) expect(importedFieldSchema.safeParse(field).success).toBe(true);
        expect(JSON.stringify(imported.fields)).not.toContain(SECRET);
      }),
      { numRuns: 150 },
    );
  });

  it("makes the same of the same, whatever the order of what it was asked before", () => {
    fc.assert(
      fc.property(anyFiles(importer), (files) => {
        expect(readAll(importer, files)).toEqual(readAll(importer, files));
      }),
      { numRuns: 20 },
    );
  });

  it("says which further files it wants without throwing", () => {
    fc.assert(
      fc.property(anyFiles(importer), (files) => {
        for (const { path } of importer.more?.(files, places()) ?? []) expect(path).not.toBe("");
      }),
      { numRuns: 50 },
    );
  });

  it("looks in the folder that the owner names, and nowhere else then", () => {
    const expected = importer.files(places({ folder: "/somewhere" }));
    expect(expected.length).toBeGreaterThan(0);
    for (const { path } of expected) expect(path.startsWith("/somewhere/")).toBe(true);
  });

  it("finds its files below the home folder on every system", () => {
    for (const platform of ["linux", "darwin", "win32"] as const) {
      const home = platform === "win32" ? "C:\\Users\\ada" : "/home/ada";
      expect(importer.files(places({ platform, home })).some(({ path }) => path.startsWith(home))).toBe(true);
    }
  });
});

/** Names of all leaves, as fields have them; what is null says nothing. */
function leavesOf(data: unknown, field = ""): readonly string[] {
  if (data === null) return [];
  const members = Array.isArray(data)
    ? data.map((item: unknown, index) => [`${field}[${index}]`, item] as const)
    : typeof data === "object"
      ? Object.entries(data).map(([member, item]) => [memberName(field, member), item as unknown] as const)
      : [];
  return members.length === 0 ? [field] : members.flatMap(([next, item]) => leavesOf(item, next));
}

const memberName = (field: string, member: string): string =>
  /^[\w$-]+$/.test(member) ? (field === "" ? member : `${field}.${member}`) : `${field}[${JSON.stringify(member)}]`;

describe("every leaf of a file", () => {
  it.each([
    ["claude-code-router", "config.json", "Router"],
    ["litellm", "config.yaml", "litellm_settings"],
    ["9router", "db.json", "providerConnections"],
  ] as const)("of %s is among the fields, or a part that holds it", (id, file, section) => {
    const importer = allImporters.find((each) => each.id === id);
    const isSafe = (text: string): boolean => !text.includes("sk-") && text.length < 50;
    const plain = fc.constantFrom(...NAMES);
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.oneof(fc.string({ maxLength: 10 }).filter(isSafe), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(plain, tie("tree"), { maxKeys: 5, noNullPrototype: true }),
      ),
    }));
    const whole = fc.dictionary(plain, tree, { maxKeys: 6, noNullPrototype: true });
    fc.assert(
      fc.property(whole, (data) => {
        const text = JSON.stringify({ ...data, [section]: { default: "a,b" } });
        const imported = importer === undefined ? null : readAll(importer, [textFile(`/home/ada/${file}`, text)]);
        expect(imported).not.toBeNull();
        const reports = (imported?.fields ?? []).map(({ field }) => field);
        const missing = leavesOf(JSON.parse(text)).filter(
          (leafName) =>
            !reports.some(
              (field) => leafName === field || leafName.startsWith(`${field}.`) || leafName.startsWith(`${field}[`),
            ),
        );
        expect(missing).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("all importers", () => {
  it("are those that the contract names", () => {
    expect(allImporters.map(({ id }) => id).toSorted()).toEqual([...importerIds].toSorted());
  });
});
