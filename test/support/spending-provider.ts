import type { IncomingMessage, ServerResponse } from "node:http";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { findModel } from "../../gateway/catalog/lookup.ts";
import type { ProviderId } from "../../gateway/providers/registry.ts";
import { Refused, allowedUsage } from "./allowed-usage.ts";
import { PIXEL_BASE64 } from "./image-acts.ts";
import { LoopbackServer, bodyOf } from "./loopback-server.ts";

type Json = Readonly<Record<string, unknown>>;

/** USD for a million tokens of what goes in and of what comes out. */
export interface Rates {
  readonly input: number;
  readonly output: number;
}

interface HttpResponse {
  readonly input: number;
  readonly output: number;
  readonly body: Json | readonly string[];
}

const LONG_LISTED = { id: "house-model", longest: 8_192, context: 128_000, reasons: false };

/**
 * Providers that use every token that a request allows, nearly all of it for reasoning that no one sees, and keep a
 * ledger of what that costs. They answer when `gate` opens.
 */
export class SpendingProvider extends LoopbackServer {
  /** Requests that were let through to here. */
  seen = 0;
  /** Nano USD that they cost. */
  ledger = 0;
  readonly refusals: string[] = [];
  rates: Rates = { input: 0, output: 0 };
  /** Providers by id that fail: with a status before they do anything, or by breaking off once they have read the prompt. */
  failing: Readonly<Record<string, { readonly status: number } | { readonly inputRate: number }>> = {};
  gate: Promise<unknown> = Promise.resolve();
  onSeen: () => void = () => undefined;

  protected async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming);
    const [path = ""] = (incoming.url ?? "").split("?");
    if (path.endsWith("/models")) {
      const pricing = { prompt: "0.000003", completion: "0.000015" };
      const listed = {
        id: LONG_LISTED.id,
        context_length: 128_000,
        pricing,
        top_provider: { max_completion_tokens: 8_192 },
      };
      return json(outgoing, 200, { data: [listed] });
    }
    if (incoming.method === "GET") return json(outgoing, 404, { error: { message: "no such list" } });
    const fails = this.failing[path.split("/")[1] ?? ""];
    if (fails !== undefined) {
      if ("status" in fails) return json(outgoing, fails.status, { error: { message: "down", type: "server_error" } });
      this.ledger += promptOf(JSON.parse(body.toString()) as Json) * fails.inputRate * 1_000;
      return void outgoing.destroy();
    }
    this.seen += 1;
    this.onSeen();
    await this.gate;
    let response: HttpResponse;
    try {
      response = path.includes("/images/edits")
        ? pictures(EDIT_INPUT, EDIT_INPUT)
        : respondTo(path, JSON.parse(body.toString()) as Json);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refusals.push(error.message);
      return json(outgoing, 400, { error: { message: error.message } });
    }
    this.ledger += (response.input * this.rates.input + response.output * this.rates.output) * 1_000;
    if (!Array.isArray(response.body)) return json(outgoing, 200, response.body);
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    for (const frame of response.body as readonly string[]) outgoing.write(frame);
    outgoing.end();
  }
}

function json(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const event = (data: Json): string => `data: ${JSON.stringify(data)}\n\n`;
const named = (data: Json): string => `event: ${String(data["type"])}\n${event(data)}`;

function respondTo(path: string, body: Json): HttpResponse {
  const provider = path.split("/")[1] as ProviderId;
  const input = promptOf(body);
  if (path.endsWith("/embeddings")) return embeddings(body, input);
  if (path.endsWith("/images/generations")) return pictures(input);
  if (path.endsWith("/audio/speech")) return speech(body, input);
  if (path.endsWith(":generateContent")) return drawing(body, input);
  const spec = findModel(String(body["model"]));
  const model =
    spec === undefined
      ? LONG_LISTED
      : { id: spec.id, longest: spec.maxOutput, context: spec.contextLength, reasons: spec.reasoning !== undefined };
  const { perChoice, responses } = allowedUsage(provider, path, body, model);
  const output = perChoice * responses;
  const streams = body["stream"] === true;
  if (path.endsWith("/messages")) return { input, output, body: message(input, output, streams) };
  if (path.endsWith("/responses")) return { input, output, body: response(input, output, streams) };
  return { input, output, body: completion(provider, input, output, streams) };
}

/** As many tokens as its text has, and what goes around it. */
function promptOf(body: Json): number {
  const texts: string[] = [];
  const read = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(read);
  };
  for (const field of ["messages", "input", "system", "instructions", "prompt", "contents"]) read(body[field]);
  return texts.reduce((sum, text) => sum + countTokens(text), 0) + 7;
}

