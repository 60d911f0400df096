import { KEY, type TestGateway } from "../../../support/running-gateway.ts";

/** Both ways in which the endpoint is spoken to: with sessions, and with each request for itself. */
export type Era = "2025-11-25" | "2026-07-28";
export const OLD: Era = "2025-11-25";
export const NEW: Era = "2026-07-28";
export const ERAS: readonly Era[] = [OLD, NEW];

/** One JSON-RPC message as it came. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: ToolResult;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

export interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly _meta?: {
    readonly "postern/error"?: { readonly code: string; readonly status: number };
    readonly "postern/result"?: Record<string, unknown>;
  };
}

export interface SendOptions {
  readonly key?: string;
  readonly session?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: "begin",
  method: "initialize",
  params: { protocolVersion: OLD, capabilities: {}, clientInfo: { name: "raw", version: "1" } },
} as const;

/** A request in the words of its era. */
export function rpc(era: Era, id: unknown, method: string, params: Readonly<Record<string, unknown>> = {}): object {
  if (era === OLD) return { jsonrpc: "2.0", id, method, params };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": NEW,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
    ...(params["_meta"] as object | undefined),
  };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta } };
}

/** The headers that go with a message of its era. */
export function headersFor(era: Era, message: unknown): Record<string, string> {
  if (era === OLD) return { "mcp-protocol-version": OLD };
  const { method = "", params } = message as { method?: string; params?: { name?: unknown; uri?: unknown } };
  const name = params?.name ?? params?.uri;
  return {
    "mcp-protocol-version": NEW,
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": name } : {}),
  };
}

/** `POST /mcp`. A message that is not text is sent as JSON. */
export function post(gateway: TestGateway, message: unknown, options: SendOptions = {}): Promise<Response> {
  const { key = KEY, session, headers, signal } = options;
  return fetch(`${gateway.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...headers,
    },
    body: typeof message === "string" ? message : JSON.stringify(message),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** `GET` or `DELETE` of a session. */
export function without(
  gateway: TestGateway,
  method: "GET" | "DELETE",
  { key = KEY, session, headers, signal }: SendOptions = {},
): Promise<Response> {
  return fetch(`${gateway.url}/mcp`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      accept: "text/event-stream",
      "mcp-protocol-version": OLD,
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...headers,
    },
    ...(signal === undefined ? {} : { signal }),
  });
}

/** A session of its own; its id. */
export async function begin(gateway: TestGateway, key = KEY): Promise<string> {
  const response = await post(gateway, INITIALIZE, { key });
  const text = await response.text();
  const id = response.headers.get("mcp-session-id");
  if (!response.ok || id === null) throw new Error(`no session: ${response.status} ${text}`);
  return id;
}

/** Sends a request in its era; the older one's in `session`. */
export function send(
  gateway: TestGateway,
  era: Era,
  message: unknown,
  { headers, session, ...options }: SendOptions = {},
): Promise<Response> {
  return post(gateway, message, {
    ...options,
    headers: { ...headersFor(era, message), ...headers },
    ...(era === OLD && session !== undefined ? { session } : {}),
  });
}

/** All messages of a response, be it JSON or a stream that ends. */
export async function messagesOf(response: Response): Promise<readonly Message[]> {
  return parsed(await response.text(), response.headers.get("content-type") ?? "");
}

export function parsed(text: string, type: string): readonly Message[] {
  if (text === "") return [];
  if (!type.startsWith("text/event-stream")) return [JSON.parse(text) as Message];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data) as Message);
}

export interface CallOptions extends SendOptions {
  readonly id?: unknown;
  readonly progressToken?: unknown;
}

export function toolCall(era: Era, name: string, args: unknown, { id = 1, progressToken }: CallOptions = {}): object {
  const _meta = progressToken === undefined ? {} : { _meta: { progressToken } };
  return rpc(era, id, "tools/call", { name, arguments: args, ..._meta });
}

/** Calls a tool and waits for all of its response. In the older era a session is started unless one is given. */
export async function call(
  gateway: TestGateway,
  era: Era,
  name: string,
  args: unknown,
  options: CallOptions = {},
): Promise<{ readonly status: number; readonly messages: readonly Message[]; readonly result: ToolResult }> {
  const session = options.session ?? (era === OLD ? await begin(gateway, options.key) : undefined);
  const message = toolCall(era, name, args, options);
  const response = await send(gateway, era, message, { ...options, ...(session === undefined ? {} : { session }) });
  const messages = await messagesOf(response);
  const result = messages.at(-1)?.result;
  return { status: response.status, messages, result: result ?? { content: [] } };
}

/** The gateway's code in a result that failed; null in one that did not. */
export const codeOf = (result: ToolResult): string | null => result._meta?.["postern/error"]?.code ?? null;

/** All texts of a result. */
export const textOf = (result: ToolResult): string => result.content.map(({ text = "" }) => text).join("\n");

/** A stream that stays open: what came, and its end. */
export class OpenStream {
  readonly response: Response;
  text = "";
  /** Resolves when the other side has ended it, with whether it did so in order. */
  readonly ended: Promise<boolean>;
  readonly #stop: AbortController;
  readonly #looking = new Set<() => void>();

  private constructor(response: Response, stop: AbortController) {
    this.response = response;
    this.#stop = stop;
    this.ended = this.#read();
  }

  static async of(started: (signal: AbortSignal) => Promise<Response>): Promise<OpenStream> {
    const stop = new AbortController();
    return new OpenStream(await started(stop.signal), stop);
  }

  /** The messages so far. */
  get messages(): readonly Message[] {
    return parsed(this.text.slice(0, this.text.lastIndexOf("\n\n") + 2), "text/event-stream");
  }

  /** Resolves when the text so far is as wanted. */
  until(met: (text: string) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!met(this.text)) return;
        this.#looking.delete(look);
        resolve();
      };
      this.#looking.add(look);
      void this.ended.then(() => (met(this.text) ? resolve() : reject(new Error(`it ended: ${this.text}`))));
      look();
    });
  }

  /** The client leaves. */
  leave(): void {
    this.#stop.abort();
  }

  async #read(): Promise<boolean> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body ?? []) {
        this.text += decoder.decode(chunk as Uint8Array, { stream: true });
        for (const look of this.#looking) look();
      }
      return true;
    } catch {
      return false;
    }
  }
}
