import { writeGeminiAddress } from "../../../gateway/contract/gemini-address.ts";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { Recording } from "../../../gateway/contract/requests.ts";
import { formatCurlSample } from "../../lib/samples/curl.ts";
import { exampleRequest, type ExampleKind } from "../../lib/samples/example-requests.ts";

/** Stands for the key in copied commands, so that no key is copied. */
const KEY = { text: "sk-…" } as const;

/** Example calls by a receipt's endpoint. */
const EXAMPLES: Readonly<Record<string, ExampleKind>> = {
  messages: "messages",
  embeddings: "embedding",
  speech: "speech",
  transcriptions: "transcription",
  translations: "translation",
  images: "image",
  edits: "image_edit",
  videos: "video",
  moderations: "moderation",
};

/**
 * Formats a request as a POSIX shell command: from its recording, or else as a template call of its model.
 * @param origin Postern's own origin, e.g. http://127.0.0.1:6174
 */
export function formatRequestCurl(origin: string, receipt: Receipt, recording: Recording | null): string {
  if (recording === null) return formatCurlSample(origin, getSkeleton(receipt), KEY);
  const { path, headers, request, response } = recording;
  const streams = response?.type === "text/event-stream";
  return formatCurlSample(origin, { path, headers, body: request.text, streams }, KEY);
}

function getSkeleton({ endpoint, model, stream }: Receipt) {
  if (endpoint === "completions") return { path: "/v1/completions", body: { model, prompt: "Say hello.", stream } };
  if (endpoint === "responses") return { path: "/v1/responses", body: { model, input: "Say hello.", stream } };
  if (endpoint === "gemini")
    return { path: writeGeminiAddress(model, stream), body: { contents: [{ parts: [{ text: "Say hello." }] }] } };
  const example = exampleRequest(EXAMPLES[endpoint] ?? "chat", model);
  const { body } = example;
  return stream && !(body instanceof FormData) && endpoint !== "speech"
    ? { ...example, body: { ...body, stream } }
    : example;
}
