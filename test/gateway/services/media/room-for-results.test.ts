import { beforeEach, expect, it } from "vitest";
import { nodeMediaDisk } from "../../../../gateway/store/media/media-disk.ts";
import { errorOf, providersAt } from "../../../support/running-gateway.ts";
import { jpeg } from "../../../support/pictures.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { replyBytes } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const GIB = 1024 ** 3;
const provider = useWire();
const clock = new TestClock();
let free = GIB;
const gateway = useGateway(() => ({
  clock,
  disk: { ...nodeMediaDisk, freeBytes: async () => free },
  env: providersAt({ OPENAI: `${provider.origin}/v1` }),
}));
beforeEach(() => provider.reset());

function edit(): Promise<Response> {
  const form = new FormData();
  form.set("model", "gpt-image-1");
  form.set("prompt", "A hat.");
  form.set("image", new Blob([new Uint8Array(jpeg())], { type: "image/jpeg" }), "a.jpg");
  return gateway.post("/images/edits", form);
}

it.each<[string, () => Promise<Response>]>([
  ["images", () => gateway.post("/images/generations", { model: "gpt-image-1", prompt: "A hat." })],
  ["edits", edit],
  ["speech", () => gateway.post("/audio/speech", { model: "tts-1", input: "A hat.", voice: "alloy" })],
])("%s that could not be saved are refused before a provider is paid", async (_name, ask) => {
  free = GIB - 1;
  clock.advance(5_000);
  const response = await ask();
  expect(response.status).toBe(503);
  expect(await errorOf(response)).toMatchObject({
    code: "storage_unavailable",
    message: expect.stringContaining("1023 MiB are free") as string,
  });
  expect(provider.seen.filter(({ method }) => method === "POST")).toEqual([]);
  expect(await gateway.spentCents()).toBe(0);
});

it("speech goes on when there is room again", async () => {
  provider.on("POST /v1/audio/speech", replyBytes("audio/mpeg", Buffer.alloc(10)));
  free = GIB;
  clock.advance(5_000);
  const response = await gateway.post("/audio/speech", { model: "tts-1", input: "A hat.", voice: "alloy" });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
});
