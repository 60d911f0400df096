import type { ImportedField } from "../../gateway/contract/imports.ts";
import type { FieldReason } from "../../gateway/contract/imports.ts";
import type {
  SetupChange,
  SetupConflict,
  SetupKeyTest,
  SetupRead,
  SetupResult,
} from "../../gateway/contract/setup-operations.ts";
import { table } from "./table.ts";

/** Texts about changes of a whole set-up, for `postern config` and `postern import`. */

const SIGNS = { add: "+", change: "~", remove: "-" } as const;

const chooseTitle = (kind: string, name: string): string => {
  const words = kind.replaceAll("_", " ");
  return name === "" ? words : `${words} "${name}"`;
};

/** A line each record, with what changes of it below. */
export function changesText(changes: readonly SetupChange[]): string {
  const blocks = changes.map(({ kind, name, action, fields }) => {
    const lines = fields.map(({ field, before, after }) =>
      action === "change"
        ? `    ${field}: ${before ?? "none"} -> ${after ?? "none"}`
        : `    ${field}: ${after ?? before}`,
    );
    return [`${SIGNS[action]} ${chooseTitle(kind, name)}`, ...(action === "remove" ? [] : lines)].join("\n");
  });
  return blocks.join("\n");
}

export function conflictsText(conflicts: readonly SetupConflict[]): string {
  const lines = conflicts.map(({ kind, name, message, takes_over: models }) => {
    const instead = models === undefined ? "" : ` --take-over ${name} sends it to ${models.join(", ")}.`;
    return `! ${chooseTitle(kind, name)}: ${message}${instead}`;
  });
  return lines.join("\n");
}

/** Lists the local values that a set-up reads, and where they would be sent. */
export function readsText(reads: readonly SetupRead[]): string {
  if (reads.length === 0) return "";
  const rows = reads.map(({ name, goes_to: place }) => `  ${name} -> ${place}`);
  return `Read from this machine, and where it goes:\n${rows.join("\n")}`;
}

export function clientsText(ids: readonly string[]): string {
  if (ids.length === 0) return "";
  const lines = ids.map((id) => `  postern clients connect ${id}`);
  return `Apps that are not connected here; connecting one writes its own files:\n${lines.join("\n")}`;
}

/** Reports what was applied and the result for each key. */
export function resultText({ applied, tests, created_keys: keys, unconnected_clients: clients }: SetupResult): string {
  const done =
    applied === null
      ? "Nothing had to be changed."
      : `Done: ${applied.records} ${applied.records === 1 ? "record" : "records"}. "postern import undo" takes it back.`;
  const made = keys.map(({ name, secret }) => `Key "${name}", shown only now: ${secret}`);
  return [[...tests.map(testLine), ...made].join("\n"), clientsText(clients), done]
    .filter((part) => part !== "")
    .join("\n");
}

function testLine({ connection, hint, ok, message, taken: isSaved }: SetupKeyTest): string {
  const fate = isSaved ? (ok ? "works" : "taken, not sure to work") : "not taken";
  return `Key ${hint} of ${connection}: ${fate}. ${message}`;
}

const REASONS: Readonly<Record<FieldReason, string>> = {
  "not-supported": "Postern has nothing like it",
  "own-address": "leads to that program or to Postern itself",
  login: "an account's login, which only that program may use",
  "secret-missing": "its secret is not in the files",
  "unknown-provider": "no address is known for it",
  endpoint: "a whole endpoint, where a base URL is needed",
  renamed: "the name is taken or not allowed here",
  unused: "nothing refers to it",
  unreadable: "cannot be read",
  refused: "left out, as said with the conflicts",
  weak: "short enough to be guessed",
  default: "what Postern does anyway",
};

/** A row for each field that was found, with what becomes of it. */
export function fieldsText(fields: readonly ImportedField[]): string {
  const rows = fields.map(({ field, value, fate, becomes, reason }) => [
    field,
    value,
    fate,
    [...(becomes === undefined ? [] : [becomes]), ...(reason === undefined ? [] : [REASONS[reason]])].join("; "),
  ]);
  return rows.length === 0 ? "" : table(["FIELD", "VALUE", "FATE", "HERE"], rows);
}

/** Joins parts by blank lines; empty ones are skipped. */
export const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
