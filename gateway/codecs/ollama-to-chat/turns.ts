import { GatewayError } from "../../core/errors.ts";
import { asList } from "../../lib/records.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import { parsedArguments } from "../messages-to-chat/tool-arguments.ts";
import { OpenCalls } from "../open-calls.ts";
import type { Document } from "../translation.ts";

/** Prefixes of base64 by the type of the picture; Ollama's clients send no type. */
const PICTURES: readonly (readonly [string, string])[] = [
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
];

/**
 * Converts `messages` to turns of Anthropic's format. Results are matched to calls by id, by name or by order, because
 * older clients know no ids; generated ids are derived from the calls' positions, so that the same conversation always
 * has the same ids and providers' caches hit.
 * @throws GatewayError for a picture that is an address (400)
 */
export function buildTurns(messages: unknown): readonly Document[] {
  let made = 0;
  let open = new OpenCalls();
  return readRecords(messages).map((message, index) => {
    const role = (readText(message["role"]) ?? "").toLowerCase();
    const content = readText(message["content"]);
    const texts = content === null ? [] : [{ type: "text", text: content }];
    const pictures = asList(message["images"]).map((image) => buildPicture(image, `messages[${index}].images`));
    if (role === "system") return { role, content: content ?? "" };
    if (role === "tool") return { role: "user", content: [buildResult(message, [...texts, ...pictures], open)] };
    if (role === "user") return { role, content: [...texts, ...pictures] };
    const calls = readRecords(message["tool_calls"]);
    if (calls.length > 0) open = new OpenCalls();
    const thinking = readText(message["thinking"]);
    return {
      role: "assistant",
      content: [
        ...(thinking === null ? [] : [{ type: "thinking", thinking, signature: "" }]),
        ...texts,
        ...calls.map((call) => buildCall(call, `call_${(made += 1)}`, open)),
      ],
    };
  });
}

/** @param madeId for a call without an id */
function buildCall(call: Document, madeId: string, open: OpenCalls): Document {
  const { name: named, arguments: given } = readRecord(call["function"]);
  const name = readText(named) ?? "";
  const ownId = readText(call["id"]);
  const id = ownId ?? madeId;
  open.add(ownId, name, id);
  return { type: "tool_use", id, name, input: typeof given === "string" ? parsedArguments(given) : readRecord(given) };
}

function buildResult(message: Document, content: readonly Document[], open: OpenCalls): Document {
  const id = readText(message["tool_call_id"]);
  const name = readText(message["tool_name"]) ?? readText(message["name"]);
  return { type: "tool_result", tool_use_id: open.take(id, name) ?? id ?? name ?? "", content };
}

/** A picture in base64, which some clients send as a `data:` address. */
export function buildPicture(image: unknown, param: string): Document {
  const [, type, inner] = /^data:([\w/+.-]+);base64,([^]*)$/.exec(String(image)) ?? [];
  const data = inner ?? String(image);
  if (/^https?:/i.test(data))
    throw new GatewayError(
      "invalid_value",
      `Invalid value for '${param}': expected pictures in base64, no addresses.`,
      {
        param,
      },
    );
  const known = PICTURES.find(([prefix]) => data.startsWith(prefix))?.[1];
  return { type: "image", source: { type: "base64", media_type: type ?? known ?? "image/png", data } };
}
