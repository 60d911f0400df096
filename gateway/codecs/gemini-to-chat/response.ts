import type { Units } from "../../core/models/model.ts";
import { inputTokens, outputTokens } from "../../core/money/price.ts";
import type { Document } from "../translation.ts";
import { readRecord, readRecords, readText } from "../messages-to-chat/fields.ts";
import { splitSignature } from "../messages-to-chat/tool-ids.ts";
import { writePartSignature } from "./signatures.ts";

/** Facts of the request that its response needs. */
export interface RequestFacts {
  readonly model: string;
  /** Whether the client wants thoughts: Google shows none unless `includeThoughts` is true. */
  readonly showsThoughts: boolean;
}

/** A message of Anthropic's form as Google's response. */
export function buildGeminiResponse(message: Document, request: RequestFacts, units: Units): Document {
  const parts: Document[] = [];
  const signer = new PartSigner();
  for (const block of readRecords(message["content"])) {
    if (block["type"] === "thinking") {
      signer.hold(block["signature"]);
      const text = readText(block["thinking"]);
      if (text !== null && request.showsThoughts) parts.push({ text, thought: true });
    } else if (block["type"] === "tool_use") {
      parts.push(signer.buildCall(readText(block["id"]) ?? "", block["name"], readRecord(block["input"])));
    } else if (readText(block["text"]) !== null) parts.push({ text: block["text"] });
  }
  const rest = signer.buildRest();
  if (rest !== null || parts.length === 0) parts.push(rest ?? { text: "" });
  return buildChunk(request, readText(message["id"]), parts, buildEnd(message["stop_reason"], units));
}

/** Attaches a provider's carried reasoning fields where clients keep them: to the next call, else to the end. */
export class PartSigner {
  #pending = "";

  hold(signature: unknown): void {
    const text = readText(signature);
    if (text !== null) this.#pending = writePartSignature(text);
  }

  /**
   * Google's own signature is kept in the call's id only if the signature field is already used.
   * @param shown id with the signature in it (messages-to-chat/tool-ids.ts)
   */
  buildCall(shown: string, name: unknown, args: Document): Document {
    const { id, signature } = splitSignature(shown);
    const pending = this.#pending;
    this.#pending = "";
    const isTaken = pending !== "" && signature !== null;
    const written = pending === "" ? signature : pending;
    return {
      functionCall: { id: isTaken ? shown : id, name, args },
      ...(written === null ? {} : { thoughtSignature: written }),
    };
  }

  /** An empty text with the signature that no call has taken, as Gemini 3 ends its streams; null without one. */
  buildRest(): Document | null {
    return this.#pending === "" ? null : { text: "", thoughtSignature: this.#pending };
  }
}

/** Builds a chunk of a stream, or the complete response. */
export function buildChunk(
  { model }: RequestFacts,
  id: string | null,
  parts: readonly Document[],
  end: { readonly finishReason: string; readonly usageMetadata: Document } | null,
): Document {
  return {
    candidates: [
      {
        content: { parts, role: "model" },
        ...(end === null ? {} : { finishReason: end.finishReason }),
        index: 0,
      },
    ],
    ...(end === null ? {} : { usageMetadata: end.usageMetadata }),
    modelVersion: model,
    ...(id === null ? {} : { responseId: id.replace(/^msg_/, "") }),
  };
}

/** Google uses `STOP` after calls, too. */
export function buildEnd(reason: unknown, units: Units) {
  const finishReason = reason === "max_tokens" ? "MAX_TOKENS" : reason === "refusal" ? "SAFETY" : "STOP";
  return { finishReason, usageMetadata: buildUsage(units) };
}

/** `usageMetadata`: cached tokens are within the prompt, thoughts next to the candidates (docs/providers/gemini.md#native-requests). */
export function buildUsage(units: Units): Document {
  const prompt = inputTokens(units);
  const output = outputTokens(units);
  const thoughts = units.reasoning ?? 0;
  const cached = (units.cached_input ?? 0) + (units.cached_audio_input ?? 0);
  return {
    promptTokenCount: prompt,
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
    candidatesTokenCount: output - thoughts,
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
    totalTokenCount: prompt + output,
  };
}
