import { expect, it } from "vitest";
import { allModels } from "../../../../gateway/catalog/lookup.ts";
import { readPicture } from "../../../../gateway/core/media/picture-type.ts";
import { gammaBody } from "../../../support/image-acts.ts";
import { useGateway } from "../../../support/use-gateway.ts";

const postern = useGateway(() => ({ env: { POSTERN_SANDBOX: "on" } }));

const models = allModels().filter(({ capabilities }) => capabilities.includes("image"));

/** A request in the shape of the model's family. */
function bodyFor({ id, image }: (typeof models)[number]): Record<string, unknown> {
  if (image?.family !== "gamma") return { model: id, prompt: "A red fox" };
  const picture = image.references.least === 0 ? [] : [{ image: "https://example.com/fox.png" }];
  return gammaBody(id, null, [...picture, { text: "A red fox" }]);
}

/** The first image of a response, whichever shape it has. */
async function firstImage(response: Record<string, never>): Promise<Buffer> {
  const { data, output } = response as {
    data?: readonly { b64_json?: string; url?: string }[];
    output?: { choices: readonly { message: { content: readonly { image: string }[] } }[] };
  };
  const [item] = data ?? [];
  if (item?.b64_json !== undefined) return Buffer.from(item.b64_json, "base64");
  const url = item?.url ?? output?.choices[0]?.message.content[0]?.image ?? "";
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

it.each(models.map((model) => [model.id, model] as const))("%s makes a real picture", async (_id, model) => {
  const response = await postern.post("/images/generations", bodyFor(model));
  expect([response.status, response.headers.get("x-postern-provider")]).toEqual([200, "sandbox"]);
  const picture = readPicture(await firstImage((await response.json()) as Record<string, never>));
  expect(picture).not.toBeNull();
  expect(picture?.width).toBeGreaterThanOrEqual(256);
  expect(await postern.receipt()).toMatchObject({ model: model.id, endpoint: "images", sandbox: true });
});

it.each([
  ["gamma-image-2.0", gammaBody("gamma-image-2.0", { size: "1472*1140" }), 1_472, 1_104],
  ["delta-image-2", { model: "delta-image-2", prompt: "A fox", size: "1600x544", output_format: "webp" }, 1_600, 544],
  ["epsilon-2", { model: "epsilon-2", prompt: "A fox", size: "256x256" }, 256, 256],
])("%s makes the size that is asked for", async (_model, body, width, height) => {
  const response = (await (await postern.post("/images/generations", body)).json()) as Record<string, never>;
  expect(readPicture(await firstImage(response))).toMatchObject({ width, height });
});
