import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import type { RequestDetail, RecordingsView, Resent } from "../../../../gateway/contract/requests.ts";
import { completion, failure, stream, streamFrames } from "../../../support/acts.ts";
import { FullDisk } from "../../../support/full-disk.ts";
import { CHAT, KEY, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useProvider } from "../../../support/use-gateway.ts";

const DAY_MS = 86_400_000;
const disk = new FullDisk();
const clock = new TestClock();
const provider = useProvider();
let postern: TestGateway;

beforeAll(async () => {
  disk.install();
  postern = await startGateway({ provider, clock, env: { POSTERN_SANDBOX: "on" } });
});
afterAll(async () => {
  await postern.close();
  disk.remove();
});

const record = (on: boolean): Promise<unknown> => postern.ask("PATCH", "/settings", { record_bodies: on });
const files = (): Promise<string[]> => readdir(join(postern.dataDir, "recordings")).catch(() => []);
const detail = (id: string): Promise<RequestDetail> => postern.ask("GET", `/requests/${id}`);

/** Sends, and opens what was recorded of it. */
async function recorded(response: Promise<Response>): Promise<RequestDetail & { readonly text: string }> {
  const body = await response;
  const text = Buffer.from(await body.arrayBuffer()).toString("utf8");
  return { ...(await detail(body.headers.get("x-request-id") ?? "")), text };
}

const textOf = ({ recording }: RequestDetail): string =>
  (recording?.response?.chunks ?? []).map(({ text }) => text).join("");

describe("while recording is off", () => {
  test("nothing is kept, and a request says so", async () => {
    expect(await postern.ask("GET", "/settings")).toMatchObject({
      record_bodies: false,
      record_keep_days: 7,
      record_max_mib: 512,
    });
    const { receipt, ...found } = await recorded(postern.chat());
    expect(found).toMatchObject({ recording: null, recording_on: false, resend_obstacle: "not_recorded" });
    expect(receipt.model).toBe("gpt-4.1");
    expect(await files()).toEqual([]);
    const refused = await postern.control("POST", `/requests/${receipt.id}/resend`, {});
    expect(refused.status).toBe(409);
  });

  test("an unknown request is not found", async () => {
    expect((await postern.control("GET", "/requests/req_none")).status).toBe(404);
  });
});

