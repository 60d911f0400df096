import { rm } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { completion, contentFrame, endlessStream, stream, streamFrames, when } from "../support/acts.ts";
import { ChildGateway } from "../support/child-gateway.ts";
import { startProvider } from "../support/mock-provider.ts";
import type { MockProvider } from "../support/mock-provider.ts";
import { CHAT, KEY, errorOf, startGateway, temporaryFolder, until } from "../support/running-gateway.ts";
import { open } from "../support/raw-http.ts";

let provider: MockProvider;
beforeAll(async () => {
  provider = await startProvider();
});
beforeEach(() => provider.reset());
afterAll(() => provider.close());

async function usageOf(url: string): Promise<number> {
  const response = await fetch(`${url}/v1/dashboard/billing/usage`, { headers: { authorization: `Bearer ${KEY}` } });
  return ((await response.json()) as { total_usage: number }).total_usage;
}

it.each(["SIGTERM", "SIGINT"] as const)("%s lets a running stream end, charges it, and exits 0", async (signal) => {
  const dataDir = await temporaryFolder();
  const env = {
    POSTERN_OPENAI_BASE_URL: provider.baseUrl,
    POSTERN_OPENAI_API_KEY: "sk-v",
    POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "k" }]),
  };
  const first = new ChildGateway(["--port", "0", "--data-dir", dataDir, "--json"], env);
  const { url } = await first.ready();
  provider.next(stream(streamFrames(Array.from({ length: 20 }, () => "word ")), 20));
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ ...CHAT, stream: true }),
  });
  first.kill(signal);
  expect(await response.text()).toContain("[DONE]");
  expect(await first.exited).toBe(0);

  const second = new ChildGateway(["--port", "0", "--data-dir", dataDir, "--json"], env);
  const again = await second.ready();
  // 10 tokens at $2 and 5 at $8 per million.
  expect(await usageOf(again.url)).toBeCloseTo(0.006, 9);
  second.kill("SIGTERM");
  expect(await second.exited).toBe(0);
  await rm(dataDir, { recursive: true, force: true });
});

it("takes no new calls while it drains, and says so", async () => {
  const postern = await startGateway({ provider });
  let go: () => void = () => {};
  provider.next(when(new Promise<void>((resolve) => (go = resolve)), completion()));
  const running = postern.chat();
  await provider.arrived(1);
  // Connected before the stop: the listener is closed for others.
  const socket = await open(postern.port);
  let text = "";
  socket.on("data", (part) => (text += String(part)));
  socket.write("GET /health HT");
  const closed = postern.close();
  socket.write(`TP/1.1\r\nHost: 127.0.0.1:${postern.port}\r\n\r\n`);
  await until(() => text.includes("\r\n\r\n"));
  expect(text).toMatch(/^HTTP\/1\.1 503/);
  expect(text.toLowerCase()).toContain("connection: close");
  expect(text).toContain('"code":"shutting_down"');
  await expect(fetch(`${postern.url}/health`)).rejects.toThrow("fetch failed");
  go();
  expect((await running).status).toBe(200);
  await closed;
  socket.destroy();
});

it("ends a stream that does not end by itself after five seconds, in-band, and bills what was delivered", async () => {
  const postern = await startGateway({ provider });
  provider.next(endlessStream(contentFrame("word "), 20));
  const response = await postern.chat({ ...CHAT, stream: true });
  const read = response.text();
  const started = performance.now();
  await postern.stop();
  expect(performance.now() - started).toBeGreaterThan(4_900);
  const text = await read;
  expect(text).toContain('"code":"shutting_down"');
  expect(text).not.toContain("[DONE]");
  const again = await startGateway({ provider, dataDir: postern.dataDir });
  expect(await again.receipt()).toMatchObject({ outcome: "interrupted", code: "shutting_down", estimated: true });
  expect(await again.spentCents()).toBeGreaterThan(0);
  await again.close();
});

it("stops at once when nothing runs, twice is once, and the folder can be opened again", async () => {
  const postern = await startGateway({ provider, drainMs: 600_000 });
  const idle = await open(postern.port);
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", { name: "kept" });
  await Promise.all([postern.stop(), postern.stop()]);
  idle.destroy();
  const again = await startGateway({ provider, dataDir: postern.dataDir });
  expect((await again.chat(CHAT, secret)).status).toBe(200);
  expect((await errorOf(await again.chat(CHAT, `${secret}x`))).code).toBe("invalid_api_key");
  await again.close();
});
