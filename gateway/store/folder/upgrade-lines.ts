import { createHash } from "node:crypto";
import { isRecord } from "../../lib/records.ts";
import { NEWLINE, getBytes, frame, findLines, unframe } from "../disk/line.ts";

/**
 * Layout 1 called a provider `vendor`. These are the fields of that name in the lines of a data folder; content from
 * models, providers and clients is not changed.
 */

type Fields = Record<string, unknown>;

/** Returns the same record with `vendor` renamed to `provider`, in its place. */
function renameFields(record: unknown): unknown {
  if (!isRecord(record) || !("vendor" in record)) return record;
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name === "vendor" ? "provider" : name, value]),
  );
}

const inField = (record: unknown, name: string, change: (value: unknown) => unknown): unknown =>
  isRecord(record) && isRecord(record[name]) ? { ...record, [name]: change(record[name]) } : record;

const task = (record: unknown): unknown =>
  inField(renameFields(record), "bill", (bill) => inField(bill, "receipt", renameFields));

/** A record of the document, by its collection. */
function getRecord(collection: unknown, record: unknown): unknown {
  if (collection === "tasks") return task(record);
  return collection === "connections" || collection === "calls" ? renameFields(record) : record;
}

const put = (change: unknown): unknown =>
  isRecord(change) && "record" in change ? { ...change, record: getRecord(change["in"], change["record"]) } : change;

/** How the lines of each kind of file come into layout 2. */
const LINES = {
  state: put,
  journal: (line: Fields) => (Array.isArray(line["changes"]) ? { ...line, changes: line["changes"].map(put) } : line),
  usage: (line: Fields) => inField(inField(line, "receipt", renameFields), "call", renameFields),
  tasks: task,
  media: (line: Fields) =>
    inField(
      inField(line, "entry", (entry) => inField(entry, "origin", renameFields)),
      "pending",
      (pending) => inField(pending, "origin", renameFields),
    ),
} as const satisfies Record<string, (line: Fields) => unknown>;

export type FileKind = keyof typeof LINES;

/** A cheap check: most bytes do not contain the name and need not be parsed as JSON. */
const NAME = Buffer.from('"vendor"');

/**
 * Upgrades complete lines to layout 2. Damaged bytes stay unchanged, for the code that quarantines them.
 * @param bytes part of a file from the start of a line
 * @param each receives the end offset of each line before and after, relative to `bytes`
 */
export function upgradeLines(kind: FileKind, bytes: Buffer, each?: (before: number, after: number) => void): Buffer {
  if (each === undefined && !bytes.includes(NAME)) return bytes;
  const parts: Buffer[] = [];
  let after = 0;
  for (const line of findLines(bytes)) {
    const raw = getBytes(bytes, line);
    const value = isRecord(line.value) && raw.includes(NAME) ? LINES[kind](line.value) : line.value;
    const part = value === line.value ? raw : Buffer.from(frame(JSON.stringify(value)));
    parts.push(part);
    after += part.length;
    each?.(line.offset + raw.length, after);
  }
  // An incomplete last line.
  parts.push(bytes.subarray(bytes.lastIndexOf(NEWLINE) + 1));
  return Buffer.concat(parts);
}

/**
 * Upgrades a generation to layout 2: its records, its header with the counted position of each usage segment, and its
 * trailer. A damaged generation is upgraded line by line and stays damaged.
 * @param schemaVersion new version in its header
 * @param position maps an offset of a segment to its new offset
 */
export function upgradeGeneration(
  bytes: Buffer,
  schemaVersion: number,
  position: (segment: string, offset: number) => number,
): Buffer {
  const lines = [...findLines(bytes)];
  const [first] = lines;
  const last = lines.at(-1);
  if (!isHeader(first?.value) || !isTrailer(last?.value)) return upgradeLines("state", bytes);
  const usage = first.value.usage;
  const segments = Object.fromEntries(
    Object.entries(usage.segments).map(([month, offset]) => [month, position(month, offset)]),
  );
  const header = Buffer.from(frame(JSON.stringify({ ...first.value, schemaVersion, usage: { ...usage, segments } })));
  const records = upgradeLines("state", bytes.subarray(first.length + 1, last.offset));
  const whole = createHash("sha256").update(bytes.subarray(0, last.offset)).digest("hex") === last.value.sha256;
  const digest = createHash("sha256").update(header).update(records).digest("hex");
  const trailer = whole ? { ...last.value, sha256: digest } : last.value;
  return Buffer.concat([header, records, Buffer.from(frame(JSON.stringify(trailer)))]);
}

/** How far each segment of the usage log is counted in a generation, in bytes, by month. */
export function getSegments(bytes: Buffer): Readonly<Record<string, number>> {
  const value = unframe(bytes.subarray(0, bytes.indexOf(NEWLINE)));
  return isHeader(value) ? value.usage.segments : {};
}

interface Header extends Fields {
  readonly usage: Fields & { readonly segments: Readonly<Record<string, number>> };
}

const isHeader = (value: unknown): value is Header =>
  isRecord(value) &&
  value["format"] === "postern-state" &&
  isRecord(value["usage"]) &&
  isRecord(value["usage"]["segments"]);

const isTrailer = (value: unknown): value is Fields & { readonly sha256: string } =>
  isRecord(value) && typeof value["sha256"] === "string";