describe("while recording is on", () => {
  beforeEach(async () => {
    provider.reset();
    provider.usual = completion();
    await record(true);
  });

  test("the request is kept byte for byte, and the response that the client got, in files for the owner only", async () => {
    const sent = `{ "model": "gpt-4.1",  "messages": [{"role":"user","content":"Say \\"hello\\"."}] }`;
    const { recording, receipt, text, resend_obstacle } = await recorded(postern.chat(sent));
    expect(recording).toMatchObject({
      id: receipt.id,
      path: "/v1/chat/completions",
      headers: {},
      request: { text: sent, bytes: sent.length, cut: false, redacted: false, omitted: 0, form: false },
      status: 200,
      response: { type: "application/json", bytes: text.length, count: 1 },
    });
    expect(recording?.response?.chunks[0]?.text).toBe(text);
    expect(Math.abs((recording?.at ?? 0) - (receipt.at - receipt.ms))).toBeLessThan(1_000);
    expect(resend_obstacle).toBeNull();
    const [name] = await files();
    expect((await stat(join(postern.dataDir, "recordings"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(postern.dataDir, "recordings", name ?? ""))).mode & 0o777).toBe(0o600);
  });

  test("a stream is kept with the moment of each of its pieces", async () => {
    provider.next(stream(streamFrames(["Hel", "lo"]), 10));
    const { recording, text } = await recorded(postern.chat({ ...CHAT, stream: true }));
    const chunks = recording?.response?.chunks ?? [];
    expect(recording?.response?.type).toBe("text/event-stream");
    expect(chunks.map((chunk) => chunk.text).join("")).toBe(text);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.map(({ ms }) => ms)).toEqual(chunks.map(({ ms }) => ms).toSorted((a, b) => a - b));
    expect((chunks.at(-1)?.ms ?? 0) - (chunks[0]?.ms ?? 0)).toBeGreaterThan(20);
  });

  test("a refusal is kept as the client got it, in the words of its dialect", async () => {
    provider.next(failure(400, { message: "No.", type: "invalid_request_error" }));
    const chat = await recorded(postern.chat());
    expect(chat.recording?.status).toBe(400);
    expect(JSON.parse(chat.recording?.response?.chunks[0]?.text ?? "")).toEqual(JSON.parse(chat.text));
    const messages = await recorded(
      postern.post("/messages", { model: "none", max_tokens: 1, messages: [{ role: "user", content: "hi" }] }),
    );
    expect(messages.recording?.status).toBe(404);
    expect(JSON.parse(messages.recording?.response?.chunks[0]?.text ?? "")).toEqual(JSON.parse(messages.text));
  });

  test("what looks like a key is taken out of both, and headers with keys are never there", async () => {
    const secret = "sk-verysecret0123456789abcdef";
    provider.next(completion(`Your key is ${secret}.`));
    const found = await recorded(
      postern.post("/chat/completions", {
        model: "gpt-4.1",
        messages: [{ role: "user", content: `Mine is ${secret}` }],
      }),
    );
    const stored = JSON.stringify(found.recording);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(KEY);
    expect(found.recording?.request.redacted).toBe(true);
    expect(found.recording?.response?.redacted).toBe(true);
    expect(found.resend_obstacle).toBe("incomplete");
  });

  test("pictures are left out of what is kept, and a long request is cut", async () => {
    const picture = `data:image/png;base64,${Buffer.alloc(60_000, 1).toString("base64")}`;
    const content = [
      { type: "image_url", image_url: { url: picture } },
      { type: "text", text: "What is it?" },
    ];
    const seen = await recorded(postern.chat({ model: "gpt-4.1", messages: [{ role: "user", content }] }));
    expect(seen.recording?.request).toMatchObject({ omitted: 1, cut: false });
    expect(seen.recording?.request.text).toContain('"url":"data:image/png;omitted,60000"');
    expect(seen.resend_obstacle).toBe("incomplete");
    const long = await recorded(
      postern.chat({ model: "gpt-4.1", messages: [{ role: "user", content: "word ".repeat(80_000) }] }),
    );
    expect(long.recording?.request).toMatchObject({ cut: true });
    expect(long.recording?.request.text.length).toBe(256 * 1024);
  });

  test("embeddings, speech, pictures and videos are kept too", async () => {
    const mock = postern;
    postern = await startGateway({ env: { POSTERN_SANDBOX: "on" } });
    await record(true);
    const vectors = await recorded(postern.post("/embeddings", { model: "text-embedding-3-small", input: "hi" }));
    expect(JSON.parse(textOf(vectors))).toEqual(JSON.parse(vectors.text));
    const speech = await recorded(
      postern.post("/audio/speech", { model: "gpt-4o-mini-tts", input: "hi", voice: "alloy" }),
    );
    expect(textOf(speech)).toMatch(/^data:audio\/mpeg;omitted,\d+$/);
    const image = await recorded(
      postern.post("/images/generations", {
        model: "gpt-image-1",
        prompt: "a gate",
        size: "1536x1024",
        output_format: "jpeg",
      }),
    );
    expect(image.recording?.response?.omitted).toBe(1);
    expect(textOf(image)).toMatch(/"b64_json":"data:image\/\w+;omitted,\d+"/);
    for (const { receipt } of [speech, image])
      await expect.poll(async () => (await detail(receipt.id)).media.length).toBe(1);
    const order = { model: "sora-2", prompt: "a gate", seconds: "4" };
    const video = await postern.post("/videos/generations?wait=true", order);
    const { id } = (await video.json()) as { id: string };
    const film = await detail(video.headers.get("x-request-id") ?? "");
    expect(film.task).toBe(id);
    expect(JSON.parse(film.recording?.request.text ?? "")).toEqual(order);
    expect(film.recording?.status).toBe(202);
    expect(film.media).toHaveLength(1);
    for (const found of [vectors, speech, image, film]) {
      const again = await postern.ask<Resent>("POST", `/requests/${found.receipt.id}/resend`, {});
      expect(again).toMatchObject({ code: null });
    }
    await postern.close();
    postern = mock;
  });

  test("sends it again under the same key, to the same model or another one, each time with a receipt of its own", async () => {
    provider.next(stream(streamFrames(["once"])), stream(streamFrames(["twice"])));
    const first = await recorded(postern.chat({ ...CHAT, stream: true }));
    const again = await postern.ask<Resent>("POST", `/requests/${first.receipt.id}/resend`, {});
    expect(again).toMatchObject({ status: 200, code: null });
    const twice = await detail(again.id);
    expect(twice.receipt).toMatchObject({ key: first.receipt.key, model: "gpt-4.1", client: "Postern", stream: true });
    expect(twice.recording?.request.text).toBe(first.recording?.request.text);
    expect(twice.recording?.response?.chunks.map(({ text }) => text).join("")).toBe(again.response);
    const other = await postern.ask<Resent>("POST", `/requests/${first.receipt.id}/resend`, {
      model: "claude-sonnet-5",
    });
    const { receipt } = await detail(other.id);
    expect(receipt).toMatchObject({ model: "claude-sonnet-5", endpoint: "chat", status: 200, sandbox: true });
    const failed = await postern.ask<Resent>("POST", `/requests/${first.receipt.id}/resend`, { model: "none" });
    expect(failed).toMatchObject({ status: 404, code: "model_not_found" });
    expect((await detail(failed.id)).receipt.status).toBe(404);
  });

  test("a call of a tool is kept as the call that the tool made", async () => {
    const { id } = (await postern.ask<{ data: { id: string }[] }>("GET", "/keys")).data[0] as { id: string };
    const tool = { key: id, tool: "chat", arguments: { model: "gpt-4.1", prompt: "Say hello." } };
    await postern.ask("POST", "/mcp/call", tool);
    const { recording } = await detail((await postern.receipt()).id);
    expect(recording?.path).toBe("/v1/chat/completions");
    expect(recording?.request.text).toContain("Say hello.");
  });

  test("a full disk costs recordings and nothing else, and once it takes writes they go on", async () => {
    const { lost } = await postern.ask<RecordingsView>("GET", "/recordings");
    await postern.ask("DELETE", "/recordings");
    const path = join(postern.dataDir, "recordings");
    disk.fillBelow(path);
    const response = await postern.chat();
    expect(response.status).toBe(200);
    expect((await detail(response.headers.get("x-request-id") ?? "")).recording).toBeNull();
    expect((await postern.ask<RecordingsView>("GET", "/recordings")).lost).toBe(lost + 1);
    disk.free();
    clock.advance(6_000);
    expect((await recorded(postern.chat())).recording).not.toBeNull();
  });

  test("recordings outlive a restart, go after their days, and all at once when the owner says so", async () => {
    const { receipt } = await recorded(postern.chat());
    const dataDir = postern.dataDir;
    await postern.stop();
    postern = await startGateway({ provider, clock, dataDir, env: { POSTERN_SANDBOX: "on" } });
    expect((await detail(receipt.id)).recording).not.toBeNull();
    clock.advance(3 * DAY_MS);
    await postern.ask("PATCH", "/settings", { record_keep_days: 2 });
    postern.gateway.onResume();
    await expect.poll(async () => (await detail(receipt.id)).recording).toBeNull();
    const later = await recorded(postern.chat());
    expect(later.recording).not.toBeNull();
    expect(await postern.ask("DELETE", "/recordings")).toMatchObject({ on: true, bytes: 0, oldest_at: null });
    expect(await files()).toEqual([]);
    expect((await detail(later.receipt.id)).recording).toBeNull();
  });
});

