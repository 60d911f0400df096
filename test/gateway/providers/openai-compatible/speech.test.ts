import { beforeAll, expect, it } from "vitest";
import { until } from "../../../support/running-gateway.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply, replyBytes } from "../../../support/wire-provider.ts";

/** Speech models that only a local server's own list knows: their voices, formats and limits are the server's affair. */

const provider = useWire();
beforeAll(() => {
  provider.on("GET /v1/models", reply(200, { object: "list", data: [{ id: "kokoro-tts" }, { id: "tts-1" }] }));
});
const postern = useGateway(() => ({ env: { POSTERN_COMPATIBLE_BASE_URL: `${provider.origin}/v1` } }));
beforeAll(() => until(async () => (await postern.sdk().models.list()).data.some(({ id }) => id === "kokoro-tts")));

it("a request passes as it is, and a file without a type gets the one that was asked for", async () => {
  provider.on("POST /v1/audio/speech", replyBytes("application/octet-stream", "OggS"));
  const body = {
    model: "kokoro-tts",
    input: "a".repeat(5_000),
    voice: "af_sky",
    response_format: "opus",
    speed: 5,
    lang_code: "en-us",
  };
  const response = await postern.post("/audio/speech", body);
  expect(await response.text()).toBe("OggS");
  expect(response.headers.get("content-type")).toBe("audio/opus");
  expect(provider.seen.at(-1)?.json).toEqual(body);
  expect(provider.seen.at(-1)?.headers).not.toHaveProperty("authorization");
  // No one knows what it costs: its characters are on the receipt, a price is not.
  expect(await postern.receipt()).toMatchObject({ terms: [{ unit: "character", quantity: 5_000 }], nano: null });
});

it("a voice is not made up where the server may have one of its own", async () => {
  provider.on("POST /v1/audio/speech", replyBytes("audio/x-wav", "RIFF"));
  const response = await postern.post("/audio/speech", { model: "kokoro-tts", input: "Hi" });
  expect(await response.text()).toBe("RIFF");
  expect(response.headers.get("content-type")).toBe("audio/x-wav");
  expect(provider.seen.at(-1)?.json).toEqual({ model: "kokoro-tts", input: "Hi" });
});

it("a server that lends its voices OpenAI's name is not held to OpenAI's", async () => {
  provider.on("POST /v1/audio/speech", replyBytes("audio/mpeg", "ID3"));
  const body = { model: "tts-1", input: "a".repeat(5_000), voice: "af_bella+af_sky(2)", response_format: "ogg" };
  const response = await postern.post("/audio/speech", body);
  expect(await response.text()).toBe("ID3");
  expect(provider.seen.at(-1)?.json).toEqual(body);
});
