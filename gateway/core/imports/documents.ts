import JSON5 from "json5";
import { parse as parseToml } from "smol-toml";
import { isRecord } from "../../lib/records.ts";
import { messageOf } from "../../lib/message-of.ts";
import { exceedsDepth } from "../json-depth.ts";
import { parseBoundedYaml, refuseNested } from "../yaml.ts";
import { itemsOf, membersOf } from "./values.ts";

/** What a file says; undefined where it cannot be read, or is nested deeper than any set-up. */
type Data = unknown;

const DEEPEST = 40;
/** Uses of anchors. Repeated nodes multiply, so that a small text could be a large tree. */
export const MOST_ALIASES = 1_000;

/** JSON, also with comments, trailing commas and what else JSON5 allows. */
export const readJson = (text: string): Data => read(text, parseJson);
export const readYaml = (text: string): Data => read(text, parseAnyYaml);
export const readToml = (text: string): Data =>
  read(text, (plain) => parseToml(plain, { integersAsBigInt: "asNeeded" }));

/** The reason why a file of this name cannot be read, with the line where that is known; null where it can. */
export function findProblem(name: string, text: string): string | null {
  const broken = text.indexOf("\uFFFD");
  if (broken >= 0) return `Line ${text.slice(0, broken).split("\n").length}: It is not UTF-8. Save the file as UTF-8.`;
  const parse = /\.jsonc?$/.test(name) ? parseJson : /\.(ya?ml|conf)$/.test(name) ? parseAnyYaml : null;
  try {
    return exceedsDepth(parse?.(text.replace(/^\uFEFF/, "")), DEEPEST) ? "It is nested too deeply." : null;
  } catch (error) {
    const [message = ""] = messageOf(error).split("\n");
    const line = isRecord(error) ? (error["lineNumber"] ?? membersOf(itemsOf(error["linePos"])[0])["line"]) : undefined;
    return typeof line === "number" ? `Line ${line}: ${message}` : message;
  }
}

function parseJson(plain: string): Data {
  try {
    return JSON.parse(plain);
  } catch {
    refuseNested(plain);
    return JSON5.parse(plain);
  }
}

/** YAML 1.2 with the merge keys of 1.1, which PyYAML, and so LiteLLM, goes by. */
function parseAnyYaml(plain: string): Data {
  const { document } = parseBoundedYaml(plain);
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return document.toJS({ maxAliasCount: MOST_ALIASES }) as Data;
}

function read(text: string, parse: (plain: string) => Data): Data {
  try {
    const data = parse(text.replace(/^\uFEFF/, ""));
    return exceedsDepth(data, DEEPEST) ? undefined : data;
  } catch {
    return undefined;
  }
}
