import type { FieldReason, ImportedField } from "../../contract/imports.ts";
import { redact, secretHint } from "../../lib/redact.ts";
import type { Path } from "../clients/data.ts";
import { SecretMask } from "./secret-mask.ts";

/** The result for one field. */
type Fate = Pick<ImportedField, "fate" | "becomes" | "reason">;

/** A value on the path to a field. */
interface Place {
  readonly field: string;
  readonly data: unknown;
  /** Whether it is a secret, or directly contains some. */
  readonly hidden: boolean;
}

interface Mark {
  fate: Fate | null;
  readonly below: Map<string | number, Mark>;
}

/** Max leaves of an unmarked part that are listed separately; a larger part has one line. */
const MOST_LEAVES = 100;
const LONGEST_VALUE = 160;
/** Max characters of a value that are searched for secrets; more than is ever shown. */
const MAX_CLEANED = 200_000;
const LONGEST_NAME = 200;

/**
 * Names of fields that hold secrets: `api_key`, `ANTHROPIC_AUTH_TOKEN`, `x-api-key`. Numbers of tokens (`max_tokens`)
 * are not secrets. Every string directly below one is a secret too (`api_keys: ["…"]`, `headers: {"x-team": "…"}`).
 */
const SECRET_NAME =
  /(^|[^a-z])(api|access|auth|private|master|virtual|encrypted|salt)?[-_]?keys?$|(api|access|secret|master)_?key|token$|secret|passw|credential|authori[sz]ation|cookie|bearer|headers?$|jwt/i;

/**
 * Collects the result of every field of some files. Importers mark the fields that they understand; an unmarked field
 * is reported as left with the reason `not-supported`. So nothing is dropped silently, and secrets are never shown.
 */
export class Fields {
  readonly #sources: { readonly name: string; readonly data: unknown; readonly mark: Mark }[] = [];
  readonly #secrets = new SecretMask();
  readonly #isName: (text: string) => boolean;
  readonly #leftSecrets = new Set<string>();

  /** @param isName whether a text is the name of a provider */
  constructor(isName: (text: string) => boolean = () => false) {
    this.#isName = isName;
  }

  /**
   * Adds the fields of a file after those of earlier files.
   * @param name prefix of its fields' names; "" for none
   */
  source(name: string, data: unknown): SourceFields {
    const mark = newMark();
    this.#sources.push({ name, data, mark });
    return new SourceFields(mark, (secret) => this.secret(secret));
  }

