import type { ServerResponse } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MediaPage } from "../../../../gateway/contract/media.ts";
import type { RunningPage } from "../../../../gateway/contract/requests.ts";
import { deltaEdit } from "../../../support/edit-acts.ts";
import { completedEvent, deltaResponse, partialEvent } from "../../../support/image-acts.ts";
import { ENDPOINTS } from "../../../support/paid-endpoints.ts";
import { providersAt, until } from "../../../support/running-gateway.ts";
import { samplesOf, wavFile } from "../../../support/sound.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

/** Images and speech whose client disconnects are finished, and their results are in the library. */

const provider = useWire();
/** It takes connections and never speaks TLS. */
const silent = createServer().listen(0, "127.0.0.1");
afterAll(() => silent.close());
const postern = useGateway(() => ({
  env: providersAt({
    OPENAI: `${provider.origin}/openai/v1`,
    XAI: `https://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`,
  }),
}));

const SOUND = wavFile(samplesOf(1));
const delta = (sound: Buffer): string =>
  `data: ${JSON.stringify({ type: "speech.audio.delta", audio: sound.toString("base64") })}\n\n`;
const done = `data: ${JSON.stringify({ type: "speech.audio.done", usage: { input_tokens: 9, output_tokens: 9, total_tokens: 18 } })}\n\n`;
const EVENTS = "text/event-stream";
const SPOKEN = { model: "gpt-4o-mini-tts", voice: "alloy", input: "Say some words.", response_format: "wav" };

/** Each kind of call, and what its provider says: the type, the first bytes and the rest. */
const KINDS = {
  images: { ...ENDPOINTS["images"], said: ["application/json", ...halves(JSON.stringify(deltaResponse()))] },
  "images, streamed": { ...ENDPOINTS["images, streamed"], said: [EVENTS, partialEvent(0), completedEvent()] },
  edits: { ...ENDPOINTS["edits"], said: ["application/json", ...halves(JSON.stringify(deltaEdit()))] },
  speech: { ...ENDPOINTS["speech"], body: SPOKEN, said: ["audio/wav", SOUND.subarray(0, 99), SOUND.subarray(99)] },
  "speech, streamed": {
    ...ENDPOINTS["speech"],
    body: { ...SPOKEN, stream_format: "sse" },
    said: [EVENTS, delta(SOUND.subarray(0, 99)), delta(SOUND.subarray(99)) + done],
  },
};
type Kind = keyof typeof KINDS;
const STAGES = ["before the head", "behind the head", "in the middle"] as const;

function halves(text: string): [string, string] {
  return [text.slice(0, 20), text.slice(20)];
}

let pending: ServerResponse[] = [];
beforeEach(() => {
  pending = [];
  for (const { route } of Object.values(KINDS))
    provider.on(route ?? "", (_seen, outgoing) => void pending.push(outgoing));
});
afterEach(async () => {
  for (const response of pending) response.destroy();
  await until(() => postern.gateway.state().in_flight === 0);
});

/** Asks, and disconnects at a stage of the provider's response. */
async function disconnect(
  kind: Kind,
  secret: string,
  stage: (typeof STAGES)[number] = STAGES[0],
): Promise<ServerResponse> {
  const { path = "", body = {}, said } = KINDS[kind];
  const [type = "", first = ""] = said as string[];
  const [count, leaving] = [pending.length, new AbortController()];
  const response = postern.post(path, typeof body === "function" ? body() : body, secret, {}, leaving.signal);
  const seen = response.then((one) => one.body?.getReader().read()).catch(() => undefined);
  await until(() => pending.length > count);
  const outgoing = pending[count] as ServerResponse;
  if (stage !== STAGES[0]) outgoing.writeHead(200, { "content-type": type }).flushHeaders();
  if (stage === STAGES[2]) outgoing.write(first);
  // Only what is passed on at once shows that it has come.
  if (stage === STAGES[2] && kind !== "images" && kind !== "edits") await seen;
  leaving.abort();
  return outgoing;
}

