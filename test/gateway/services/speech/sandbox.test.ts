import { describe, expect, it } from "vitest";
import { mp3Of, wavOf } from "../../../support/sound.ts";
import { errorOf } from "../../../support/running-gateway.ts";
import { useGateway } from "../../../support/use-gateway.ts";

/** Speech without any provider: the same way as with one, down to the download of the sandbox's own files. */

const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

const speak = (body: object): Promise<Response> => postern.post("/audio/speech", { input: "Hello there.", ...body });
const soundOf = async (body: object): Promise<Buffer> => Buffer.from(await (await speak(body)).arrayBuffer());

describe("on the sandbox", () => {
  it.each(["gamma3-tts-flash", "tts-1", "tts-1-hd", "gpt-4o-mini-tts"])("%s speaks MP3 and WAV", async (model) => {
    const response = await speak({ model });
    expect(response.headers.get("x-postern-provider")).toBe("sandbox");
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    const mp3 = mp3Of(Buffer.from(await response.arrayBuffer()));
    const wav = wavOf(await soundOf({ model, response_format: "wav" }));
    expect(wav.peak).toBeGreaterThan(0.1);
    expect(Math.abs(mp3.seconds - wav.seconds)).toBeLessThan(0.12);
    expect(await postern.receipt()).toMatchObject({ sandbox: true, outcome: "completed", provider: "sandbox" });
  });

  it("gamma3-tts-instruct-flash follows instructions in WAV", async () => {
    const response = await speak({
      model: "gamma3-tts-instruct-flash",
      instructions: "slowly",
      response_format: "mp3",
    });
    expect(response.headers.get("content-type")).toBe("audio/wav");
    expect(wavOf(Buffer.from(await response.arrayBuffer())).seconds).toBeGreaterThan(0.4);
  });

  it("the same request gives the same bytes, as a file and in events", async () => {
    for (const model of ["gamma3-tts-flash", "tts-1"]) {
      const file = await soundOf({ model });
      expect(await soundOf({ model })).toEqual(file);
      const frames = (await (await speak({ model, stream_format: "sse" })).text()).trimEnd().split("\n\n");
      const events = frames.map((frame) => JSON.parse(frame.slice("data: ".length)) as { audio?: string });
      expect(Buffer.concat(events.map(({ audio }) => Buffer.from(audio ?? "", "base64")))).toEqual(file);
    }
  });

  it.each([
    ["gamma3-tts-flash", "mp3"],
    ["gamma3-tts-flash", "wav"],
    ["tts-1", "mp3"],
  ])("%s as %s fails when the text asks for it", async (model, response_format) => {
    const response = await speak({ model, response_format, input: "sandbox:error=400" });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toContain("was asked to fail");
    expect(await postern.receipt()).toMatchObject({ outcome: "failed", nano: 0 });
  });

  it("a sound that is cut off breaks the connection", async () => {
    const input = `sandbox:cut ${"and then many more words that take their time ".repeat(4)}`;
    for (const model of ["gamma3-tts-flash", "tts-1"]) {
      await expect(soundOf({ model, input })).rejects.toThrow("terminated");
      expect(await postern.receipt()).toMatchObject({ outcome: "interrupted", sandbox: true });
    }
  });
});
