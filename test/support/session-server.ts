import { once } from "node:events";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer, type AuthInfo } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Later } from "../../gateway/lib/later.ts";
import { Sessions } from "../../gateway/mcp/sessions/sessions.ts";
import { serveWeb } from "../../gateway/mcp/web-bridge.ts";
import { TestClock } from "./test-clock.ts";

/** A request that the server has answered with a head; `last` is its Last-Event-ID. */
export interface Seen {
  readonly method: string;
  readonly last: string | null;
  readonly status: number;
}

export type SessionServer = Awaited<ReturnType<typeof startSessionServer>>;

/** Only `Sessions` and tools for tests over real HTTP. The bearer of a request is the id of its key. */
export async function startSessionServer() {
  const clock = new TestClock();
  const timers = new Set<{ at: number; work: () => void }>();
  let elapsed = 0;
  const later: Later = (ms, work) => {
    const timer = { at: elapsed + ms, work };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const pending = new Map<string, Pending>();
  const hold = (name: string): Pending => {
    const one = pending.get(name) ?? {
      begun: Promise.withResolvers(),
      ended: Promise.withResolvers(),
      aborted: Promise.withResolvers(),
    };
    pending.set(name, one);
    return one;
  };
  let made = 0;
  const waiting = new Set<() => void>();
  const open = (): Sessions =>
    new Sessions({
      clock,
      later,
      onChange: () => waiting.forEach((look) => look()),
      secretOf: () => Buffer.alloc(32, 7),
      makeServer: (info) => {
        made += 1;
        return testServer(info, hold);
      },
    });
  let sessions = open();
  const seen: Seen[] = [];
  const watchers = new Set<() => void>();

  const server = createServer((request, response) => {
    const head = response.writeHead.bind(response);
    response.writeHead = ((status: number, headers: OutgoingHttpHeaders) => {
      seen.push({ method: request.method ?? "", last: (request.headers["last-event-id"] as string) ?? null, status });
      queueMicrotask(() => watchers.forEach((look) => look()));
      // No request shall go out on a connection that is just being cut.
      return head(status, { ...headers, connection: "close" });
    }) as ServerResponse["writeHead"];
    void serve(request, response);
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const keyId = (request.headers.authorization ?? "").replace("Bearer ", "");
    const caller = { keyId, authInfo: { token: "", clientId: keyId, scopes: [] } };
    const body = request.method === "POST" ? await jsonOf(request) : undefined;
    await serveWeb(request, response, (web) => sessions.handle(web, caller, body));
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    clock,
    get sessions() {
      return sessions;
    },
    /** Servers of the protocol so far: one for each session that came into memory. */
    get made() {
      return made;
    },
    /** Resolves when the tool `hold` was called with this name. */
    begun: (name: string) => hold(name).begun.promise,
    /** Resolves when that call was cancelled. */
    aborted: (name: string) => hold(name).aborted.promise,
    release: (name: string) => hold(name).ended.resolve(),
    /** Resolves with the first request, of those past and to come, that is as described. */
    answered: (as: (request: Seen) => boolean) =>
      new Promise<Seen>((resolve) => {
        const look = (): void => {
          const found = seen.find(as);
          if (found === undefined) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      }),
    /** Resolves when this is true of the sessions; looked at whenever they say that they have changed. */
    until: (is: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (!is()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    seen,
    /** Every connection breaks. */
    cut: () => server.closeAllConnections(),
    /** Postern ends and another one begins at the same address with the same store. */
    restart: async () => {
      server.closeAllConnections();
      await sessions.close();
      sessions = open();
    },
    pass: (ms: number) => {
      clock.advance(ms);
      elapsed += ms;
      for (const timer of timers) {
        if (timer.at > elapsed || !timers.delete(timer)) continue;
        timer.work();
      }
    },
    timers,
    close: async () => {
      await sessions.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Pending {
  readonly begun: PromiseWithResolvers<void>;
  readonly ended: PromiseWithResolvers<void>;
  readonly aborted: PromiseWithResolvers<void>;
}

const TEXT = z.object({ text: z.string() });
const NAME = z.object({ name: z.string() });

function testServer(info: AuthInfo, hold: (name: string) => Pending): McpServer {
  const server = new McpServer({ name: "sessions", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  server.registerTool("echo", { inputSchema: TEXT }, ({ text }) => message(text));
  server.registerTool("who", {}, () =>
    message(JSON.stringify([info.clientId, server.server.getClientVersion(), server.server.getClientCapabilities()])),
  );
  server.registerTool("ask", {}, async ({ mcpReq }) => {
    const response = await mcpReq.elicitInput({
      message: "Which colour?",
      requestedSchema: { type: "object", properties: { colour: { type: "string" } } },
    });
    return message(String(response.content?.["colour"]));
  });
  server.registerTool("hold", { inputSchema: NAME }, async ({ name }, { mcpReq }) => {
    const { begun, ended, aborted } = hold(name);
    mcpReq.signal.addEventListener("abort", () => aborted.resolve());
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    }
    begun.resolve();
    await ended.promise;
    return message(`${name} was released`);
  });
  return server;
}

function message(text: string) {
  return { content: [{ type: "text" as const, text }] };
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === "" ? undefined : JSON.parse(text);
}

/** One event of a stream. */
export interface StreamEvent {
  readonly id: string | null;
  readonly message: Record<string, unknown> | null;
}

/** The events of a stream that has ended, or its first `most`. */
export async function eventsOf(response: Response, most = Infinity): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    for (const one of whole) {
      if (one.startsWith(":")) continue;
      const data = /^data: (.+)$/m.exec(one)?.[1];
      events.push({
        id: /^id: (.*)$/m.exec(one)?.[1] ?? null,
        message: data === undefined ? null : (JSON.parse(data) as Record<string, unknown>),
      });
      if (events.length >= most) return events;
    }
  }
  return events;
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: { form: {} } },
    clientInfo: { name: "raw", version: "3" },
  },
};

export interface Sent {
  readonly method?: string;
  readonly key?: string;
  readonly session?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers and body of a request to `/mcp`, for `fetch` and for `Request`. */
export function request(
  message: unknown,
  { method = "POST", key = "key_a", session, headers }: Sent = {},
): RequestInit {
  return {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      accept: "application/json, text/event-stream",
      ...(message === undefined ? {} : { "content-type": "application/json" }),
      "mcp-protocol-version": "2025-11-25",
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...headers,
    },
    ...(message === undefined ? {} : { body: JSON.stringify(message) }),
  };
}

export function toolCall(id: number | string, name: string, args: Record<string, unknown> = {}) {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}
