import { sha256 } from "../../lib/ids.ts";
import { canonical, sameData, getValue, withValue, withoutValue } from "./data.ts";
import type { Data } from "./data.ts";
import { envFile } from "./env-file.ts";
import type { FileFormat, FormatName, Setting } from "./file-format.ts";
import { jsonFile } from "./json-file.ts";
import { createRefusal } from "./refused.ts";
import { tomlFile } from "./toml-file.ts";
import { yamlFile } from "./yaml-file.ts";

const fileFormats: Readonly<Record<FormatName, FileFormat>> = {
  json: jsonFile,
  toml: tomlFile,
  yaml: yamlFile,
  env: envFile,
};

/** A written value, identified by its digest, because it may contain a key that is stored nowhere else. */
export interface Mark {
  readonly kind: Setting["kind"];
  readonly path: readonly string[];
  /** SHA-256 of the value; `any` for one that the client writes again by itself. */
  readonly digest: string;
}

export interface Edited {
  readonly text: string;
  readonly marks: readonly Mark[];
}

const ANY = "any";
const BOM = "\uFEFF";

/** Decodes a file's bytes as text. @throws GatewayError for bytes that are not UTF-8. */
export function readText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw createRefusal("This file is not UTF-8 text. Postern leaves it as it is.");
  }
}

/** @throws GatewayError for JSON with comments or trailing commas, which this client would pass over. */
export function requirePlainJson(client: string, text: string): void {
  const plain = withoutBom(text).text;
  if (plain.trim() === "") return;
  fileFormats.json.parse(plain);
  try {
    JSON.parse(plain);
  } catch {
    throw createRefusal(
      `This file has comments or trailing commas, with which ${client} does not read it. Take them out, and try again.`,
    );
  }
}

/** Parses a file's text. @throws GatewayError when it is not valid. */
export function readData(format: FormatName, text: string): Data {
  return fileFormats[format].parse(withoutBom(text).text);
}

/**
 * Writes settings into a file's text; `text` is null if there is no file yet. All other bytes stay the same, and the
 * result is parsed to verify that only these settings changed.
 * @throws GatewayError for a file that is not valid, or cannot be edited this way.
 */
export function applySettings(format: FormatName, text: string | null, settings: readonly Setting[]): Edited {
  const file = fileFormats[format];
  const { bom, text: before } = withoutBom(text ?? "");
  const changes = settings.filter(
    ({ onlyInNewFile, path }, index) =>
      onlyInNewFile !== true || (before.trim() === "" && index === findFirst(settings, path)),
  );
  let data = file.parse(before);
  let edited = before;
  for (const [index, { kind, path, value }] of changes.entries()) {
    if (kind === "value") {
      // A value that is there already is not rewritten.
      if (sameData(getValue(data, path), value)) continue;
      edited = file.set(edited, path, value);
      data = withValue(data, path, value);
    } else {
      // All elements of a list are added with the first one, because each edit parses the whole file.
      if (index !== changes.findIndex((other) => other.kind === "item" && samePath(other.path, path))) continue;
      const items = changes.flatMap((other) =>
        other.kind === "item" && samePath(other.path, path) ? [other.value] : [],
      );
      const list = getValue(data, path);
      edited = file.append(edited, path, items);
      data = withValue(data, path, [...(Array.isArray(list) ? (list as Data[]) : []), ...items]);
    }
  }
  requireSame(file, edited, data);
  const marks = changes.map(({ kind, path, value, isRewritten }) => ({
    kind,
    path,
    digest: isRewritten === true ? ANY : computeDigest(value),
  }));
  return { text: bom + edited, marks };
}

export interface TakenOut {
  readonly text: string;
  /** Settings that were kept because they changed after Postern wrote them. */
  readonly unchanged: readonly string[];
}

/**
 * Removes written settings from a file and restores the earlier values. All later changes stay.
 * @param before the file before the first write; null if it did not exist
 */
