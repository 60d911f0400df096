import JSON5 from "json5";
import { parse as parseToml } from "smol-toml";
import { isRecord } from "../../lib/records.ts";
import { getMessage } from "../../lib/message-of.ts";
import { exceedsDepth } from "../json-depth.ts";
import { MAX_ALIASES, parseBoundedYaml, refuseNested } from "../yaml.ts";
import { readItems, readMembers } from "./values.ts";

/** Content of a file; undefined if it cannot be read, or is nested deeper than any set-up. */
type Data = unknown;

const DEEPEST = 40;

/** Reads JSON with comments, trailing commas and all else that JSON5 allows. */
export const readJson = (text: string): Data => read(text, parseJson);
export const readToml = (text: string): Data =>
  read(text, (plain) => parseToml(plain, { integersAsBigInt: "asNeeded" }));

export interface DocumentRead {
  /** Undefined for an unreadable file, or one that is neither JSON nor YAML. */
  readonly data: Data;
  /** Why it cannot be read, with the line if known. */
  readonly problem: string | null;
}

/** Parses a file by its name: the slow part of an import, for the thread of files. */
export function readDocument(name: string, text: string): DocumentRead {
  const broken = text.indexOf("\uFFFD");
  if (broken >= 0)
    return unreadable(`Line ${text.slice(0, broken).split("\n").length}: It is not UTF-8. Save the file as UTF-8.`);
  const parse = /\.jsonc?$/i.test(name) ? parseJson : /\.(ya?ml|conf)$/i.test(name) ? parseAnyYaml : null;
  try {
    const data = parse?.(text.replace(/^\uFEFF/, ""));
    return exceedsDepth(data, DEEPEST) ? unreadable("It is nested too deeply.") : { data, problem: null };
  } catch (error) {
    const [message = ""] = getMessage(error).split("\n");
    const line = isRecord(error)
      ? (error["lineNumber"] ?? readMembers(readItems(error["linePos"])[0])["line"])
      : undefined;
    return unreadable(typeof line === "number" ? `Line ${line}: ${message}` : message);
  }
}

const unreadable = (problem: string): DocumentRead => ({ data: undefined, problem });

function parseJson(plain: string): Data {
  try {
    return JSON.parse(plain);
  } catch {
    refuseNested(plain);
    return JSON5.parse(plain);
  }
}

/** YAML 1.2 with the merge keys of 1.1, like PyYAML, and therefore LiteLLM. */
function parseAnyYaml(plain: string): Data {
  const { document } = parseBoundedYaml(plain);
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return document.toJS({ maxAliasCount: MAX_ALIASES }) as Data;
}

function read(text: string, parse: (plain: string) => Data): Data {
  try {
    const data = parse(text.replace(/^\uFEFF/, ""));
    return exceedsDepth(data, DEEPEST) ? undefined : data;
  } catch {
    return undefined;
  }
}
