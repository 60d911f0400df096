import type { SourceFields } from "../fields.ts";
import type { SetupBuilder } from "../setup-builder.ts";
import type { Row } from "../importer.ts";
import { resolveReferences } from "../references.ts";
import { isRecord } from "../../../lib/records.ts";
import { readJson } from "../documents.ts";
import { firstText, readItems, readMembers, readNumber, readText } from "../values.ts";
import type { Config } from "./config.ts";

const NAME = "Claude Code Router";

/** `APIKEY`, with which clients of versions 1 and 2 call the router, and `APIKEYS` of early ones of version 3. */
export function readLocalKeys(
  draft: SetupBuilder,
  { data, fields, isFile }: Config,
  env: Parameters<typeof resolveReferences>[1],
): void {
  const add = (text: string | null, name: string, path: readonly (string | number)[]): void => {
    if (text === null) return;
    const key = isFile ? resolveReferences(text, env, true) : { value: text };
    mark(fields, path, "value" in key ? draft.localKey(key.value, { name }) : key);
  };
  add(readText(data["APIKEY"]), NAME, ["APIKEY"]);
  for (const [index, item] of readItems(data["APIKEYS"]).entries()) {
    const entry = isRecord(item) ? firstText(item, ["key", "value", "APIKEY"]) : null;
    const path = entry === null ? ["APIKEYS", index] : ["APIKEYS", index, entry.name];
    add(entry?.text ?? readText(item), readText(readMembers(item)["name"]) ?? NAME, path);
  }
}

/**
 * `api_keys` of version 3: `encrypted_key` in the clear (`encryption` is `plain`), `expires_at`, `limits_json` of which
 * Postern has requests per minute.
 */
export function readKeyRows(draft: SetupBuilder, rows: readonly Row[], fields: SourceFields): void {
  for (const [index, row] of rows.entries()) {
    const secret = readText(row["encrypted_key"]);
    if (secret === null) continue;
    if (row["encryption"] !== "plain") {
      fields.left([index], "secret-missing");
      continue;
    }
    const name = readText(row["name"]) ?? NAME;
    const written = readText(row["limits_json"]);
    const read = written === null ? {} : readJson(written);
    const limits = readMembers(read);
    const rpm = readNumber(limits["rpm"]);
    const until = readText(row["expires_at"]);
    const expires = Date.parse(until ?? "");
    const hasRpm = rpm !== null && rpm >= 1 && rpm <= 1_000_000;
    // A key that is limited otherwise would be limited less here.
    if (
      !isRecord(read) ||
      (until !== null && Number.isNaN(expires)) ||
      Object.entries(limits).some(([limit, most]) => most !== null && (limit !== "rpm" || !hasRpm))
    ) {
      fields.secret(secret);
      fields.left([index], "not-supported");
      continue;
    }
    const added = draft.localKey(secret, {
      name,
      ...(hasRpm ? { rpm: Math.floor(rpm) } : {}),
      ...(expires > 0 ? { expires_at: expires } : {}),
    });
    mark(fields, [index], added);
  }
}

function mark(
  fields: SourceFields,
  path: readonly (string | number)[],
  added: ReturnType<SetupBuilder["localKey"]> | { readonly reason: "secret-missing" },
): void {
  if ("reason" in added) fields.left(path, added.reason);
  else fields.recordTaken(path, `key "${added.name}"`);
}
