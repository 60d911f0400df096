import { getAppName } from "../../contract/apps.ts";
import type { RemoveBudget } from "../../contract/budgets.ts";
import { DEFAULT_PRIORITY } from "../../contract/connection.ts";
import type { Setup } from "../../contract/setup.ts";
import type { SetupChange, SetupKind } from "../../contract/setup-operations.ts";
import { redact, secretHint } from "../../lib/redact.ts";
import { same } from "./same.ts";

/** Max characters shown of a value. */
const LONGEST_TEXT = 300;

/** Fields whose values are secrets, by kind. */
const SECRET_FIELDS: Readonly<Partial<Record<SetupKind, readonly string[]>>> = {
  connection: ["keys", "headers"],
  search_key: ["key"],
  webhook_secret: ["secret"],
  telemetry_headers: ["headers"],
};

/** Fields of a local key that are not shown: its name is enough for people. */
const UNSHOWN_FIELDS: readonly string[] = ["sha256", "secret", "hint"];

/** Default fields of a new record. */
const USUAL: Readonly<Partial<Record<SetupKind, Fields>>> = {
  connection: {
    priority: DEFAULT_PRIORITY,
    enabled: true,
    allow_http: false,
    stands_in: true,
    prompt_caching: false,
    proxy: "default",
    models: [],
    headers: "",
    body: {},
    rpm: null,
    concurrency: null,
    credit_notice: null,
  },
  key: { reset: "never", disabled: false },
  route: { order: "listed", sticky: false, enabled: true },
};

type Fields = Readonly<Record<string, unknown>>;

interface Item {
  readonly name: string;
  readonly fields: Fields;
}

/** Records of a kind, keyed by their identity. */
type Items = ReadonlyMap<string, Item>;

/**
 * Returns the differences between two complete set-ups, in the order of the second, removed records at the end of their
 * kind. Default fields of new records are left out. Values are shortened, and secrets are masked.
 */
export function diffSetups(before: Setup, after: Setup): readonly SetupChange[] {
  const [earlier, later] = [getItems(before), getItems(after)];
  return (Object.keys(later) as SetupKind[]).flatMap((kind) => diffItems(kind, earlier[kind], later[kind]));
}

function getItems(setup: Setup): Readonly<Record<SetupKind, Items>> {
  const { connections = [], keys = [], routes = [], budgets = [], metrics_key: metricsKey } = setup;
  const { webhook_secret: secret, telemetry_headers: headers } = setup;
  return {
    connection: new Map(connections.map((one) => [one.name.toLowerCase(), item(one.name, one)])),
    key: new Map(keys.map((one) => [one.sha256 ?? one.name, item(one.name, one)])),
    route: new Map(routes.map((one) => [one.name, item(one.name, one)])),
    alias: mapItems(setup.aliases, (model) => ({ model })),
    price: mapItems(setup.prices, (rates) => rates),
    budget: new Map(
      budgets.map((one) => [budgetName(one), { name: budgetName(one), fields: { limit_usd: one.limit_usd } }]),
    ),
    setting: mapItems(setup.settings, (value) => ({ value })),
    search_key: mapItems(setup.search_keys, (key) => ({ key })),
    webhook_secret: single(secret, { secret }),
    telemetry_headers: single(headers, { headers }),
    metrics_key: single(metricsKey, { key: metricsKey?.hint ?? metricsKey?.sha256 }),
  };
}

/** Returns the items of a kind with at most one record. */
const single = (there: unknown, fields: Fields): Items =>
  there === undefined ? new Map() : new Map([["", { name: "", fields }]]);

/** `daily client claude-*` */
export const budgetName = ({ scope: { kind, name }, reset }: RemoveBudget): string =>
  `${reset} ${kind} ${kind === "client" ? getAppName(name) : name}`;

const item = (name: string, { name: _known, ...fields }: Fields): Item => ({ name, fields });

function mapItems<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  fieldsOf: (value: Value) => Fields,
): Items {
  return new Map(Object.entries(record ?? {}).map(([name, value]) => [name, { name, fields: fieldsOf(value) }]));
}

function diffItems(kind: SetupKind, before: Items, after: Items): readonly SetupChange[] {
  const there = [...after].flatMap(([id, { name, fields }]): SetupChange[] => {
    const earlier = before.get(id);
    if (earlier === undefined)
      return [{ kind, name, action: "add", fields: getFields(kind, {}, unusual(kind, fields)) }];
    const renamed = { name: earlier.name };
    const changes = getFields(kind, { ...renamed, ...earlier.fields }, { name, ...fields });
    return changes.length === 0 ? [] : [{ kind, name: earlier.name, action: "change", fields: changes }];
  });
  const gone = [...before].flatMap(([id, { name, fields }]): SetupChange[] =>
    after.has(id) ? [] : [{ kind, name, action: "remove", fields: getFields(kind, fields, {}) }],
  );
  return [...there, ...gone];
}

const unusual = (kind: SetupKind, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => USUAL[kind]?.[name] !== value));

function getFields(kind: SetupKind, before: Fields, after: Fields): SetupChange["fields"] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return names.flatMap((field) => {
    const [was, is] = [before[field], after[field]];
    if (UNSHOWN_FIELDS.includes(field) && kind === "key") return [];
    if (same(was, is) || (saysNothing(was) && saysNothing(is))) return [];
    const isSecret = SECRET_FIELDS[kind]?.includes(field) === true;
    return [{ field, before: shown(was, isSecret), after: shown(is, isSecret) }];
  });
}

const saysNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

function shown(value: unknown, isSecret: boolean): string | null {
  if (saysNothing(value)) return null;
  if (isSecret)
    return [value]
      .flat()
      .map((secret) => secretHint(String(secret)))
      .join(", ");
  const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
  const text = typeof value === "string" ? value : isList ? value.join(", ") : JSON.stringify(value);
  return redact(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);
}
