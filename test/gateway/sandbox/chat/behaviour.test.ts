import { describe, expect, it } from "vitest";
import { requests, useSandbox } from "../running-sandbox.ts";

describe("what a prompt can ask the sandbox to do", () => {
  const running = useSandbox();
  const send = async (prompt: string, more: object = {}): Promise<Response> =>
    running.send("/v1/chat/completions", { model: "plain-model", messages: requests(prompt), ...more });

  it("obeys the last user message only", async () => {
    const messages = [...requests("sandbox:fail"), { role: "assistant", content: "No." }, ...requests("and now?")];
    expect((await send("", { messages })).status).toBe(200);
  });

  it("takes as long as reported, spread over a stream", async () => {
    const start = performance.now();
    const response = await send("sandbox:slow=800", { stream: true });
    const pieces: string[] = [];
    for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece).toString());
    expect(performance.now() - start).toBeGreaterThanOrEqual(790);
    expect(pieces[0]).not.toContain("[DONE]");
    expect(pieces.at(-1)).toContain("[DONE]");
  });

  it("counts slowly, a number every 50 ms", async () => {
    const start = performance.now();
    const response = await send("count slowly to 6", { stream: true });
    expect((await response.text()).match(/"content":" \d"/g)).toHaveLength(6);
    expect(performance.now() - start).toBeGreaterThanOrEqual(290);
  });

  it("forgets a client that leaves, and its timers with it", async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    // Others in this process have theirs.
    const before = timers();
    const leaving = new AbortController();
    const { key } = running.sandbox;
    const open = await Promise.all(
      Array.from({ length: 50 }, async () =>
        fetch(`${running.base}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}` },
          body: JSON.stringify({ model: "plain-model", stream: true, messages: requests("sandbox:slow=600000") }),
          signal: leaving.signal,
        }),
      ),
    );
    await expect.poll(timers, { timeout: 5_000 }).toBeGreaterThanOrEqual(before + 50);
    leaving.abort();
    await Promise.allSettled(open.map(async (response) => response.text()));
    await expect.poll(timers, { timeout: 5_000 }).toBeLessThan(before + 10);
  });
});
