import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { gammaBody } from "../../support/image-acts.ts";
import { png } from "../../support/pictures.ts";
import { Poster } from "../../support/poster.ts";
import { KEY, startGateway, type TestGateway } from "../../support/running-gateway.ts";
import { WireProvider } from "../../support/wire-provider.ts";
import { BASES, hostileBodiesAt } from "./hostile-bodies.ts";

/**
 * Bad input on every endpoint. The provider refuses whatever reaches it (404), so that every response has to be a 4xx: a 5xx
 * is ours, and so is a response that is no error envelope.
 */

const wire = new WireProvider();
const poster = new Poster();
const logged: string[] = [];
let postern: TestGateway;
beforeAll(async () => {
  await wire.listen();
  const { origin } = wire;
  postern = await startGateway({
    logged,
    env: {
      POSTERN_OPENAI_BASE_URL: `${origin}/v1`,
      POSTERN_OPENAI_API_KEY: "sk-openai",
      POSTERN_ANTHROPIC_BASE_URL: origin,
      POSTERN_ANTHROPIC_API_KEY: "sk-ant",
      POSTERN_DASHSCOPE_BASE_URL: origin,
      POSTERN_DASHSCOPE_API_KEY: "sk-dashscope",
      POSTERN_GEMINI_BASE_URL: origin,
      POSTERN_GEMINI_API_KEY: "AIza",
      POSTERN_VOYAGE_BASE_URL: `${origin}/v1`,
      POSTERN_VOYAGE_API_KEY: "pa-voyage",
      POSTERN_ARK_BASE_URL: `${origin}/api/v3`,
      POSTERN_ARK_API_KEY: "ark",
      POSTERN_XAI_BASE_URL: `${origin}/v1`,
      POSTERN_XAI_API_KEY: "xai",
    },
  });
});
beforeEach(() => wire.reset());
afterAll(async () => {
  poster.close();
  await postern.close();
  await wire.close();
});

function send(path: string, body: string | Buffer, type = "application/json"): Promise<Response> {
  return fetch(`${postern.url}/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": type },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });
}

/** The envelope of an error, whichever of the three; null when it is not one. */
function codeOf(text: string): string | null {
  const body = JSON.parse(text) as { code?: string; type?: string; error?: { code?: string | null; type: string } };
  return body.error?.code ?? body.error?.type ?? body.code ?? null;
}

/** Sends it and says what is wrong with the response; null when nothing is. */
async function fault(path: string, body: string): Promise<string | null> {
  wire.seen.length = 0;
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const { status, text } = await poster.post(`${postern.url}/v1${path}`, headers, body);
  const shown = `${body.slice(0, 160)} → ${status} ${text.slice(0, 300)}`;
  if (status === 200 && path === "/messages/count_tokens") return null;
  if (status < 400 || status > 499) return shown;
  if (codeOf(text) === null || text.length > 4_000) return shown;
  for (const { json, headers } of wire.seen) {
    const isForm = headers["content-type"]?.startsWith("multipart/form-data") === true;
    if (json === undefined && !isForm) return `not JSON at the provider: ${shown}`;
  }
  return null;
}

describe.each(BASES.map((one, position) => [...one, position] as const))("%s", (_name, path, base, position) => {
  it("takes any value in any field as an error of the client's, or passes it on", { timeout: 300_000 }, async () => {
    const faults: string[] = [];
    for (const body of hostileBodiesAt(position, base)) {
      const found = await fault(path, body);
      if (found !== null) faults.push(found);
    }
    expect(faults.join("\n")).toBe("");
    expect(logged.filter((line) => /internal_error|\.ts:\d+/.test(line))).toEqual([]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("refuses what is no JSON object, before any provider", async () => {
    const good = JSON.stringify(base);
    const nul = Buffer.from(good.replace('"model"', '"mo\0del"'));
    const bodies: readonly (readonly [string | Buffer, string, number])[] = [
      ["", "application/json", 400],
      [good.slice(0, -1), "application/json", 400],
      [`${good}${good}`, "application/json", 400],
      ["[]", "application/json", 400],
      ["null", "application/json", 400],
      [nul, "application/json", 400],
      [Buffer.concat([Buffer.from(good.slice(0, -1)), Buffer.from([0xff, 0x7d])]), "application/json", 400],
      [`{"x":${"[".repeat(200_000)}${"]".repeat(200_000)},${good.slice(1)}`, "application/json", 400],
      [good, "text/plain", 415],
      [good, "application/x-www-form-urlencoded", 415],
      [Buffer.from(good, "utf16le"), "application/json; charset=utf-16", 400],
    ];
    for (const [body, type, status] of bodies) {
      const response = await send(path, body, type);
      const text = await response.text();
      expect([type, body.slice(0, 40).toString(), response.status, text]).toEqual([
        type,
        body.slice(0, 40).toString(),
        status,
        expect.anything(),
      ]);
      expect(codeOf(text)).not.toBeNull();
    }
    expect(wire.seen).toEqual([]);
  });

  it("a key that is there twice means one thing to us and to the provider", async () => {
    const good = JSON.stringify(base);
    const model = JSON.stringify((base as { model: string }).model);
    await (await send(path, `{"model":"gpt-4.1-nano-twice",${good.slice(1)}`)).text();
    for (const { body } of wire.seen) expect(body.toString()).not.toContain("gpt-4.1-nano-twice");
    wire.seen.length = 0;
    const response = await send(path, `${good.slice(0, -1)},"model":"no-such-model-twice"}`);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).toContain("no-such-model-twice");
    expect([model, wire.seen]).toEqual([model, []]);
  });
});

describe("what clients often get wrong", () => {
  const refusals: readonly (readonly [string, string, unknown, RegExp])[] = [
    [
      "20 images",
      "/images/edits",
      {
        model: "delta-image-2",
        prompt: "x",
        images: Array.from({ length: 20 }, () => ({ image_url: `data:image/png;base64,${png().toString("base64")}` })),
      },
      /16/,
    ],
    ["empty speech", "/audio/speech", { model: "gamma3-tts-flash", input: "" }, /input/],
    ["100,000 characters of speech", "/audio/speech", { model: "gamma3-tts-flash", input: "x".repeat(100_000) }, /600/],
    ["an unknown voice", "/audio/speech", { model: "gamma3-tts-flash", input: "x", voice: "Nobody" }, /Cherry/],
    ["dimensions 7", "/embeddings", { model: "eta-4", input: "x", dimensions: 7 }, /256, 512, 1024 and 2048/],
    [
      "an input of 20,001 strings",
      "/embeddings",
      { model: "text-embedding-v4", input: Array(20_001).fill("x") },
      /input/,
    ],
    [
      "a size that the model does not have",
      "/images/generations",
      gammaBody("gamma-image-max", { size: "7*7" }),
      /1328\*1328/,
    ],
    [
      "a picture on a page of ours",
      "/images/generations",
      gammaBody("gamma-image-edit", null, [{ image: "file:///etc/passwd" }, { text: "x" }]),
      /https/,
    ],
  ];

  it.each(refusals)(
    "%s: 400 with what is accepted, and nothing reaches the provider",
    async (_name, path, body, words) => {
      const response = await send(path, JSON.stringify(body));
      const text = await response.text();
      expect([response.status, text]).toEqual([400, expect.stringMatching(words)]);
      expect(text.length).toBeLessThan(2_000);
      expect(wire.seen).toEqual([]);
    },
  );
});