function completion(provider: string, input: number, output: number, streams: boolean): HttpResponse["body"] {
  // Some count reasoning next to the completion, most within it.
  const extra = provider === "xai" || provider === "gemini";
  const usage = {
    prompt_tokens: input,
    completion_tokens: extra ? 1 : output,
    total_tokens: input + output,
    completion_tokens_details: { reasoning_tokens: output - 1 },
  };
  const head = { id: "c", created: 1, model: "m" };
  if (!streams) {
    const choices = [{ index: 0, message: { role: "assistant", content: "x" }, finish_reason: "length" }];
    return { ...head, object: "chat.completion", choices, usage };
  }
  const chunk = (choices: readonly Json[], more: Json = {}): string =>
    event({ ...head, object: "chat.completion.chunk", choices, ...more });
  return [
    chunk([{ index: 0, delta: { role: "assistant", content: "x" }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: "length" }]),
    chunk([], { usage }),
    "data: [DONE]\n\n",
  ];
}

function message(input_tokens: number, output_tokens: number, streams: boolean): HttpResponse["body"] {
  const whole = { id: "m", type: "message", role: "assistant", model: "m" };
  const usage = { input_tokens, output_tokens };
  const text = { type: "text", text: "x" };
  if (!streams) return { ...whole, content: [text], stop_reason: "max_tokens", usage };
  return [
    named({ type: "message_start", message: { ...whole, content: [], usage: { input_tokens, output_tokens: 1 } } }),
    named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x" } }),
    named({ type: "content_block_stop", index: 0 }),
    named({ type: "message_delta", delta: { stop_reason: "max_tokens" }, usage }),
    named({ type: "message_stop" }),
  ];
}

function response(input_tokens: number, output_tokens: number, streams: boolean): HttpResponse["body"] {
  const whole = {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "m",
    status: "completed",
    output: [
      {
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "x" }],
      },
    ],
    usage: {
      input_tokens,
      output_tokens,
      total_tokens: input_tokens + output_tokens,
      output_tokens_details: { reasoning_tokens: output_tokens - 1 },
    },
  };
  if (!streams) return whole;
  return [
    named({
      type: "response.created",
      sequence_number: 0,
      response: { ...whole, status: "in_progress", output: [], usage: null },
    }),
    named({
      type: "response.output_text.delta",
      sequence_number: 1,
      item_id: "msg_1",
      output_index: 0,
      content_index: 0,
      delta: "x",
    }),
    named({ type: "response.completed", sequence_number: 2, response: whole }),
  ];
}

function embeddings(body: Json, input: number): HttpResponse {
  const inputs = Array.isArray(body["input"]) ? body["input"] : [body["input"]];
  const data = inputs.map((_, index) => ({ object: "embedding", index, embedding: [0.5, 0.25] }));
  const usage = { prompt_tokens: input, total_tokens: input };
  return { input, output: 0, body: { object: "list", model: "m", data, usage } };
}

/** The finest picture of its kind (gpt-image-2, 2880 pixels square). */
const FINEST = 23_702;
/** A prompt of some words, and a picture of a pixel at high fidelity. */
const EDIT_INPUT = 7_360;

function pictures(input: number, image_tokens = 0): HttpResponse {
  const usage = {
    total_tokens: input + FINEST,
    input_tokens: input,
    output_tokens: FINEST,
    input_tokens_details: { image_tokens },
  };
  return { input, output: FINEST, body: { created: 1, data: [{ b64_json: PIXEL_BASE64 }], usage } };
}

/** Gemini thinks as long as it may, and draws. */
function drawing(body: Json, input: number): HttpResponse {
  const config = (body["generationConfig"] ?? {}) as Json;
  const output = typeof config["maxOutputTokens"] === "number" ? config["maxOutputTokens"] : 32_768;
  const parts = [{ inlineData: { mimeType: "image/png", data: PIXEL_BASE64 } }];
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
    candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: output }],
  };
  return { input, output, body: { candidates: [{ content: { parts } }], usageMetadata } };
}

/** Slow speech: ten letters a second, at some 21 tokens for each. */
function speech(body: Json, input: number): HttpResponse {
  const output = Math.ceil((String(body["input"]).length / 10) * 20.83);
  const sound = Buffer.alloc(64).toString("base64");
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
  return {
    input,
    output,
    body: [event({ type: "speech.audio.delta", audio: sound }), event({ type: "speech.audio.done", usage })],
  };
}
