/** A tool's JSON Schema as fields of a form, and what was typed as arguments. Pure. What is allowed beyond the kind of a value, the gateway says. */

type Schema = Readonly<Record<string, unknown>>;
type Kind = "string" | "number" | "integer" | "boolean" | "array" | "object";

export interface ToolField {
  readonly name: string;
  /**
   * `line` and `long` take text, `json` an array or object, `mixed` text or JSON, `choice` one of a few values,
   * `model` the id of a model.
   */
  readonly control: "line" | "long" | "number" | "integer" | "choice" | "json" | "mixed" | "model";
  readonly required: boolean;
  /** The schema's own words. */
  readonly help: string;
  readonly choices: readonly (string | number | boolean)[];
  /** What counts when nothing is given, as text. */
  readonly fallback: string | null;
  /** What values may be, for reading what was typed. */
  readonly kinds: readonly Kind[];
}

/** What is wrong with a field; `detail` is what the reader of JSON says. */
export interface FieldFault {
  readonly fault: "required" | "number" | "integer" | "array" | "object" | "json";
  readonly detail: string;
}

export type ReadForm =
  | { readonly ok: true; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly faults: Readonly<Record<string, FieldFault>> };

/** Texts that people write sentences into. */
const LONG_NAMES = /^(prompt|negative_prompt|instructions?|text|input|system|message|content|query)$/;

/**
 * The fields of a tool's arguments: the main ones first, each group in the schema's order.
 * @param hasModels whether its `model` is the id of a model
 */
export function fieldsOf(schema: Schema, hasModels: boolean): readonly ToolField[] {
  const required = new Set(Array.isArray(schema["required"]) ? (schema["required"] as string[]) : []);
  const fields = Object.entries(record(schema["properties"])).map(([name, property]) =>
    fieldOf(name, record(property), required.has(name), schema, hasModels),
  );
  return [...fields.filter(isMain), ...fields.filter((field) => !isMain(field))];
}

/** What is needed, and what one says: a prompt is often one of two ways to say it, and so not required. */
export function isMain({ name, required }: ToolField): boolean {
  return required || name === "prompt" || name === "input";
}

function fieldOf(name: string, property: Schema, required: boolean, root: Schema, hasModels: boolean): ToolField {
  const variants = variantsOf(property, root);
  const choices = choicesOf(variants);
  const kinds = [...new Set(variants.flatMap(kindsOf))];
  const fallback = property["default"];
  return {
    name,
    control: hasModels && name === "model" ? "model" : controlOf(name, kinds, choices),
    required,
    help: typeof property["description"] === "string" ? property["description"] : "",
    choices,
    fallback: fallback === undefined ? null : typeof fallback === "string" ? fallback : JSON.stringify(fallback),
    kinds,
  };
}

function controlOf(name: string, kinds: readonly Kind[], choices: ToolField["choices"]): ToolField["control"] {
  if (choices.length > 0) return "choice";
  const [only] = kinds;
  if (kinds.length !== 1 || only === undefined) return kinds.every(isNumber) && kinds.length > 0 ? "number" : "mixed";
  if (only === "number" || only === "integer") return only;
  if (only === "array" || only === "object") return "json";
  return LONG_NAMES.test(name) ? "long" : "line";
}

const isNumber = (kind: Kind): boolean => kind === "number" || kind === "integer";

/** The schemas that a value may follow, without null: leaving a field empty says that. */
function variantsOf(schema: Schema, root: Schema, depth = 0): readonly Schema[] {
  const reference = schema["$ref"];
  if (typeof reference === "string" && depth < 8) {
    const target = reference
      .replace(/^#\/?/, "")
      .split("/")
      .filter((part) => part !== "")
      .reduce<Schema>((at, part) => record(at[part]), root);
    return variantsOf(target, root, depth + 1);
  }
  const several = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(several)) return several.flatMap((each) => variantsOf(record(each), root, depth + 1));
  return schema["type"] === "null" ? [] : [schema];
}

/** The values of a field that has a few; none when any of its variants takes more. */
function choicesOf(variants: readonly Schema[]): ToolField["choices"] {
  const values = variants.map((variant) => {
    if (Array.isArray(variant["enum"])) return variant["enum"] as unknown[];
    if ("const" in variant) return [variant["const"]];
    return variant["type"] === "boolean" ? [true, false] : [];
  });
  if (values.some((each) => each.length === 0)) return [];
  return values
    .flat()
    .filter((each) => typeof each === "string" || typeof each === "number" || typeof each === "boolean");
}

function kindsOf(variant: Schema): Kind[] {
  const { type } = variant;
  if (typeof type === "string") return [type as Kind];
  if (Array.isArray(type)) return (type as (Kind | "null")[]).filter((each) => each !== "null");
  return ["string", "number", "boolean", "array", "object"];
}

/** What was typed, as arguments. Fields that were left empty are left out. */
export function readForm(fields: readonly ToolField[], typed: Readonly<Record<string, string>>): ReadForm {
  const given: Record<string, unknown> = {};
  const faults: Record<string, FieldFault> = {};
  for (const field of fields) {
    const text = typed[field.name] ?? "";
    if (text.trim() === "") {
      if (field.required) faults[field.name] = { fault: "required", detail: "" };
      continue;
    }
    const read = readField(field, text);
    if ("fault" in read) faults[field.name] = read;
    else given[field.name] = read.value;
  }
  return Object.keys(faults).length > 0 ? { ok: false, faults } : { ok: true, arguments: given };
}

type ReadField = { readonly value: unknown } | FieldFault;

function readField(field: ToolField, text: string): ReadField {
  const trimmed = text.trim();
  switch (field.control) {
    case "choice":
      return { value: field.choices.find((choice) => String(choice) === text) ?? text };
    case "number":
    case "integer": {
      const value = Number(trimmed);
      if (!Number.isFinite(value)) return { fault: "number", detail: "" };
      return field.control === "integer" && !Number.isInteger(value) ? { fault: "integer", detail: "" } : { value };
    }
    case "model":
      return { value: trimmed };
    case "json":
      return readJson(field, trimmed);
    case "mixed":
      return readMixed(field, text, trimmed);
    default:
      return { value: text };
  }
}

function readJson({ kinds }: ToolField, text: string): ReadField {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: "json", detail: error instanceof Error ? error.message : "" };
  }
  const kind = Array.isArray(value) ? "array" : typeof value;
  if (kinds.some((each) => each === kind)) return { value };
  return { fault: kinds.includes("array") ? "array" : "object", detail: "" };
}

/** Text, unless it can only be meant otherwise: a bracket begins JSON, a figure is one where figures are taken. */
function readMixed(field: ToolField, text: string, trimmed: string): ReadField {
  const { kinds } = field;
  const opens = trimmed.startsWith("[") ? "array" : trimmed.startsWith("{") ? "object" : null;
  if (opens !== null && kinds.includes(opens)) return readJson(field, trimmed);
  if (kinds.some(isNumber) && Number.isFinite(Number(trimmed))) return { value: Number(trimmed) };
  if (kinds.includes("boolean") && /^(true|false)$/.test(trimmed)) return { value: trimmed === "true" };
  return kinds.includes("string") ? { value: text } : readJson(field, trimmed);
}

function record(value: unknown): Schema {
  return typeof value === "object" && value !== null ? (value as Schema) : {};
}
