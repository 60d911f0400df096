/**
 * Builds form fields from a JSON Schema, and JSON from their values. The gateway validates everything beyond a value's
 * type.
 */

export type Schema = Readonly<Record<string, unknown>>;
type Kind = "string" | "number" | "integer" | "boolean" | "array" | "object";

/** Controls of several lines. */
export const TEXT_CONTROLS: ReadonlySet<SchemaField["control"]> = new Set(["long", "lines", "json", "mixed"]);

export interface SchemaField {
  /** Path in the JSON, with dots between nested names. */
  readonly name: string;
  /**
   * `line` and `long` take text, `lines` one text per line, `json` an array or object, `mixed` text or JSON, `choice`
   * one of a few values, `model` the id of a model.
   */
  readonly control: "line" | "long" | "lines" | "number" | "integer" | "choice" | "json" | "mixed" | "model";
  readonly required: boolean;
  /** Whether the form shows it without expanding. */
  readonly main: boolean;
  /** The schema's description. */
  readonly help: string;
  readonly choices: readonly (string | number | boolean)[];
  /** Values that a text or number is offered. */
  readonly suggestions?: readonly string[];
  readonly example?: string;
  readonly rows?: number;
  readonly label?: string;
  /** Default value as text; null without one. */
  readonly fallback: string | null;
  /** Accepted types, for parsing the typed text. */
  readonly kinds: readonly Kind[];
}

/** Error of a field; `detail` is the JSON parser's message. */
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
 * Fields of a schema: the main ones first, each group in the schema's order. An object with known fields is expanded,
 * unless it is optional with required fields, because its presence is then a separate choice.
 * @param hasModels whether its `model` field is a model id
 */
export function createFields(schema: Schema, hasModels: boolean): readonly SchemaField[] {
  const fields = createFieldsBelow("", schema, schema, hasModels);
  return [...fields.filter(isMain), ...fields.filter((field) => !isMain(field))];
}

/** Creates a field with some choices; a text field if none is known. */
export function createChoice(label: string, choices: readonly string[]): SchemaField {
  const control = choices.length === 0 ? "line" : "choice";
  return { name: label, control, required: false, main: true, help: "", choices, fallback: null, kinds: ["string"] };
}

export const isMain = ({ main }: SchemaField): boolean => main;

function createFieldsBelow(path: string, schema: Schema, root: Schema, hasModels: boolean): readonly SchemaField[] {
  const required = new Set(Array.isArray(schema["required"]) ? (schema["required"] as string[]) : []);
  return Object.entries(record(schema["properties"])).flatMap(([name, value]) => {
    const property = record(value);
    const [object, ...others] = resolveVariants(property, root);
    const isOptional = !required.has(name) && Array.isArray(object?.["required"]);
    if (object?.["properties"] !== undefined && others.length === 0 && !isOptional) {
      return createFieldsBelow(`${path}${name}.`, object, root, false);
    }
    return [createField(`${path}${name}`, property, required.has(name), root, hasModels)];
  });
}

function createField(name: string, property: Schema, required: boolean, root: Schema, hasModels: boolean): SchemaField {
  const variants = resolveVariants(property, root);
  const choices = collectChoices(variants);
  const kinds = [...new Set(variants.flatMap(readKinds))];
  const fallback = property["default"];
  return {
    name,
    control: hasModels && name === "model" ? "model" : selectControl(name, kinds, choices),
    required,
    // A prompt is often one of two alternatives, and therefore not required.
    main: required || name === "prompt" || name === "input",
    help: typeof property["description"] === "string" ? property["description"] : "",
    choices,
    fallback: fallback === undefined ? null : typeof fallback === "string" ? fallback : JSON.stringify(fallback),
    kinds,
  };
}

function selectControl(name: string, kinds: readonly Kind[], choices: SchemaField["choices"]): SchemaField["control"] {
  if (choices.length > 0) return "choice";
  const [only] = kinds;
  if (kinds.length !== 1 || only === undefined) return kinds.every(isNumber) && kinds.length > 0 ? "number" : "mixed";
  if (only === "number" || only === "integer") return only;
  if (only === "array" || only === "object") return "json";
  return LONG_NAMES.test(name) ? "long" : "line";
}

const isNumber = (kind: Kind): boolean => kind === "number" || kind === "integer";

/** Returns the schemas that a value may match, without null, which an empty field means. */
function resolveVariants(schema: Schema, root: Schema, depth = 0): readonly Schema[] {
  const reference = schema["$ref"];
  if (typeof reference === "string" && depth < 8) {
    const target = reference
      .replace(/^#\/?/, "")
      .split("/")
      .filter((part) => part !== "")
      .reduce<Schema>((at, part) => record(at[part]), root);
    return resolveVariants(target, root, depth + 1);
  }
  const several = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(several)) return several.flatMap((each) => resolveVariants(record(each), root, depth + 1));
  return schema["type"] === "null" ? [] : [schema];
}

/** Collects the values of an enum field; none if any variant accepts other values. */
function collectChoices(variants: readonly Schema[]): SchemaField["choices"] {
  const values = variants.map((variant) => {
    if (Array.isArray(variant["enum"])) return variant["enum"] as unknown[];
    if ("const" in variant) return [variant["const"]];
    return readKinds(variant).every((kind) => kind === "boolean") ? [true, false] : [];
  });
  if (values.some((each) => each.length === 0)) return [];
  return values
    .flat()
    .filter((each) => typeof each === "string" || typeof each === "number" || typeof each === "boolean");
}

function readKinds(variant: Schema): Kind[] {
  const { type } = variant;
  if (typeof type === "string") return [type as Kind];
  if (Array.isArray(type)) return (type as (Kind | "null")[]).filter((each) => each !== "null");
  return ["string", "number", "boolean", "array", "object"];
}

/** Reads the form's values as arguments. Empty fields are omitted. */
export function readForm(fields: readonly SchemaField[], typed: Readonly<Record<string, string>>): ReadForm {
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
    else setValue(given, field.name.split("."), read.value);
  }
  return Object.keys(faults).length > 0 ? { ok: false, faults } : { ok: true, arguments: given };
}

/** Sets a nested value, and makes the objects around it. */
function setValue(target: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[name] = value;
  else setValue((target[name] ??= {}) as Record<string, unknown>, rest, value);
}

/** Not-empty lines of a text. */
export const splitLines = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

type ReadField = { readonly value: unknown } | FieldFault;

function readField(field: SchemaField, text: string): ReadField {
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
    case "lines":
      return { value: splitLines(text) };
    case "json":
      return readJson(field, trimmed);
    case "mixed":
      return readMixed(field, text, trimmed);
    default:
      return { value: text };
  }
}

function readJson({ kinds }: SchemaField, text: string): ReadField {
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

/** Parses as text unless unambiguous: a bracket starts JSON, and digits are a number if numbers are accepted. */
function readMixed(field: SchemaField, text: string, trimmed: string): ReadField {
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
