import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { afterEach, expect, it } from "vitest";
import { LeanApp } from "../../../gateway/http/lean-app.ts";

const server = createServer();
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function serve(app: LeanApp): Promise<string> {
  server.removeAllListeners("request");
  const handle = app.callback();
  server.on("request", (request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it("still finds the method of Koa that it stands in for", () => {
  expect(Koa.prototype).toHaveProperty("handleRequest");
});

it("leaves a POST to the busiest paths to their handlers, and all else to Koa", async () => {
  const app = new LeanApp();
  app.busy("/busy", async (context) => {
    context.res.writeHead(201, { "x-way": "lean" }).end("by the handler");
  });
  app.use(app.shortcut());
  app.use((context) => {
    context.body = { way: "usual" };
  });
  const origin = await serve(app);
  const busy = await fetch(`${origin}/busy?x=1`, { method: "POST" });
  expect([busy.status, busy.headers.get("x-way"), await busy.text()]).toEqual([201, "lean", "by the handler"]);
  for (const [path, method] of [
    ["/busy", "GET"],
    ["/busy/", "POST"],
    ["/other", "POST"],
  ] as const) {
    const other = await fetch(origin + path, { method });
    expect([path, other.status, await other.json()]).toEqual([path, 200, { way: "usual" }]);
  }
});

it("answers what no one caught as a bug, on both ways", async () => {
  const app = new LeanApp();
  app.busy("/busy", () => Promise.resolve());
  const seen: string[] = [];
  app.on("error", (error: Error) => seen.push(error.message));
  app.use(() => {
    throw new Error("nobody caught this");
  });
  const origin = await serve(app);
  for (const path of ["/busy", "/other"]) expect((await fetch(origin + path, { method: "POST" })).status).toBe(500);
  expect(seen).toEqual(["nobody caught this", "nobody caught this"]);
});
