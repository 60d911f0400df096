import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { computeLargestEmbeddings } from "../../../../gateway/core/embeddings/embedding-vectors.ts";
import { computeLargestImages } from "../../../../gateway/services/images/image-plan.ts";
import { LONG_RESPONSE_BYTES } from "../../../../gateway/services/calls/whole-response.ts";
import { largestSound } from "../../../../gateway/core/speech/sound-length.ts";
import { CHAT, errorOf, startGateway, until, type TestGateway } from "../../../support/running-gateway.ts";
import { soundForm, transcribe } from "../../../support/transcription-acts.ts";
import { WireProvider, reply, type WireAct } from "../../../support/wire-provider.ts";

const MIB = 1024 * 1024;
/** Beyond a bound, so much may be on its way in sockets and pipes. */
const SLACK = 12 * MIB;

const wire = new WireProvider();
let postern: TestGateway;
beforeAll(async () => {
  await wire.listen();
  postern = await startGateway({
    env: { POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`, POSTERN_OPENAI_API_KEY: "sk-provider-0001" },
  });
  wire.on("GET /v1/models", reply(200, { object: "list", data: [] }));
});
afterAll(async () => {
  await postern.close();
  await wire.close();
});
let sent = 0;
let broken = false;
beforeEach(() => {
  sent = 0;
  broken = false;
});

/** Bytes that go on until no one takes them any more. */
function endless(outgoing: ServerResponse, piece: Buffer): void {
  outgoing.on("close", () => (broken = true));
  const more = (): void => {
    while (!outgoing.destroyed) {
      sent += piece.length;
      if (!outgoing.write(piece)) {
        outgoing.once("drain", more);
        return;
      }
    }
  };
  more();
}

const endlessJson: WireAct = (_seen, outgoing) => {
  outgoing.writeHead(200, { "content-type": "application/json" });
  outgoing.write('{"data":[');
  endless(outgoing, Buffer.alloc(256 * 1_024, "1,"));
};
const declared: WireAct = (_seen, outgoing) => {
  outgoing.writeHead(200, { "content-type": "application/json", "content-length": 400 * MIB });
  endless(outgoing, Buffer.alloc(256 * 1_024, " "));
};
/** Empty members of gzip: they can be as long as one likes and unpack to nothing. */
const emptyPacked: WireAct = (_seen, outgoing) => {
  outgoing.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
  const member = gzipSync("");
  endless(outgoing, Buffer.concat(Array.from({ length: 10_000 }, () => member)));
};
const packed = gzipSync(Buffer.alloc(40 * MIB, " "));
const bomb: WireAct = (_seen, outgoing) => {
  outgoing.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(packed);
};

/** Each kind of call, and how much of a response it takes at most. */
const CALLS: readonly (readonly [string, string, string, unknown, number])[] = [
  ["chat", "/chat/completions", "/v1/chat/completions", CHAT, 32 * MIB],
  ["messages", "/messages", "/v1/chat/completions", { ...CHAT, max_tokens: 9 }, 32 * MIB],
  [
    "one embedding",
    "/embeddings",
    "/v1/embeddings",
    { model: "text-embedding-3-small", input: "x" },
    computeLargestEmbeddings(1, 1_536),
  ],
  [
    "two embeddings of a length that was asked for",
    "/embeddings",
    "/v1/embeddings",
    { model: "text-embedding-3-small", input: ["x", "y"], dimensions: 64 },
    computeLargestEmbeddings(2, 1_536),
  ],
  [
    "an image",
    "/images/generations",
    "/v1/images/generations",
    { model: "gpt-image-1", prompt: "x", size: "1024x1024" },
    16 * MIB,
  ],
  ["a transcript", "/audio/transcriptions", "/v1/audio/transcriptions", soundForm({}), LONG_RESPONSE_BYTES],
  [
    "a moderation",
    "/moderations",
    "/v1/moderations",
    { model: "omni-moderation-latest", input: "x" },
    LONG_RESPONSE_BYTES,
  ],
];

/** A sound goes in a form. */
const post = (path: string, body: unknown): Promise<Response> =>
  body instanceof FormData ? transcribe(postern, body) : postern.post(path, body);

describe.each(CALLS)("a response to %s", (_name, path, route, request, bound) => {
  it.each([
    ["that does not end", endlessJson],
    ["that says how much too long it is", declared],
    ["whose packed bytes do not end", emptyPacked],
    ["that unpacks to more", bomb],
  ])("%s is cut off at its bound, and is an error", async (_how, act) => {
    wire.on(`POST ${route}`, act);
    const response = await post(path, request);
    const text = await response.text();
    expect([response.status, text]).toEqual([502, expect.stringContaining("was stopped")]);
    await until(() => broken || act === bomb);
    expect(sent).toBeLessThan(bound + SLACK);
    wire.on("POST /v1/chat/completions", reply(200, { choices: [{ message: { content: "x" } }] }));
    expect((await postern.post("/chat/completions", CHAT)).status).toBe(200);
  });
});

it("an error that does not end is reported by its status", async () => {
  wire.on("POST /v1/chat/completions", (_seen, outgoing) => {
    outgoing.writeHead(400, { "content-type": "application/json" });
    endless(outgoing, Buffer.alloc(256 * 1_024, "x"));
  });
  const response = await postern.post("/chat/completions", CHAT);
  expect(response.status).toBe(400);
  expect((await errorOf(response)).message).toContain("status 400");
  expect(sent).toBeLessThan(MIB + SLACK);
});

it("a sound that goes on after the end of its text is cut off", async () => {
  wire.on("POST /v1/audio/speech", (_seen, outgoing) => {
    outgoing.writeHead(200, { "content-type": "audio/mpeg" });
    endless(outgoing, Buffer.alloc(256 * 1_024, 0xff));
  });
  const response = await postern.post("/audio/speech", { model: "gpt-4o-mini-tts", input: "Hello.", voice: "alloy" });
  await expect(response.arrayBuffer()).rejects.toThrow("terminated");
  expect(sent).toBeLessThan(largestSound(6) + SLACK);
});

it("a whole response of megabytes passes", async () => {
  const content = "x".repeat(20 * MIB);
  wire.on("POST /v1/chat/completions", reply(200, { choices: [{ message: { content } }] }));
  const response = await postern.post("/chat/completions", CHAT);
  expect((await response.text()).length).toBeGreaterThan(20 * MIB);
});

describe("the largest response", () => {
  it.each([
    [1, 1_536, 128_000],
    [2_048, 3_072, 253_820_928],
    [100_000, 16_384, 256 * MIB],
  ])("of %i vectors of %i numbers has %i bytes, which hold them written out", (count, numbers, bytes) => {
    expect(computeLargestEmbeddings(count, numbers)).toBe(bytes);
    expect(bytes).toBeGreaterThan(
      Math.min(256 * MIB - 1, count * numbers * "        -0.0123456789012345678,\n".length),
    );
  });

  it.each([
    [1, "1024x1024", 16 * MIB],
    [1, "3840*2160", 44_236_800],
    [10, "1024x1024", 160 * MIB],
    [1, "auto", 64 * MIB],
    [1, null, 64 * MIB],
    [0, null, 64 * MIB],
    [10, "4K", 256 * MIB],
  ])("of %i images of %s has %i bytes", (count, size, bytes) => {
    expect(computeLargestImages(count, size)).toBe(bytes);
  });

  it.each([
    [0, 4 * MIB],
    [4_096, 128 * MIB],
    [100, 4 * MIB + 3_276_800],
  ])("of %i characters spoken has %i bytes", (characters, bytes) => {
    expect(largestSound(characters)).toBe(bytes);
  });
});
