import { beforeAll, describe, expect, it } from "vitest";
import { useMedia, SPEECH_ROUTE, imagesOf, inlineOf, kindsOf, textOf } from "./media-stage.ts";
import { GAMMA_ROUTE, OPENAI_ROUTE, PIXEL, gammaResponse, pixelFile } from "../../../support/image-acts.ts";
import { later, type Later } from "../../../../gateway/lib/later.ts";
import { INLINE_BYTES } from "../../../../gateway/mcp/media/media-content.ts";
import { generateImageTool } from "../../../../gateway/mcp/tools/generate-image.ts";
import type { MediaLibrary } from "../../../../gateway/services/media/media-library.ts";
import { mp3 } from "../../../support/media-samples.ts";
import { png } from "../../../support/pictures.ts";
import { samplesOf, wavOf } from "../../../support/sound.ts";
import { until } from "../../../support/running-gateway.ts";
import { reply, replyBytes } from "../../../support/wire-provider.ts";

const ASKED = { model: "delta-image-1", prompt: "A red fox" };
const GAMMA = { model: "gamma-image-2.0", prompt: "A red fox" };
const answered = (...pictures: readonly Buffer[]) =>
  reply(200, { created: 1, data: pictures.map((picture) => ({ b64_json: picture.toString("base64") })) });

describe("results stay below a limit", () => {
  const media = useMedia();

  it("what does not fit next to the others is a link alone, and smaller ones after it still fit", async () => {
    const large = png({ padding: INLINE_BYTES / 2 });
    media.wire.on(OPENAI_ROUTE, answered(large, png({ width: 32, padding: INLINE_BYTES / 2 }), PIXEL));
    const { response } = await media.stage.response(media.generate, { ...ASKED, n: 3 });
    expect(kindsOf(response)).toEqual(["image", "image", "resource_link", "resource_link", "resource_link", "text"]);
    expect(imagesOf(response).map(({ inline, width }) => [inline, width])).toEqual([
      [true, 64],
      [false, 32],
      [true, 1],
    ]);
    expect(Buffer.concat(inlineOf(response)).length).toBeLessThanOrEqual(INLINE_BYTES);
  });

  it("a byte more than the limit is a link alone", async () => {
    const bare = png({ padding: 1 }).length - 1;
    const [fits, exceeds] = [INLINE_BYTES, INLINE_BYTES + 1].map((bytes) => png({ padding: bytes - bare }));
    if (fits === undefined || exceeds === undefined) throw new Error("two pictures");
    media.wire.on(OPENAI_ROUTE, answered(fits), answered(exceeds));
    const first = await media.stage.response(media.generate, ASKED);
    const second = await media.stage.response(media.generate, ASKED);
    expect([kindsOf(first.response), kindsOf(second.response)]).toEqual([
      ["image", "resource_link", "text"],
      ["resource_link", "text"],
    ]);
    expect(imagesOf(second.response)).toMatchObject([{ bytes: INLINE_BYTES + 1, inline: false }]);
  });

  it.each(["left the library", "lost its file"])("what %s meanwhile comes from the response", async (how) => {
    media.wire.on(OPENAI_ROUTE, answered(PIXEL));
    const library = media.stage.services.media;
    const broken = {
      view: async (id: string) => (how === "left the library" ? null : library.view(id)),
      open: () => Promise.reject(new Error("the file was cut")),
    } as unknown as MediaLibrary;
    const deps = { ...media.stage.deps, media: broken };
    const { response } = await media.stage.response(generateImageTool(deps), ASKED);
    expect(inlineOf(response)).toEqual([PIXEL]);
    expect(imagesOf(response)).toMatchObject([{ media_id: null, inline: true }]);
  });
});

