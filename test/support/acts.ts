import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Act, Exchange } from "./mock-provider.ts";

/** Usage as OpenAI reports it. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens?: number;
  readonly prompt_tokens_details?: Readonly<Record<string, number>>;
  readonly completion_tokens_details?: Readonly<Record<string, number>>;
}

export const USAGE: Usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** A whole response. `usage` null leaves it out. */
export function completionBody(
  content = "Hello from the provider.",
  usage: Usage | null = USAGE,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    id: "chatcmpl-mock",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "mock-2026",
    choices: [{ index: 0, message: { role: "assistant", content }, logprobs: null, finish_reason: "stop" }],
    ...(usage === null ? {} : { usage }),
    ...more,
  };
}

/** The same as text. */
export function completionText(content?: string, usage?: Usage | null): string {
  return JSON.stringify(completionBody(content, usage));
}

/** A whole response of Anthropic's. `usage` null leaves it out. */
export function claudeMessage(
  text = "Hello.",
  usage: object | null = { input_tokens: 10, output_tokens: 5 },
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "mock-2026",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    ...(usage === null ? {} : { usage }),
    ...more,
  };
}

/** Answers with status, body and headers. */
export function respond(status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Act {
  return ({ outgoing, sent }) => {
    outgoing.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    sent(Buffer.byteLength(body));
  };
}

export function completion(content?: string, usage?: Usage | null): Act {
  return respond(200, completionText(content, usage));
}

/** OpenAI's error envelope. */
export function failure(
  status: number,
  error: { message?: string; type?: string; code?: string | number | null; param?: string | null } = {},
  headers: Readonly<Record<string, string>> = {},
): Act {
  const whole = { message: `mock error ${status}`, type: "server_error", param: null, code: null, ...error };
  return respond(status, JSON.stringify({ error: whole }), headers);
}

/** One chunk of a stream, as JSON text. */
export function chunkText(
  delta: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({
    id: "chatcmpl-mock",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "mock-2026",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null }],
    ...extra,
  });
}

export function contentFrame(content: string): string {
  return `data: ${chunkText({ content })}\n\n`;
}

export const FINISH_FRAME = `data: ${chunkText({}, { choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: "stop" }] })}\n\n`;
export const DONE_FRAME = "data: [DONE]\n\n";

export function usageFrame(usage: Usage = USAGE): string {
  return `data: ${chunkText({}, { choices: [], usage })}\n\n`;
}

/** A whole stream: role, words, finish, usage, end mark. */
export function streamFrames(
  words: readonly string[] = ["Hello", " from", " the", " provider."],
  usage: Usage | null = USAGE,
): string[] {
  const role = `data: ${chunkText({ role: "assistant", content: "" })}\n\n`;
  return [role, ...words.map(contentFrame), FINISH_FRAME, ...(usage === null ? [] : [usageFrame(usage)]), DONE_FRAME];
}

const EVENT_STREAM = { "content-type": "text/event-stream; charset=utf-8" };

/** Writes pieces one after another, `gapMs` apart, and waits for the caller to take them. False when it left. */
export async function writePieces(
  exchange: Exchange,
  pieces: readonly (string | Buffer)[],
  gapMs = 0,
): Promise<boolean> {
  const { outgoing, sent } = exchange;
  for (const piece of pieces) {
    if (outgoing.destroyed || outgoing.closed) return false;
    sent(Buffer.byteLength(piece));
    if (!outgoing.write(piece)) await received(outgoing);
    if (gapMs > 0) await pause(gapMs);
  }
  return !outgoing.destroyed;
}

function received(outgoing: Exchange["outgoing"]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done).off("close", done);
      resolve();
    };
    outgoing.once("drain", done).once("close", done);
  });
}

/** A stream of these pieces, then the end of the response. */
export function stream(
  pieces: readonly (string | Buffer)[] = streamFrames(),
  gapMs = 0,
  headers: Readonly<Record<string, string>> = {},
): Act {
  return async (exchange) => {
    exchange.outgoing.writeHead(200, { ...EVENT_STREAM, ...headers });
    if (await writePieces(exchange, pieces, gapMs)) exchange.outgoing.end();
  };
}

/** A stream that never goes on after these pieces. */
export function streamThenHang(
  pieces: readonly (string | Buffer)[],
  headers: Readonly<Record<string, string>> = {},
): Act {
  return async (exchange) => {
    exchange.outgoing.writeHead(200, { ...EVENT_STREAM, ...headers }).flushHeaders();
    await writePieces(exchange, pieces);
  };
}

/** A stream whose connection ends after these pieces, without the end of the response. `rst` resets it. */
export function streamThenCut(pieces: readonly (string | Buffer)[], rst = false): Act {
  return async (exchange) => {
    exchange.outgoing.writeHead(200, EVENT_STREAM);
    await writePieces(exchange, pieces, 5);
    if (rst) exchange.socket.resetAndDestroy();
    else exchange.socket.destroy();
  };
}

/** A stream that goes on until the caller leaves. */
export function endlessStream(frame = contentFrame("word "), gapMs = 1): Act {
  return async (exchange) => {
    exchange.outgoing.writeHead(200, EVENT_STREAM);
    while (await writePieces(exchange, [frame], gapMs));
  };
}

/** Says nothing at all. */
export const hang: Act = () => {};

/** Resets the connection when the request is complete. */
export const reset: Act = ({ socket }) => {
  socket.resetAndDestroy();
};

/** Waits, then does something else. */
export function after(ms: number, act: Act): Act {
  return async (exchange) => {
    await pause(ms);
    await act(exchange);
  };
}

/** Answers when `gate` opens. */
export function when(gate: Promise<unknown>, act: Act): Act {
  return async (exchange) => {
    await gate;
    await act(exchange);
  };
}

/** Bytes straight onto the socket, past Node's own rules of HTTP; `end` closes behind them. */
export function rawBytes(bytes: string | Buffer, end = true): Act {
  return ({ socket }) => {
    if (end) socket.end(bytes);
    else socket.write(bytes);
  };
}

/** So many bytes of zeros behind a gzip header: a few kilobytes on the wire. */
export function gzipBomb(bytes: number, headers: Readonly<Record<string, string>> = {}): Act {
  return respond(200, gzipSync(Buffer.alloc(bytes)), { "content-encoding": "gzip", ...headers });
}