export function takeOut(format: FormatName, text: string, before: string | null, marks: readonly Mark[]): TakenOut {
  const file = fileFormats[format];
  const { bom, text: current } = withoutBom(text);
  const earlier = withoutBom(before ?? "").text;
  const earlierData = file.parse(earlier);
  let data = file.parse(current);
  let edited = current;
  const unchanged: string[] = [];
  const items: (readonly (string | number)[])[] = [];
  for (const mark of marks.toReversed()) {
    const place = readPlace(data, mark);
    if (place === null) {
      if (getValue(data, mark.path) !== undefined) unchanged.push(mark.path.join("."));
      continue;
    }
    const old = mark.kind === "value" ? getValue(earlierData, mark.path) : undefined;
    if (old !== undefined) {
      edited = file.set(edited, mark.path, old, file.source(earlier, mark.path) ?? undefined);
      data = withValue(data, mark.path, old);
      continue;
    }
    if (mark.kind === "item") {
      items.push(place);
      continue;
    }
    const gone = listEmptied(data, earlierData, place);
    edited = file.remove(edited, gone);
    data = withoutValue(data, gone);
  }
  for (const run of groupRuns(items)) {
    const whole = getValue(data, run.list);
    const isAll = Array.isArray(whole) && whole.length === run.count && run.list.length > 0;
    const gone =
      isAll && getValue(earlierData, run.list) === undefined ? listEmptied(data, earlierData, run.list) : null;
    edited = gone === null ? file.remove(edited, [...run.list, run.start], run.count) : file.remove(edited, gone);
    data =
      gone === null
        ? withValue(data, run.list, (whole as Data[]).toSpliced(run.start, run.count))
        : withoutValue(data, gone);
  }
  requireSame(file, edited, data);
  return { text: bom + edited, unchanged };
}

/** Tells whether a file still contains each written value. @throws GatewayError for an invalid file */
export function hasMarks(format: FormatName, text: string, marks: readonly Mark[]): boolean {
  const data = readData(format, text);
  return marks.every((mark) => readPlace(data, mark) !== null);
}

/** Finds the path of an unchanged written value; null if it was changed or removed. */
function readPlace(data: Data, { kind, path, digest }: Mark): readonly (string | number)[] | null {
  const value = getValue(data, path);
  if (kind === "value") return value !== undefined && (digest === ANY || computeDigest(value) === digest) ? path : null;
  const index = Array.isArray(value) ? value.findIndex((item) => computeDigest(item) === digest) : -1;
  return index === -1 ? null : [...path, index];
}

/** Returns the outermost container that was created for a value and is otherwise empty. */
function listEmptied(data: Data, earlier: Data, place: readonly (string | number)[]): readonly (string | number)[] {
  let gone = place;
  while (gone.length > 1) {
    const outer = gone.slice(0, -1);
    const around = getValue(data, outer);
    const size = Array.isArray(around) ? around.length : Object.keys(around ?? {}).length;
    if (size > 1 || getValue(earlier, outer) !== undefined) break;
    gone = outer;
  }
  return gone;
}

interface Run {
  readonly list: readonly string[];
  readonly start: number;
  readonly count: number;
}

/** Groups consecutive list elements, the last first, so that earlier indexes stay valid. */
function groupRuns(places: readonly (readonly (string | number)[])[]): readonly Run[] {
  const lists = Map.groupBy(places, (place) => place.slice(0, -1).join("\n"));
  return [...lists.values()].flatMap((own) => {
    const list = (own[0] ?? []).slice(0, -1).map(String);
    const indexes = [...new Set(own.map((place) => Number(place.at(-1))))].toSorted((a, b) => b - a);
    const runs: Run[] = [];
    for (const index of indexes) {
      const last = runs.at(-1);
      if (last !== undefined && last.start === index + 1)
        runs.splice(-1, 1, { list, start: index, count: last.count + 1 });
      else runs.push({ list, start: index, count: 1 });
    }
    return runs;
  });
}

/** Two parts of a client in one new file both name what every file must have. */
function findFirst(settings: readonly Setting[], path: readonly string[]): number {
  return settings.findIndex((other) => samePath(other.path, path));
}

const samePath = (a: readonly string[], b: readonly string[]): boolean => a.join("\n") === b.join("\n");

function computeDigest(value: Data): string {
  return sha256(canonical(value));
}

function requireSame(file: FileFormat, text: string, expected: Data): void {
  if (!sameData(file.parse(text), expected))
    throw createRefusal("This file is written in a way that Postern cannot change without touching the rest of it.");
}

function withoutBom(text: string): { bom: string; text: string } {
  return text.startsWith(BOM) ? { bom: BOM, text: text.slice(1) } : { bom: "", text };
}
