import type { Units } from "../../core/models/model.ts";
import type { Document, StreamTranslation } from "../translation.ts";
import { readRecord, readText } from "../messages-to-chat/fields.ts";
import { parsedArguments } from "../messages-to-chat/tool-arguments.ts";
import { PartSigner, buildChunk, buildEnd } from "./response.ts";
import type { RequestFacts } from "./response.ts";

/** Events of Anthropic's form as chunks of Google's: texts as they come, each call whole when its arguments are complete. */
export class GeminiStream implements StreamTranslation {
  readonly #request: RequestFacts;
  readonly #signer = new PartSigner();
  #id: string | null = null;
  /** Call whose arguments are being streamed. */
  #call: { readonly id: string; readonly name: unknown } | null = null;
  #pieces: string[] = [];
  #reason: unknown = null;

  constructor(request: RequestFacts) {
    this.#request = request;
  }

  event(event: Document): readonly Document[] {
    switch (event["type"]) {
      case "message_start":
        this.#id = readText(readRecord(event["message"])["id"]);
        return NOTHING;
      case "content_block_start":
        this.#open(readRecord(event["content_block"]));
        return NOTHING;
      case "content_block_delta":
        return this.#readDelta(readRecord(event["delta"]));
      case "content_block_stop":
        return this.#close();
      case "message_delta":
        this.#reason = readRecord(event["delta"])["stop_reason"];
        return NOTHING;
      default:
        return NOTHING;
    }
  }

  end(units: Units): readonly Document[] {
    const last = this.#signer.buildRest() ?? { text: "" };
    return [buildChunk(this.#request, this.#id, [last], buildEnd(this.#reason, units))];
  }

  #open(block: Document): void {
    if (block["type"] !== "tool_use") return;
    this.#call = { id: readText(block["id"]) ?? "", name: block["name"] };
    this.#pieces = [];
  }

  #readDelta(delta: Document): readonly Document[] {
    this.#signer.hold(delta["signature"]);
    const piece = readText(delta["partial_json"]);
    if (piece !== null) this.#pieces.push(piece);
    const thought = readText(delta["thinking"]);
    if (thought !== null) return this.#request.showsThoughts ? this.#write({ text: thought, thought: true }) : NOTHING;
    const text = readText(delta["text"]);
    return text === null ? NOTHING : this.#write({ text });
  }

  #close(): readonly Document[] {
    const call = this.#call;
    if (call === null) return NOTHING;
    this.#call = null;
    return this.#write(this.#signer.buildCall(call.id, call.name, parsedArguments(this.#pieces.join(""))));
  }

  #write(part: Document): readonly Document[] {
    return [buildChunk(this.#request, this.#id, [part], null)];
  }
}

const NOTHING: readonly Document[] = [];
