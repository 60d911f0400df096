import JSON5 from "json5";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { exceedsDepth } from "../json-depth.ts";

/** What a file says; undefined where it cannot be read, or is nested deeper than any set-up. */
type Data = unknown;

const DEEPEST = 40;

/** JSON, also with comments, trailing commas and what else JSON5 allows. */
export function readJson(text: string): Data {
  return read(text, (plain) => {
    try {
      return JSON.parse(plain);
    } catch {
      return JSON5.parse(plain);
    }
  });
}

export function readYaml(text: string): Data {
  return read(text, (plain) => parseYaml(plain, { logLevel: "error", maxAliasCount: 100 }));
}

export function readToml(text: string): Data {
  return read(text, (plain) => parseToml(plain, { integersAsBigInt: "asNeeded" }));
}

function read(text: string, parse: (plain: string) => Data): Data {
  try {
    const data = parse(text.replace(/^\uFEFF/, ""));
    return exceedsDepth(data, DEEPEST) ? undefined : data;
  } catch {
    return undefined;
  }
}
