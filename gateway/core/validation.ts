import type * as z from "zod";
import { FIRST_ISSUE } from "../contract/first-issue.ts";
import { onDemand } from "../contract/on-demand.ts";
import { isRecord } from "../lib/records.ts";
import { redact } from "../lib/redact.ts";
import { GatewayError } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";

/**
 * Checks `value` and returns it unchanged, typed. Deliberately not zod's own copy: the client's fields keep their order
 * and an own `__proto__` field stays data, so the value is forwarded exactly as it was sent. Use it only with schemas
 * that check; schemas with transforms or defaults need `parse`.
 * @throws GatewayError naming the first field that is wrong, its value and what is accepted (400).
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.input<S> {
  const checked = schema.safeParse(value, FIRST_ISSUE);
  if (!checked.success) throw validationError(checked.error, value);
  return value as z.input<S>;
}

/**
 * Returns `value` without null members that `schema` does not allow. Hosts in strict mode send null for each omitted
 * argument (NVIDIA/NeMo-Agent-Toolkit#1269, langflow-ai/langflow#8059, read 2026-11-28).
 */
export function removeRefusedNulls(schema: z.ZodType, value: unknown): unknown {
  if (schema.safeParse(value, FIRST_ISSUE).success) return value;
  const checked = schema.safeParse(cutLists(value));
  if (checked.success) return value;
  const refused = new Set<string>();
  noteFindings(checked.error.issues, "", refused);
  return removeNulls(value, "", refused);
}

/** Max list items that are checked for nulls: each bad one takes some microseconds. */
const MAX_ITEMS = 1_000;

function cutLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(cutLists);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutLists(member)]));
}

function noteFindings(issues: readonly z.core.$ZodIssue[], at: string, found: Set<string>): void {
  for (const issue of issues) {
    const path = [at, ...issue.path.map(String)].join("/");
    found.add(path);
    if (issue.code === "invalid_union") for (const inner of issue.errors) noteFindings(inner, path, found);
  }
}

function removeNulls(value: unknown, at: string, refused: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item, index) => removeNulls(item, `${at}/${index}`, refused));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([name, member]) => member !== null || !refused.has(`${at}/${name}`));
  return Object.fromEntries(members.map(([name, member]) => [name, removeNulls(member, `${at}/${name}`, refused)]));
}

/** Max cached field orders of clients; objects beyond it are checked by the full schema. */
const MOST_ORDERS = 500;

/** The fields of an object up to one of them. */
interface FieldPath {
  readonly next: Map<string, FieldPath>;
  /** Schema of the fields up to here plus the required ones; null if no object has ended here yet. */
  schema: z.ZodObject | null;
}

/**
 * `validate` for objects with many optional fields: only the sent and the required fields are checked, by a schema that
 * is cached for the next object with the same fields.
 * @param schema created with the first object
 */
export function validator<S extends z.ZodObject>(schema: () => S): (value: unknown) => z.input<S> {
  const start: FieldPath = { next: new Map(), schema: null };
  let orders = 0;
  const shapeOf = onDemand(() => schema().shape);
  const schemaFor = (value: Readonly<Record<string, unknown>>): z.ZodObject => {
    const shape = shapeOf();
    let step = start;
    for (const name in value) {
      if (!Object.hasOwn(shape, name)) continue;
      let next = step.next.get(name);
      if (next === undefined) {
        if (orders === MOST_ORDERS) return schema();
        orders += 1;
        next = { next: new Map(), schema: null };
        step.next.set(name, next);
      }
      step = next;
    }
    step.schema ??= schema().clone({
      ...schema().def,
      shape: Object.fromEntries(
        Object.entries(shape).filter(([name, field]) => name in value || !(field as z.ZodType).isOptional()),
      ),
    });
    return step.schema;
  };
  return (value) => {
    if (isRecord(value)) {
      const known = orders;
      const own = schemaFor(value);
      // Zod writes a program for a schema that is used again; the first call does not wait for that.
      const { success } = own.safeParse(value, known < orders ? { ...FIRST_ISSUE, jitless: true } : FIRST_ISSUE);
      if (success) return value as z.input<S>;
    }
    // The full schema produces the error message.
    return validate(schema(), value);
  };
}

/** A problem, with the path from the root of the input. */
interface Finding {
  readonly path: readonly PropertyKey[];
  readonly issue: z.core.$ZodIssue;
}

/**
 * Describes the first issue of a failed check: the field, the value and the accepted values.
 * @param input the checked input, for its values.
 */
