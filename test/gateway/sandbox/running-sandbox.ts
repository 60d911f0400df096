import OpenAI from "openai";
import { afterAll, beforeAll } from "vitest";
import type { ModelSpec } from "../../../gateway/core/models/model.ts";
import { systemClock } from "../../../gateway/lib/clock.ts";
import { startSandbox, type Sandbox } from "../../../gateway/sandbox/server.ts";

const model: ModelSpec = {
  id: "plain-model",
  owner: "openai",
  displayName: "Plain model",
  aliases: ["plain-alias"],
  capabilities: ["chat"],
  contextLength: 50_000,
  maxOutput: 4_096,
  price: null,
  created: 1_700_000_000,
};

export const testModels: readonly ModelSpec[] = [
  model,
  {
    ...model,
    id: "thinking-model",
    aliases: [],
    upstreamId: "provider/thinking-model",
    reasoning: { efforts: ["none", "low", "medium", "high"], dropsSampling: true },
  },
  {
    ...model,
    id: "claude-model",
    owner: "anthropic",
    aliases: [],
    reasoning: { efforts: ["low", "high"], dropsSampling: false },
  },
  { ...model, id: "image-model", aliases: [], capabilities: ["image"] },
  { ...model, id: "video-model", aliases: [], capabilities: ["video"] },
  { ...model, id: "messages-model", aliases: [], capabilities: ["messages"] },
];

export interface RunningSandbox {
  readonly sandbox: Sandbox;
  /** Where the common protocol begins, without `/v1`. */
  readonly base: string;
  readonly client: OpenAI;
  /** A request with the right bearer; `body` is sent as JSON. */
  send(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** A sandbox for the tests of one file, started before and closed after them. */
export function useSandbox(): RunningSandbox {
  let sandbox: Sandbox | undefined;
  const running = (): Sandbox => {
    if (!sandbox) throw new Error("the sandbox is not running yet");
    return sandbox;
  };
  beforeAll(async () => {
    sandbox = await startSandbox({ models: () => testModels, clock: systemClock });
  });
  afterAll(async () => running().close());
  return {
    get sandbox() {
      return running();
    },
    get base() {
      return `${running().origin}/openai-compatible`;
    },
    get client() {
      return new OpenAI({ baseURL: `${running().origin}/openai-compatible/v1`, apiKey: running().key, maxRetries: 0 });
    },
    send: async (path, body, headers = {}) =>
      fetch(`${running().origin}/openai-compatible${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${running().key}`, "content-type": "application/json", ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
  };
}

/** The `data:` payloads of an event stream, `[DONE]` included. */
export function dataOf(stream: string): string[] {
  return stream
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => frame.replace(/^data: /, ""));
}

/** OpenAI's error envelope. */
export interface ErrorBody {
  readonly error: { message: string; type: string; param: string | null; code: string | null };
}

/** The body of a response that is an error. */
export async function errorOf(response: Response): Promise<ErrorBody["error"]> {
  return ((await response.json()) as ErrorBody).error;
}

/** Messages of one user turn. */
export function requests(content: string): { role: "user"; content: string }[] {
  return [{ role: "user", content }];
}