describe("the list of requests", () => {
  const list = async (query: string): Promise<readonly Receipt[]> =>
    (await postern.ask<{ data: Receipt[] }>("GET", `/requests?limit=500&${query}`)).data;

  test("is filtered by everything that a row shows", async () => {
    const all = await list("");
    const [newest] = all;
    if (newest === undefined) throw new Error("no receipts");
    const checks: [string, (row: Receipt) => boolean][] = [
      ["status=4xx", ({ status }) => status >= 400 && status < 500],
      ["status=2xx", ({ status }) => status < 300],
      ["status=failed", ({ status, outcome }) => outcome !== "cancelled" && status >= 400],
      ["endpoint=messages", ({ endpoint }) => endpoint === "messages"],
      ["client=Postern", ({ client }) => client === "Postern"],
      ["outcome=failed", ({ outcome }) => outcome === "failed"],
      ["provider=sandbox", ({ provider: name }) => name === "sandbox"],
      ["model=gpt-4.1&status=2xx", ({ model, status }) => model === "gpt-4.1" && status < 300],
      [`since=${newest.at - 1}`, ({ at }) => at >= newest.at - 1],
      [`until=${newest.at}`, ({ at }) => at < newest.at],
      [`q=${newest.id.slice(6, 20)}`, ({ id }) => id.includes(newest.id.slice(6, 20))],
    ];
    for (const [query, matches] of checks) {
      const expected = all.filter(matches);
      expect(expected.length, query).toBeGreaterThan(0);
      expect(
        (await list(query)).map(({ id }) => id),
        query,
      ).toEqual(expected.map(({ id }) => id));
    }
    expect((await postern.control("GET", "/requests?status=3xx")).status).toBe(400);
  });
});