function finish(kind: Kind, outgoing: ServerResponse, stage: (typeof STAGES)[number] = STAGES[0]): void {
  const [type = "", first = "", rest = ""] = KINDS[kind].said as string[];
  if (stage === STAGES[0]) outgoing.writeHead(200, { "content-type": type });
  if (stage !== STAGES[2]) outgoing.write(first);
  outgoing.end(rest);
}

const finishing = async (count: number): Promise<void> =>
  until(async () => {
    const { data } = await postern.ask<RunningPage>("GET", "/running-requests");
    return data.length === count && data.every(({ state }) => state === "finishing");
  });
const library = async (): Promise<MediaPage["data"]> => (await postern.ask<MediaPage>("GET", "/media")).data;

describe.each(Object.keys(KINDS) as Kind[])("%s", (kind) => {
  it.each(STAGES)("whose client disconnects %s are finished, paid once and saved", async (stage) => {
    const key = await postern.limitedKey(5);
    const before = (await postern.receipts()).length;
    const outgoing = await disconnect(kind, key.secret, stage);
    await finishing(1);
    expect(await key.view()).toMatchObject({ in_flight: 0, spent_nano: 0 });
    finish(kind, outgoing, stage);
    await until(async () => (await postern.receipts()).length > before);
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ outcome: "cancelled", status: 499, code: "client_closed", key: key.id });
    expect(receipt).toMatchObject({ finished_for_library: true, estimated: kind === "speech" });
    expect(receipt.nano).toBeGreaterThan(0);
    expect(await key.view()).toMatchObject({ spent_nano: receipt.nano, held_nano: 0 });
    await until(async () => (await library()).some(({ origin }) => origin?.request_id === receipt.id));
    expect(await postern.receipts()).toHaveLength(before + 1);
  });
});

it("lets the key ask again meanwhile, goes on with four at most, and ends what its provider refuses", async () => {
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", { name: "one at a time", concurrency: 1 });
  const calls: ServerResponse[] = [];
  for (const count of [1, 2, 3, 4]) {
    calls.push(await disconnect("images", secret));
    await finishing(count);
  }
  const fifth = await disconnect("images", secret);
  await until(() => fifth.closed);
  expect(await postern.receipt()).toMatchObject({ outcome: "cancelled", status: 499, estimated: true });
  // No one waits for another attempt.
  const before = pending.length;
  for (const call of calls) call.writeHead(503).end("{}");
  await finishing(0);
  expect(pending).toHaveLength(before);
  expect((await postern.receipts(4)).map(({ outcome }) => outcome)).toEqual(Array(4).fill("failed"));
});

it("ends a call that no provider has yet, at no cost", async () => {
  const leaving = new AbortController();
  const body = { model: "grok-imagine-image", prompt: "A fox" };
  const call = postern.post("/images/generations", body, undefined, {}, leaving.signal).catch(() => undefined);
  await until(async () => (await postern.ask<RunningPage>("GET", "/running-requests")).data.length === 1);
  leaving.abort();
  await call;
  await until(async () => (await postern.receipt()).model === body.model);
  expect(await postern.receipt()).toMatchObject({ outcome: "cancelled", status: 499, nano: 0 });
});

it("asks no other model of a route", async () => {
  const { secret } = await postern.limitedKey(5);
  await postern.ask("POST", "/routes", { name: "pictures", models: ["delta-image-1", "epsilon-2"] });
  const [{ body }, count] = [KINDS.images, (await postern.receipts()).length];
  const leaving = new AbortController();
  const request = { ...(body as object), model: "pictures" };
  void postern.post("/images/generations", request, secret, {}, leaving.signal).catch(() => undefined);
  await until(() => pending.length === 1);
  leaving.abort();
  await finishing(1);
  pending[0]?.writeHead(429).end("{}");
  await until(async () => (await postern.receipts()).length > count);
  expect(pending).toHaveLength(1);
  expect(await postern.receipt()).toMatchObject({ outcome: "failed", nano: 0 });
});
