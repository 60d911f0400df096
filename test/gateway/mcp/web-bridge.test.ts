import { once } from "node:events";
import { createServer, request as ask, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { serveWeb } from "../../../gateway/mcp/web-bridge.ts";

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Serves one handler and returns where. */
async function serve(handle: (request: Request) => Promise<Response>): Promise<string> {
  server = createServer((request, response) => void serveWeb(request, response, handle));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const encoder = new TextEncoder();

it("hands on method, address and headers, and the response's status, headers and body", async () => {
  const seen: unknown[] = [];
  const url = await serve(async (request) => {
    seen.push(request.method, new URL(request.url).pathname, request.headers.get("x-one"));
    return Response.json({ ok: true }, { status: 207, headers: { "x-two": "b" } });
  });
  const response = await fetch(`${url}/mcp`, { method: "POST", headers: { "x-one": "a" }, body: "{}" });
  expect(seen).toEqual(["POST", "/mcp", "a"]);
  expect(response.status).toBe(207);
  expect(response.headers.get("x-two")).toBe("b");
  expect(await response.json()).toEqual({ ok: true });
});

it("answers without a body", async () => {
  const url = await serve(async () => new Response(null, { status: 202 }));
  const response = await fetch(url, { method: "POST" });
  expect([response.status, await response.text()]).toEqual([202, ""]);
});

it("sends the head of a stream before its first piece", async () => {
  const first = Promise.withResolvers<void>();
  const url = await serve(
    async () =>
      new Response(
        new ReadableStream({
          async start(controller) {
            await first.promise;
            controller.enqueue(encoder.encode("data: 1\n\n"));
            controller.close();
          },
        }),
        { headers: { "content-type": "text/event-stream" } },
      ),
  );
  const response = await fetch(url);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  first.resolve();
  expect(await response.text()).toBe("data: 1\n\n");
});

it("tells the handler and the stream that the client has left", async () => {
  const aborted = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const url = await serve(async (request) => {
    request.signal.addEventListener("abort", () => aborted.resolve());
    return new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(encoder.encode(":\n\n")),
        cancel: () => cancelled.resolve(),
      }),
    );
  });
  const left = new AbortController();
  const response = await fetch(url, { signal: left.signal });
  expect(response.status).toBe(200);
  left.abort();
  await Promise.all([aborted.promise, cancelled.promise]);
});

it("leaves a stream unread that comes when no one is there any more", async () => {
  const cancelled = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const url = await serve(async (request) => {
    arrived.resolve();
    await new Promise<void>((resolve) => request.signal.addEventListener("abort", () => resolve()));
    return new Response(new ReadableStream({ cancel: () => cancelled.resolve() }));
  });
  const left = new AbortController();
  const gone = fetch(url, { signal: left.signal }).catch(() => "gone");
  await arrived.promise;
  left.abort();
  expect(await gone).toBe("gone");
  await cancelled.promise;
});

it("does not let half a response pass for a whole one", async () => {
  const url = await serve(
    async () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(encoder.encode("half")),
          pull: (controller) => controller.error(new Error("broke")),
        }),
      ),
  );
  const response = await fetch(url);
  await expect(response.text()).rejects.toThrow("terminated");
});

it("waits for a client that reads slowly", async () => {
  let made = 0;
  const url = await serve(
    async () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            made += 1;
            controller.enqueue(new Uint8Array(1024 * 1024));
            if (made === 64) controller.close();
          },
        }),
      ),
  );
  const call = ask(url);
  call.end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  await once(response, "readable");
  const before = made;
  expect(before).toBeLessThan(64);
  let bytes = 0;
  for await (const piece of response) bytes += (piece as Buffer).length;
  expect(bytes).toBe(64 * 1024 * 1024);
});
