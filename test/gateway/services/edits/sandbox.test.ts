import { toFile } from "openai";
import { describe, expect, it } from "vitest";
import { imageEditResponseSchema } from "../../../../gateway/contract/image-edits.ts";
import type { MediaPage } from "../../../../gateway/contract/media.ts";
import { postForm } from "../../../support/edit-acts.ts";
import { formOf } from "../../../support/forms.ts";
import { PIXEL } from "../../../support/image-acts.ts";
import { png } from "../../../support/pictures.ts";
import { errorOf, until } from "../../../support/running-gateway.ts";
import { decoded } from "../../sandbox/images/decoded.ts";
import { useGateway } from "../../../support/use-gateway.ts";

/** Edits without any provider connected. */

const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

const prompt = "Add a hat";

describe("every model that edits", () => {
  it.each([
    ["delta-image-2", "1536x1024", [1536, 1024]],
    ["delta-image-1.5", "1024x1536", [1024, 1536]],
    ["delta-image-1", "1024x1024", [1024, 1024]],
    ["gpt-image-1-mini", "1024x1024", [1024, 1024]],
    ["epsilon-2", "256x256", [256, 256]],
    ["gemini-2.5-flash-image", "1024x1024", [1024, 1024]],
    ["gemini-3-pro-image", "1024x1024", [1024, 1024]],
    ["grok-imagine-image", "1024x1024", [1024, 1024]],
  ] as const)("%s makes a real picture at %s", async (model, size, sides) => {
    const response = await postForm(postern, formOf({ model, prompt, size }, [["image", PIXEL]]));
    expect(response.headers.get("x-postern-provider")).toBe("sandbox");
    const result = imageEditResponseSchema().parse(await response.json());
    expect(result.size).toBe(size);
    const { width, height } = await decoded(Buffer.from(result.data[0]?.b64_json ?? "", "base64"));
    expect([width, height]).toEqual(sides);
    expect(await postern.receipt()).toMatchObject({ endpoint: "edits", model, sandbox: true, outcome: "completed" });
  });

  it("is listed as one that does, with the endpoint", async () => {
    const models = await postern.sdk().models.list();
    const able = models.data.filter((model) =>
      (model as unknown as { capabilities: string[] }).capabilities.includes("image_edit"),
    );
    expect(able.map(({ id }) => id)).toEqual(expect.arrayContaining(["delta-image-2", "delta-image-1", "epsilon-2"]));
    for (const model of able)
      expect(model).toMatchObject({ endpoints: expect.arrayContaining(["/v1/images/edits"]) as string[] });
  });
});

it.each(["png", "jpeg", "webp"] as const)("the response is %s when that is asked for", async (format) => {
  const image = await toFile(png(), "a.png");
  const result = await postern.sdk().images.edit({ model: "delta-image-2", image, prompt, output_format: format });
  const bytes = Buffer.from(result.data?.[0]?.b64_json ?? "", "base64");
  expect(result.output_format).toBe(format);
  expect((await decoded(bytes)).width).toBe(1024);
});

it("a picture at an address of the sandbox is fetched into the library", async () => {
  const form = formOf({ model: "epsilon-2", prompt, response_format: "url", size: "512x512" }, [["image", png()]]);
  const response = await postForm(postern, form);
  const { data } = imageEditResponseSchema().parse(await response.json());
  expect(data[0]?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/openai\/results\/images\//);
  const { id } = await postern.receipt();
  await until(async () => {
    const { data: stored } = await postern.ask<MediaPage>("GET", "/media?limit=50");
    return stored.some(({ origin }) => origin?.request_id === id);
  });
});

it.each([
  ["sandbox:error=400", 400],
  ["sandbox:error=402", 503],
  ["sandbox:cut", 502],
])("%s is the client's %d", async (words, status) => {
  const response = await postForm(postern, formOf({ model: "delta-image-2", prompt: words }, [["image", png()]]));
  expect([response.status, await errorOf(response)]).toEqual([status, expect.anything()]);
});
