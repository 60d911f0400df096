import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PIXEL_BASE64 } from "../../support/image-acts.ts";
import { payloads, wholeText } from "./hostile-payloads.ts";

/** An OpenAI on loopback that means ill: whatever it says, down to the names of its models, is a payload. */
export interface HostileProvider {
  readonly baseUrl: string;
  /** `host:port`. */
  readonly host: string;
  close(): Promise<void>;
}

/** What the prompt `act:NAME` makes it do in a chat. */
export type ChatAct = "say" | "stream" | "tool" | "refuse" | "fail" | "lock";

type Fields = Readonly<Record<string, unknown>>;

export async function startHostileProvider(): Promise<HostileProvider> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing, (turn += 1)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    baseUrl: `http://${host}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, turn: number): Promise<void> {
  let text = "";
  for await (const part of incoming) text += String(part);
  const payload = payloads[turn % payloads.length] ?? "";
  const path = (incoming.url ?? "").replace(/^\/v1/, "");
  const send = (status: number, body: unknown): void => {
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const fail = (status: number): void =>
    send(status, {
      error: { message: `${payload} ${wholeText.slice(0, 5_000)}`, type: payload, param: payload, code: payload },
    });
  if (path === "/models") {
    const ids = [...payloads, "gpt-4.1", "gpt-image-1", "text-embedding-3-small", "tts-1", "sora-2"];
    return send(200, { object: "list", data: ids.map((id) => ({ id, object: "model", created: 0, owned_by: id })) });
  }
  if (path === "/chat/completions") {
    const act = /act:(\w+)/.exec(text)?.[1] as ChatAct | undefined;
    if (act === "fail") return fail(turn % 2 === 0 ? 400 : 422);
    if (act === "lock") return fail(401);
    const message = messageOf(act ?? "say", payload);
    if (act === "stream") return stream(outgoing, message);
    const choices = [{ index: 0, message, logprobs: null, finish_reason: act === "tool" ? "tool_calls" : "stop" }];
    return send(200, { id: payload, object: "chat.completion", created: 0, model: payload, choices, usage });
  }
  if (path === "/images/generations") {
    return send(200, { created: 0, data: [{ b64_json: PIXEL_BASE64, revised_prompt: payload }], usage: imageUsage });
  }
  if (path === "/embeddings") {
    const { input } = JSON.parse(text) as { input: readonly string[] };
    const data = input.map((_, index) => ({ object: payload, index, embedding: [index, 1, 0.5] }));
    return send(200, { object: payload, data, model: payload, usage: { prompt_tokens: 3, total_tokens: 3 } });
  }
  if (path === "/images/edits") return send(200, { created: 0, data: [{ b64_json: PIXEL_BASE64 }], usage: imageUsage });
  if (path === "/videos") return send(200, video(`video_${turn}`, "queued", payload));
  if (path.startsWith("/videos/")) {
    return send(200, { ...video(path.slice(8), "failed", payload), error: { code: payload, message: payload } });
  }
  fail(404);
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const imageUsage = {
  total_tokens: 20,
  input_tokens: 10,
  output_tokens: 10,
  input_tokens_details: { text_tokens: 10, image_tokens: 0 },
};

const video = (id: string, status: string, prompt: string): Fields => ({
  id,
  object: "video",
  model: "sora-2",
  status,
  progress: 0,
  created_at: 1_700_000_000,
  prompt,
  size: "720x1280",
  seconds: "4",
});

function messageOf(act: ChatAct, payload: string): Fields {
  const base = { role: "assistant", content: act === "refuse" || act === "tool" ? null : `${payload}\n\n${wholeText}` };
  if (act === "refuse") return { ...base, refusal: `${payload} ${wholeText}` };
  if (act !== "tool") return { ...base, reasoning_content: payload };
  const call = { name: payload, arguments: JSON.stringify({ [payload]: payload, text: wholeText }) };
  const broken = { name: payload, arguments: `{"${payload}` };
  return {
    ...base,
    tool_calls: [
      { id: payload, type: "function", function: call },
      { id: "b", type: "function", function: broken },
    ],
  };
}

function stream(outgoing: ServerResponse, message: Fields): void {
  const frame = (delta: Fields, finish: string | null = null): string => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    return `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 0, model: "x", choices })}\n\n`;
  };
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  // Cut where payloads are in halves: what is put together on the page must be text too.
  for (const part of String(message["content"]).match(/[^]{1,997}/g) ?? []) outgoing.write(frame({ content: part }));
  outgoing.end(`${frame({}, "stop")}data: [DONE]\n\n`);
}