describe("what the library does not take is not lost", () => {
  const media = useMedia();
  beforeAll(async () => {
    // As when Postern stops: it takes nothing more.
    await media.stage.services.media.close();
  });

  it.each(["auto", "link"])("an image in the response comes as itself, whatever was wanted (%s)", async (delivery) => {
    const picture = png({ padding: INLINE_BYTES });
    media.wire.on(OPENAI_ROUTE, answered(picture, PIXEL));
    const { response, kept, receipt } = await media.stage.response(media.generate, { ...ASKED, n: 2, delivery });
    expect(kept).toEqual([null, null]);
    expect(kindsOf(response)).toEqual(["image", "image", "text"]);
    expect(inlineOf(response)).toEqual([picture, PIXEL]);
    expect(imagesOf(response)).toMatchObject([
      { media_id: null, uri: null, url: null, mime_type: "image/png", bytes: picture.length, width: 64, inline: true },
      { bytes: PIXEL.length },
    ]);
    expect(textOf(response)).toContain("this result alone holds it");
    expect(receipt?.outcome).toBe("completed");
  });

  it("an image at an address is linked there", async () => {
    const url = `${media.wire.origin}/results/a.png?Signature=x`;
    media.wire.on(GAMMA_ROUTE, reply(200, gammaResponse(url)));
    const { response } = await media.stage.response(media.generate, GAMMA);
    expect(kindsOf(response)).toEqual(["resource_link", "text"]);
    expect(response.content[0]).toMatchObject({ type: "resource_link", uri: url });
    expect(imagesOf(response)).toMatchObject([{ media_id: null, url, url_expires_at: null, inline: false }]);
  });

  it("an image that a server writes into the address comes as itself", async () => {
    const url = `data:image/png;base64,${PIXEL.toString("base64")}`;
    media.wire.on(OPENAI_ROUTE, reply(200, { created: 1, data: [{ url }] }));
    const { response } = await media.stage.response(media.generate, ASKED);
    expect(inlineOf(response)).toEqual([PIXEL]);
  });

  it("what is no image is never called one", async () => {
    media.wire.on(OPENAI_ROUTE, answered(Buffer.from("<html>not what was ordered</html>")));
    const { response } = await media.stage.response(media.generate, ASKED);
    expect(kindsOf(response)).toEqual(["resource", "text"]);
    expect(response.content[0]).toMatchObject({ resource: { mimeType: "application/octet-stream" } });
  });

  it("sound comes as itself, samples with a header", async () => {
    const sound = mp3(20);
    media.wire.on(SPEECH_ROUTE, replyBytes("audio/mpeg", sound), replyBytes("audio/pcm", samplesOf(0.25)));
    const first = await media.stage.response(media.speak, { model: "tts-1", input: "Hello." });
    expect(inlineOf(first.response)).toEqual([sound]);
    const pcm = { model: "tts-1", input: "Hello.", response_format: "pcm" };
    const second = await media.stage.response(media.speak, pcm);
    expect(wavOf(inlineOf(second.response)[0] ?? Buffer.alloc(0)).seconds).toBeCloseTo(0.25, 3);
  });
});

describe("the library is not waited for without end", () => {
  const waiting: (() => void)[] = [];
  /** Only the tools wait for so long in this test. */
  const pending: Later = (ms, work) => (ms === 30_000 ? (waiting.push(work), () => {}) : later(ms, work));
  const media = useMedia(() => ({ later: pending }));

  it("a file that the provider does not hand over is linked, and is in the library once it came", async () => {
    const url = `${media.wire.origin}/results/a.png`;
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    media.wire.on(GAMMA_ROUTE, reply(200, gammaResponse(url))).on("GET /results/a.png", async (seen, outgoing) => {
      for (const work of waiting) work();
      await opened;
      await pixelFile(seen, outgoing);
    });
    const saved: (string | null)[] = [];
    const call = media.stage.call(media.generate, GAMMA).then((outcome) => {
      saved.push(...outcome.kept);
      return outcome;
    });
    await until(() => waiting.length > 0 && media.wire.seen.length > 1);
    open();
    const { response } = await call;
    expect(imagesOf(response ?? { content: [], structured: { images: [] } })).toMatchObject([{ media_id: null, url }]);
    expect(saved).toEqual([expect.stringMatching(/^media_/)]);
  });

  it("a caller that leaves waits no more", async () => {
    const caller = new AbortController();
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    media.wire
      .on(GAMMA_ROUTE, reply(200, gammaResponse(`${media.wire.origin}/results/b.png`)))
      .on("GET /results/b.png", async (seen, outgoing) => {
        caller.abort();
        await opened;
        await pixelFile(seen, outgoing);
      });
    const steps: string[] = [];
    const call = media.stage.call(media.generate, GAMMA, {
      signal: caller.signal,
      onStep: ({ message }) => steps.push(message),
    });
    await until(() => caller.signal.aborted);
    open();
    const { receipt } = await call;
    expect(receipt).toMatchObject({ outcome: "completed" });
    expect(steps).toHaveLength(1);
  });
});
