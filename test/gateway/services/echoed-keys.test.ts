import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RequestDetail } from "../../../gateway/contract/requests.ts";
import { respond, chunkText, completion, completionText, failure, stream, streamFrames } from "../../support/acts.ts";
import { modelList, startProvider, type MockProvider } from "../../support/mock-provider.ts";
import { CHAT, KEY, startGateway, until, type TestGateway } from "../../support/running-gateway.ts";
import { soundForm, transcribe } from "../../support/transcription-acts.ts";

/** The key that the gateway holds for the provider, with what URLs and JSON escape in it. */
const SECRET = "sk-echo/aB3+xY9=kQw07zZ";
const LOCAL = "sk-local-key-that-is-known-0001";
let provider: MockProvider;
let postern: TestGateway;
const logged: string[] = [];
beforeAll(async () => {
  provider = await startProvider();
  provider.also.set("/v1/audio/speech", ({ outgoing }) => {
    const half = Math.floor(SECRET.length / 2);
    outgoing
      .writeHead(200, { "content-type": "audio/mpeg" })
      .write(Buffer.concat([MP3, Buffer.from(SECRET.slice(0, half))]));
    setImmediate(() => outgoing.end(Buffer.concat([Buffer.from(SECRET.slice(half)), MP3])));
  });
  provider.list = modelList(["gpt-4.1", "tts-1", "whisper-1", "gpt-4o-transcribe"]);
  postern = await startGateway({
    logged,
    keys: [{ key: LOCAL, name: "local" }],
    env: { POSTERN_COMPATIBLE_BASE_URL: provider.baseUrl, POSTERN_COMPATIBLE_API_KEY: SECRET },
  });
  await postern.ask("PATCH", "/settings", { record_bodies: true });
});
afterAll(async () => {
  await postern.close();
  await provider.close();
});
beforeEach(() => provider.reset());

const MP3 = Buffer.from([0xff, 0xfb, 0x90, 0x64, ...Array.from({ length: 400 }, () => 0)]);
const hex = Buffer.from(SECRET).toString("hex");
const WRITTEN: Readonly<Record<string, string>> = {
  "as it is": SECRET,
  "for a URL": encodeURIComponent(SECRET),
  "in base64": Buffer.from(SECRET).toString("base64"),
  "in base64 as a bearer": Buffer.from(`Bearer ${SECRET}`).toString("base64"),
  "in base64url": Buffer.from(`a${SECRET}`).toString("base64url"),
  "in hexadecimal": hex,
  "escaped for JSON in JSON": `\\u0073${SECRET.slice(1)}`,
  "with slashes escaped for JSON in JSON": SECRET.replace("/", "\\/"),
};
/** The middle of it: what is left at the ends of base64 is no secret. */
const core = (written: string): string => written.slice(8, -4);

/** All that lies in the folder in clear. */
async function folder(): Promise<string> {
  const names = await readdir(postern.dataDir, { recursive: true, withFileTypes: true });
  const texts = names
    // What is being written has gone under its own name a moment later.
    .filter((entry) => entry.isFile() && !entry.name.includes(".tmp-"))
    .map((entry) => readFile(join(entry.parentPath, entry.name), "latin1"));
  return (await Promise.all(texts)).join("\n");
}

it.each(["\\u0073", "\\u0073\\u006b", "s\\u006B"])(
  "a key whose first letters JSON escapes as %s is in nothing",
  async (first) => {
    const rest = SECRET.slice(first.length === 6 && first.startsWith("\\") ? 1 : 2);
    provider.usual = respond(200, completionText("You sent KEY.").replace("KEY", `${first}${rest}`));
    const response = await postern.chat();
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
    expect(choices[0]?.message.content).toMatch(/^You sent \[redacted\]\**\.$/);
    const path = `/requests/${response.headers.get("x-request-id")}`;
    await until(async () => (await postern.ask<RequestDetail>("GET", path)).recording !== null);
    expect(JSON.stringify(await postern.ask("GET", path))).not.toContain(SECRET.slice(8, -4));
  },
);

