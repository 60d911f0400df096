import type { Recording } from "../../contract/requests.ts";

/** Matches the model's text in one event of a stream, by the fields of all dialects. */
const WRITTEN =
  /"(?:content|text|delta|reasoning|reasoning_content|thinking|partial_json|arguments|transcript)":"((?:[^"\\]|\\.)*)"/g;
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(.))/g;
const ESCAPED: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/**
 * Tells whether a request or its response contains a text, ignoring case: as sent, with JSON escapes decoded, and
 * across the events of a stream.
 * @param low in lower case
 */
export function recordingHas({ request, response }: Recording, low: string): boolean {
  if (textHas(request.text, low)) return true;
  if (response === null) return false;
  const body = response.chunks.map(({ text }) => text).join("");
  if (textHas(body, low)) return true;
  return response.chunks.length > 1 && textHas(Array.from(body.matchAll(WRITTEN), ([, text]) => text).join(""), low);
}

const textHas = (text: string, low: string): boolean =>
  text.toLowerCase().includes(low) || (text.includes("\\") && unescapeText(text).toLowerCase().includes(low));

function unescapeText(text: string): string {
  return text.replace(ESCAPE, (_whole, code: string | undefined, letter: string | undefined) =>
    code === undefined ? (ESCAPED[letter ?? ""] ?? letter ?? "") : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