  /** Hides this text everywhere. */
  secret(text: string): void {
    // A provider name in a secret field is not a secret.
    if (!this.#isName(text)) this.#secrets.add(text);
  }

  /** Marks a secret as left in all its places, because Postern has no room for it. */
  leftSecret(text: string): void {
    this.#leftSecrets.add(text);
  }

  list(): readonly ImportedField[] {
    const fields: ImportedField[] = [];
    for (const { name, data, mark } of this.#sources)
      this.#walk(fields, { field: name, data, hidden: false }, mark, LEFT);
    return fields;
  }

  /** @param usual outcome of unmarked fields */
  #walk(fields: ImportedField[], { field, data, hidden }: Place, mark: Mark | undefined, usual: Fate): void {
    const fate = mark?.fate ?? usual;
    const inner = mark === undefined || mark.below.size === 0 ? null : mark.below;
    const members = readMembers(data);
    // An empty column is not reported.
    if (data === null && mark?.fate == null) return;
    const whole = members.length === 0 || (inner === null && (mark?.fate != null || !fitsApart(data)));
    if (whole) {
      const outcome = typeof data === "string" && this.#leftSecrets.has(data.trim()) ? LEFT : this.#redactOutcome(fate);
      fields.push({ field: this.#clean(field, LONGEST_NAME), value: this.#shown(data, hidden), ...outcome });
      return;
    }
    for (const [step, value] of members) {
      const next = typeof step === "number" ? `${field}[${step}]` : field + memberName(step, field === "");
      this.#walk(fields, { field: next, data: value, hidden: isHidden(step, value, hidden) }, inner?.get(step), fate);
    }
  }

  #redactOutcome({ fate, becomes, reason }: Fate): Fate {
    return {
      fate,
      ...(becomes === undefined ? {} : { becomes: this.#clean(becomes, LONGEST_VALUE) }),
      ...(reason === undefined ? {} : { reason }),
    };
  }

  #shown(data: unknown, hidden: boolean): string {
    const shown = maskValue(data, hidden);
    return this.#clean(typeof shown === "string" ? shown : (JSON.stringify(shown) ?? "undefined"), LONGEST_VALUE);
  }

  /** Masks before shortening, so that no partial secret remains. */
  #clean(text: string, longest: number): string {
    const clean = redact(withoutAssigned(withoutLogin(this.#secrets.hide(text.slice(0, MAX_CLEANED), readHint))));
    return clean.length > longest ? `${clean.slice(0, longest - 1)}…` : clean;
  }
}

/** The marks of one file. */
export class SourceFields {
  readonly #mark: Mark;
  readonly #secret: (text: string) => void;

  constructor(mark: Mark, secret: (text: string) => void) {
    this.#mark = mark;
    this.#secret = secret;
  }

  /** Returns the fields below a path. */
  below(path: Path): SourceFields {
    return new SourceFields(this.#at(path), this.#secret);
  }

  /** Marks a field as taken unchanged. @param becomes its target here: `connection "deepseek"` */
  recordTaken(path: Path, becomes: string): void {
    this.#at(path).fate = { fate: "taken", becomes };
  }

  /** Marks a field as converted. */
  noteChange(path: Path, becomes: string, reason?: FieldReason): void {
    this.#at(path).fate = { fate: "changed", becomes, ...(reason === undefined ? {} : { reason }) };
  }

  /** Marks an address as taken or changed. */
  endpoint(path: Path, becomes: string, { changed: isChanged }: { readonly changed: boolean }): void {
    if (isChanged) this.noteChange(path, becomes, "endpoint");
    else this.recordTaken(path, becomes);
  }

  /** Marks a field as left; parts with their own marks keep them. */
  left(path: Path, reason: FieldReason): void {
    this.#at(path).fate = { fate: "left", reason };
  }

  /** Tells whether a field already has a mark. */
  isMarked(path: Path): boolean {
    return this.#at(path).fate !== null;
  }

  /** Hides this text everywhere. */
  secret(text: string): void {
    this.#secret(text);
  }

  #at(path: Path): Mark {
    let mark = this.#mark;
    for (const step of path) {
      let next = mark.below.get(step);
      if (next === undefined) {
        next = newMark();
        mark.below.set(step, next);
      }
      mark = next;
    }
    return mark;
  }
}

const LEFT: Fate = { fate: "left", reason: "not-supported" };

const newMark = (): Mark => ({ fate: null, below: new Map() });

/** Returns elements and members; none for a leaf or an empty container, which is shown as a leaf. */
function readMembers(data: unknown): readonly (readonly [string | number, unknown])[] {
  if (typeof data !== "object" || data === null || data instanceof Uint8Array || data instanceof Date) return [];
  return Array.isArray(data) ? data.map((item: unknown, index) => [index, item] as const) : Object.entries(data);
}

/** Tells whether a part has few enough leaves to be listed individually. */
function fitsApart(data: unknown): boolean {
  let left = MOST_LEAVES;
  const count = (value: unknown): void => {
    const members = readMembers(value);
    if (members.length === 0) left -= 1;
    for (const [, inner] of members) {
      if (left < 0) return;
      count(inner);
    }
  };
  count(data);
  return left >= 0;
}

const memberName = (name: string, first: boolean): string =>
  /^[\w$-]+$/.test(name) ? (first ? name : `.${name}`) : `[${JSON.stringify(name)}]`;

/** Returns the visible hint of a secret; a reference (`$KEY`, `os.environ/KEY`, `env.KEY`) is not a secret. */
function readHint(secret: string): string {
  if (secret === "" || /^(\$\{?\w+\}?|os\.environ\/\w+|env\.\w+|\{env:\w+\})$/.test(secret)) return secret;
  return secretHint(secret);
}

/** Whether a member is a secret, or holds some right below itself. @param inside whether its container does */
function isHidden(step: string | number, value: unknown, inside: boolean): boolean {
  if (typeof step === "string" && SECRET_NAME.test(step)) return true;
  return inside && (typeof value !== "object" || value === null);
}

/**
 * Renders a value for display; a cut text shows the first members. @param hidden whether it or a direct member is a
 * secret
 */
function maskValue(data: unknown, hidden: boolean): unknown {
  if (typeof data === "string") return hidden ? readHint(data) : data;
  if (typeof data === "bigint") return String(data);
  if (data instanceof Uint8Array) return `(${data.byteLength} bytes)`;
  if (Array.isArray(data))
    return data.slice(0, LONGEST_VALUE).map((item: unknown, index) => maskValue(item, isHidden(index, item, hidden)));
  if (typeof data !== "object" || data === null || data instanceof Date) return data;
  const shown = Object.entries(data)
    .slice(0, LONGEST_VALUE)
    .map(([name, value]) => [name, maskValue(value, isHidden(name, value, hidden))] as const);
  return Object.fromEntries(shown);
}

/** Secrets within a text that is a file or an address itself: `experimental_bearer_token = "…"`, `usageApiKey=…`. */
function withoutAssigned(text: string): string {
  return text.replace(ASSIGNED, (_, name: string, quote: string, secret: string) => name + quote + readHint(secret));
}

const ASSIGNED = /((?:api_?-?key|[_-]key|token|secret|password|authorization)["']?\s*[=:]\s*)(["']?)([^\s"'&,}]{4,})/gi;

const withoutLogin = (text: string): string => text.replace(/(:\/\/)[^\s/@"]*@/g, "$1…@");