describe.each(Object.entries(WRITTEN))("a key that its provider echoes %s", (_how, written) => {
  it("is not in a whole response, nor in its recording", async () => {
    provider.usual = completion(`You sent ${written}, did you not?`);
    const response = await postern.chat();
    const text = await response.text();
    expect(text).not.toContain(core(written));
    expect((JSON.parse(text) as { choices: { message: { content: string } }[] }).choices[0]?.message.content).toMatch(
      /^You sent .*, did you not\?$/,
    );
    const path = `/requests/${response.headers.get("x-request-id")}`;
    await until(async () => (await postern.ask<RequestDetail>("GET", path)).recording !== null);
    expect(JSON.stringify(await postern.ask("GET", path))).not.toContain(core(written));
    expect(await folder()).not.toContain(core(written));
  });

  it("is not in a response that is translated", async () => {
    provider.usual = completion(`You sent ${written}.`);
    const body = { model: "gpt-4.1", max_tokens: 50, messages: [{ role: "user", content: "x" }] };
    expect(await (await postern.post("/messages", body)).text()).not.toContain(core(written));
  });

  it("is not in the events of a stream, and each is still JSON", async () => {
    const whole = streamFrames([`You sent ${written}.`]).join("");
    // Cut in the middle of the key.
    const at = whole.indexOf(written) + Math.floor(written.length / 2);
    provider.usual = stream([whole.slice(0, at), whole.slice(at)], 5);
    const text = await (await postern.chat({ ...CHAT, stream: true })).text();
    expect(text).not.toContain(core(written));
    for (const line of text.split("\n").filter((each) => each.startsWith("data: {"))) JSON.parse(line.slice(6));
  });

  it.each(["chat", "messages", "responses"])(
    "is not put together from the events of a stream to %s",
    async (dialect) => {
      provider.usual = stream(streamFrames(["You sent ", ...(written.match(/.{1,3}/gs) ?? []), "."]));
      const ask: Record<string, () => Promise<Response>> = {
        chat: () => postern.chat({ ...CHAT, stream: true }),
        messages: () =>
          postern.post("/messages", { model: "gpt-4.1", max_tokens: 50, stream: true, messages: CHAT.messages }),
        responses: () => postern.post("/responses", { model: "gpt-4.1", stream: true, input: "x" }),
      };
      const text = await (await ask[dialect]?.())?.text();
      const message = [...(text ?? "").matchAll(/"(?:content|text|delta)":"([^"]*)"/g)]
        .map(([, piece]) => piece)
        .join("");
      expect(message).not.toContain(core(written));
    },
  );

  it("is not in a transcript, nor in subtitles that are written of one", async () => {
    const text = `You said ${written}.`;
    const segment = { id: 0, start: 0, end: 6, text };
    const transcript = { text, language: "english", duration: 6, segments: [segment] };
    provider.also.set("/v1/audio/transcriptions", ({ outgoing }) => {
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(transcript));
    });
    for (const response_format of ["json", "text", "verbose_json", "srt", "vtt"]) {
      const response = await transcribe(postern, soundForm({ response_format }));
      const shown = await response.text();
      expect(shown).toMatch(/You said/);
      expect(shown).not.toContain(core(written));
    }
  });

  it.each([
    ["in one piece", (text: string) => [text]],
    ["in pieces", (text: string) => text.match(/.{1,3}/gs) ?? []],
  ])("is not in the events of a transcript, %s", async (_how, pieces) => {
    const message = `You said ${written}.`;
    provider.also.set("/v1/audio/transcriptions", ({ outgoing }) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      for (const delta of pieces(message)) {
        outgoing.write(`data: ${JSON.stringify({ type: "transcript.text.delta", delta })}\n\n`);
      }
      outgoing.end(`data: ${JSON.stringify({ type: "transcript.text.done", text: message })}\n\n`);
    });
    const text = await (await transcribe(postern, soundForm({ model: "gpt-4o-transcribe", stream: "true" }))).text();
    expect(text).toContain("transcript.text.done");
    expect(text).not.toContain(core(written));
    const deltas = [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, piece]) => piece).join("");
    expect(deltas).toMatch(/^You said/);
    expect(deltas).not.toContain(core(written));
  });

  it("is not in a header", async () => {
    provider.usual = respond(200, completionText(), { "openai-processing-ms": `${written} 1` });
    const response = await postern.chat();
    expect(response.headers.get("openai-processing-ms")).not.toContain(core(written));
    await response.text();
  });

  it.each([
    ["an error", failure(400, { message: `Wrong: ${written}`, code: `code_${written}`, param: written })],
    ["the error that says that it is refused", failure(401, { message: `Incorrect API key provided: ${written}.` })],
    ["an error of a proxy", respond(500, `<html>${written}</html>`)],
    ["an error that says 200", respond(200, JSON.stringify({ error: { message: written, code: 400 } }))],
    ["an answer that is none", respond(200, `{"said":"${written}"}`, { "content-type": `text/${written}` })],
  ])("is not in %s, nor in the log, nor on the pages", async (_what, act) => {
    provider.usual = act;
    const response = await postern.chat();
    expect(response.ok).toBe(false);
    expect(await response.text()).not.toContain(core(written));
    expect(JSON.stringify(await postern.ask("GET", "/connections"))).not.toContain(core(written));
    expect(logged.join("\n")).not.toContain(core(written));
    await postern.ask("POST", "/connections/env_openai-compatible/test");
  });

  it("is not in a tool's result", async () => {
    provider.usual = stream(streamFrames(["You sent ", ...(written.match(/.{1,3}/gs) ?? [])]));
    const key = (await postern.keyView("unlimited")).id;
    const call = { key, tool: "chat", arguments: { model: "gpt-4.1", prompt: "x" } };
    const result = await postern.control("POST", "/mcp/call", call);
    const text = await result.text();
    expect(text).toContain("You sent");
    expect(text).not.toContain(core(written));
  });
});

