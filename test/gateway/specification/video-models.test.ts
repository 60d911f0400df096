import { describe, expect, it } from "vitest";
import { inputFor, useVideoStage } from "../../support/video-stage.ts";

/** The specification's models of `POST /v1/videos/generations`: listed, and asked for in their versions' protocols. */

const videos = useVideoStage();
const { sent } = videos;

const ALPHA = [
  "alpha2.6-t2v",
  "alpha2.7-t2v",
  "alpha2.7-t2v-2026-04-25",
  "alpha2.5-t2v-preview",
  "alpha2.6-i2v",
  "alpha2.6-i2v-flash",
  "alpha2.7-i2v",
  "alpha2.7-i2v-2026-04-25",
  "alpha2.5-i2v-preview",
  "alpha2.6-r2v",
  "alpha2.6-r2v-flash",
  "alpha2.7-r2v",
];
const BETA = ["beta-1.0-t2v", "beta-1.0-i2v", "beta-1.0-r2v", "beta-1.0-video-edit"];

async function listed(): Promise<readonly string[]> {
  const { data } = (await (await videos.stage.get("/models")).json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

describe("models", () => {
  it.each(ALPHA)(
    "alpha: %s is listed, and reaches its provider by the provider's name and its version's protocol",
    async (model) => {
      expect(await listed()).toContain(model);
      const input = inputFor(model);
      const body = await sent({ model, input });
      expect(body).toMatchObject({ model: model.replace("alpha", "wan"), input });
      // The major version selects the protocol, and the suffix what the provider reads of it.
      const bySize = /^alpha2\.[56]-[tr]2v/.test(model);
      expect(body["parameters"]).toEqual(bySize ? { size: "1280*720" } : { resolution: "720P" });
      expect(videos.provider.last.path).toBe("/dashscope/api/v1/services/aigc/video-generation/video-synthesis");
    },
  );

  it.each(BETA)("beta: %s is listed, and reaches its provider by the provider's name", async (model) => {
    expect(await listed()).toContain(model);
    const input = inputFor(model);
    expect(await sent({ model, input })).toEqual({
      model: model.replace("beta", "happyhorse"),
      input,
      parameters: { resolution: "720P" },
    });
  });
});

it("versions of the model choose the protocol: 2.6 reads a size, 2.7 and beta a resolution", async () => {
  const order = { duration: 5, resolution: "1080p", aspect_ratio: "9:16", input: { prompt: "A lighthouse." } };
  const parameters = async (model: string): Promise<unknown> => (await sent({ ...order, model }))["parameters"];
  for (const model of ["alpha2.5-t2v-preview", "alpha2.6-t2v"])
    expect(await parameters(model)).toEqual({ size: "1080*1920" });
  for (const model of ["alpha2.7-t2v", "alpha2.7-t2v-2026-04-25", "beta-1.0-t2v"]) {
    expect(await parameters(model)).toEqual({ resolution: "1080P", ratio: "9:16" });
  }
});