export function validationError(error: z.ZodError, input: unknown): GatewayError {
  const issue = error.issues[0];
  if (issue === undefined) return new GatewayError("invalid_body", "The request is not valid.");
  const finding = innermost({ path: issue.path, issue });
  const { code, message, path } = describe(finding, input);
  const param = getParam(path);
  return new GatewayError(code, message, param === "" ? {} : { param });
}

interface Description {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

function describe({ path, issue }: Finding, input: unknown): Description {
  if (issue.code === "unrecognized_keys") {
    const field = [...path, issue.keys[0] ?? ""];
    return { code: "unsupported_parameter", message: `Unknown parameter: '${getParam(field)}'.`, path: field };
  }
  const value = getValue(input, path);
  const accepted = describeExpected(issue);
  if (path.length === 0) {
    return {
      code: "invalid_body",
      message: `The request body must be ${bare(accepted)}; it is ${typeName(value)}.`,
      path,
    };
  }
  const name = `'${getParam(path)}'`;
  if (value === undefined) {
    return { code: "missing_required_parameter", message: `Missing required parameter: ${name}: ${accepted}.`, path };
  }
  if (issue.code === "invalid_type" || issue.code === "invalid_union") {
    const text = `Invalid type for ${name}: ${accepted}, but got ${typeName(value)}${formatValue(value)}.`;
    return { code: "invalid_type", message: text, path };
  }
  return { code: "invalid_value", message: `Invalid value for ${name}: ${shown(value)}; ${accepted}.`, path };
}

/**
 * Returns "expected …": the schema's own message if it has one (contract schemas start like this), else a text for the
 * issue.
 */
function describeExpected(issue: z.core.$ZodIssue): string {
  if (issue.message.startsWith("expected ")) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `expected ${expectedName(issue.expected)}`;
    case "invalid_value":
      return `expected one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "invalid_union":
      return `expected ${alternatives(issue)}`;
    case "too_small":
      return `expected ${measureSize(issue.origin)} ${issue.inclusive === false ? "above" : "of at least"} ${issue.minimum}`;
    case "too_big":
      return `expected ${measureSize(issue.origin)} ${issue.inclusive === false ? "below" : "of at most"} ${issue.maximum}`;
    default:
      return `expected something else (${issue.message})`;
  }
}

/**
 * Returns, for a union, the issue of the alternative that matches the value's type but fails deeper inside; else the
 * union's own issue.
 */
function innermost(finding: Finding): Finding {
  const { issue, path } = finding;
  if (issue.code !== "invalid_union") return finding;
  for (const issues of issue.errors) {
    const first = issues[0];
    if (first === undefined) continue;
    const inner = innermost({ path: [...path, ...first.path], issue: first });
    if (inner.path.length > path.length || !isTypeIssue(inner.issue)) return inner;
  }
  return finding;
}

function isTypeIssue(issue: z.core.$ZodIssue): boolean {
  return issue.code === "invalid_type" || issue.code === "invalid_union";
}

function alternatives(issue: z.core.$ZodIssueInvalidUnion): string {
  const names = issue.errors.map((issues) => (issues[0] === undefined ? "" : bare(describeExpected(issues[0]))));
  return names.filter((name) => name !== "").join(" or ") || "another value";
}

function bare(accepted: string): string {
  return accepted.replace(/^expected /, "");
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: "an array",
  object: "an object",
  record: "an object",
  int: "a whole number",
  null: "null",
  undefined: "nothing",
};

function expectedName(expected: string): string {
  return TYPE_NAMES[expected] ?? `a ${expected}`;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function measureSize(origin: string): string {
  if (origin === "string") return "a text with a length";
  if (origin === "array" || origin === "set") return "an array with a length";
  return "a number";
}

const LONGEST_SHOWN = 60;

/** The value as the client may see it in a message: short, and without secrets. */
function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) return typeName(value);
  const text = redact(typeof value === "string" ? value.slice(0, 4 * LONGEST_SHOWN) : String(value));
  const short = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return typeof value === "string" ? JSON.stringify(short) : short;
}

function formatValue(value: unknown): string {
  return value === null || typeof value === "object" ? "" : ` (${shown(value)})`;
}

/** `messages[0].content[1].image_url.url`. */
export function getParam(path: readonly PropertyKey[]): string {
  let text = "";
  for (const part of path) {
    const key = typeof part === "number" ? part : String(part).slice(0, 64);
    if (typeof key === "number") text += `[${key}]`;
    else if (!/^[\w$-]+$/.test(key)) text += `[${JSON.stringify(key)}]`;
    else text += text === "" ? key : `.${key}`;
  }
  return redact(text);
}

/** Only own properties are read, because a path may end at an inherited name. */
function getValue(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