it("a key is not in sound that it was put into, across two chunks", async () => {
  const response = await postern.post("/audio/speech", { model: "tts-1", input: "x", voice: "alloy" });
  const sound = Buffer.from(await response.arrayBuffer());
  expect(response.status).toBe(200);
  expect(sound).toHaveLength(2 * MP3.length + SECRET.length);
  expect(sound.includes(SECRET)).toBe(false);
});

it("a local key that is known to the letter is not in a recording of who wrote it", async () => {
  provider.usual = completion("Noted.");
  const content = `My key is:\n${LOCAL} and ${Buffer.from(LOCAL).toString("base64")}`;
  const response = await postern.chat({ ...CHAT, messages: [{ role: "user", content }] }, KEY);
  await response.text();
  const path = `/requests/${response.headers.get("x-request-id")}`;
  await until(async () => (await postern.ask<RequestDetail>("GET", path)).recording !== null);
  const { recording } = await postern.ask<RequestDetail>("GET", path);
  const stored = JSON.parse(recording?.request.text ?? "") as { messages: { content: string }[] };
  expect(stored.messages[0]?.content).toMatch(/^My key is:\n/);
  expect(JSON.stringify(recording)).not.toContain(LOCAL.slice(8));
  expect(JSON.stringify(recording)).not.toContain(Buffer.from(LOCAL).toString("base64").slice(4, -4));
});

it("a response without one is the provider's, byte for byte", async () => {
  const body = completionText("sk-echo is the beginning of a key, and so is sk-echo/aB3.");
  provider.usual = respond(200, body);
  expect(await (await postern.chat()).text()).toBe(body);
  const frames = [`data: ${chunkText({ content: "sk-echo" })}\n\n`, ...streamFrames(["!"], null)];
  provider.usual = stream(frames);
  const streamed = await (await postern.chat({ ...CHAT, stream: true })).text();
  expect(streamed.startsWith(frames[0] ?? "")).toBe(true);
});
