import type { ImportedField } from "../../contract/imports.ts";
import { getSlug } from "../models/model-id.ts";
import type { SetupConflict } from "../../contract/setup-operations.ts";

/** The names and conflicts of a plan. */
export interface Settled {
  readonly conflicts: readonly Pick<SetupConflict, "kind" | "name">[];
  /** Returns the names of connections and models after the import. */
  readonly nameConnection: (name: string) => string;
  readonly nameModel: (id: string) => string;
  /** The base URLs of connections by those names. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** Record names in a field's target: `limit of key "a"`, `price of "b"`. */
const RECORD = /\b(connection|key|route|alias|model|price of|search service|search key) "([^"]*)"/g;
const KINDS: Readonly<Record<string, SetupConflict["kind"]>> = {
  "price of": "price",
  "search service": "search_key",
  "search key": "search_key",
};

/** Names of fields that change responses, money or access. */
const WEIGHTY =
  /budget|limit|cost|pric|spend|[rt]p[md]|key|token|auth|header|credential|secret|permission|allow|team|customer|role|body|param|reason|effort|think|temperature|top_p|stop|system|prompt|guard|mock|fallback|transformer|rout|rule|order|weight|url|base|endpoint/i;
/** Names of fields that only group other fields. */
const CONTAINERS = /^(model_list|litellm_params|model_info|\w+_settings|providers?|models?|options|governance)$/i;

/** Returns the fields with their outcome in a plan; changed ones that users should notice come first. */
export function settleFields(fields: readonly ImportedField[], settled: Settled): readonly ImportedField[] {
  const all = fields.map((field) => settleField(field, settled));
  return [...all.filter(isWeighty), ...all.filter((field) => !isWeighty(field))];
}

function settleField(
  field: ImportedField,
  { conflicts, nameConnection, nameModel, addresses }: Settled,
): ImportedField {
  if (field.becomes === undefined) return field;
  let isLeft = false;
  let address = "";
  const becomes = field.becomes.replace(RECORD, (whole, what: string, given: string) => {
    const kind = KINDS[what] ?? what;
    const isModel = kind === "model" || kind === "price";
    const name = kind === "connection" ? nameConnection(given) : isModel ? nameModel(given) : given;
    isLeft ||= conflicts.some((one) => one.kind === kind && (one.name === name || one.name === given));
    if (kind === "connection" && field.reason === "endpoint")
      address = ` at ${addresses.get(name) ?? "its own address"}`;
    return whole.replace(`"${given}"`, () => `"${name}"`) + address;
  });
  isLeft ||= conflicts.some(({ kind, name }) => kind === "connection" && becomes.includes(` ${getSlug(name)}/`));
  if (!isLeft) return { ...field, becomes };
  const { becomes: _none, ...left } = field;
  return { ...left, fate: "left", reason: "refused" };
}

function isWeighty({ field, fate, reason }: ImportedField): boolean {
  if (fate === "taken" || reason === "default") return false;
  if (reason === "unreadable" || reason === "refused" || field.endsWith("]")) return true;
  return field.split(/[.[\]]+/).some((part) => !CONTAINERS.test(part) && WEIGHTY.test(part));
}
