import { expect, it } from "vitest";
import { EDIT_ROUTE, useMedia, OTHER_KEY, imagesOf, inlineOf, kindsOf, textOf } from "../media/media-stage.ts";
import { deltaEdit, fieldsSeen, filesSeen } from "../../../support/edit-acts.ts";
import { OPENAI_ROUTE, deltaResponse } from "../../../support/image-acts.ts";
import { jpeg, png } from "../../../support/pictures.ts";
import { serveFile } from "../../../support/speech-acts.ts";
import { samplesOf, wavFile } from "../../../support/sound.ts";
import { reply } from "../../../support/wire-provider.ts";

const media = useMedia();

const PICTURE = png();
const dataUrl = (bytes: Buffer, type = "image/png"): string => `data:${type};base64,${bytes.toString("base64")}`;
const ASKED = { model: "delta-image-1", prompt: "Add a hat", images: [dataUrl(PICTURE)] };

it("a picture inside the arguments is edited with its mask, and the result is in the library", async () => {
  media.wire.on(EDIT_ROUTE, reply(200, deltaEdit()));
  const { response, receipt, kept } = await media.stage.response(media.edit, {
    ...ASKED,
    images: [dataUrl(PICTURE), dataUrl(jpeg(), "image/jpeg")],
    mask: dataUrl(PICTURE),
    quality: "low",
    input_fidelity: "high",
  });
  expect(kindsOf(response)).toEqual(["image", "resource_link", "text"]);
  expect(inlineOf(response)).toEqual([png()]);
  expect(imagesOf(response)).toMatchObject([{ media_id: kept[0], width: 64, height: 64 }]);
  expect(textOf(response)).toMatch(/Cost: \$0\.17 \(delta-image-1\)\.$/);
  expect(receipt).toMatchObject({ outcome: "completed" });
  const [seen] = media.requests;
  if (seen === undefined) throw new Error("nothing reached the provider");
  expect(await fieldsSeen(seen)).toEqual({
    model: "gpt-image-1",
    prompt: "Add a hat",
    quality: "low",
    input_fidelity: "high",
  });
  expect((await filesSeen(seen)).map(({ field, bytes }) => [field, bytes.length])).toEqual([
    ["image[]", PICTURE.length],
    ["image[]", jpeg().length],
    ["mask", PICTURE.length],
  ]);
});

it("what a tool made is edited further by the key that made it, and by no other", async () => {
  media.wire.on(OPENAI_ROUTE, reply(200, deltaResponse())).on(EDIT_ROUTE, reply(200, deltaEdit()));
  const { response, kept } = await media.stage.response(media.generate, { model: "delta-image-1", prompt: "A fox" });
  const request = { ...ASKED, images: [imagesOf(response)[0]?.uri ?? ""] };
  const foreign = await media.stage.call(media.edit, request, { key: OTHER_KEY });
  const unknown = await media.stage.call(media.edit, { ...ASKED, images: ["postern://media/media_x"] });
  expect([foreign.error?.code, foreign.error?.message.replace(kept[0] ?? "", "media_x")]).toEqual([
    unknown.error?.code,
    unknown.error?.message,
  ]);
  expect(media.requests).toHaveLength(1);

  await media.stage.response(media.edit, request);
  const seen = media.requests[1];
  if (seen === undefined) throw new Error("nothing reached the provider");
  const [file] = await filesSeen(seen);
  expect(file).toMatchObject({ field: "image", type: "image/png" });
  expect(file?.name).toMatch(/^postern-image-\w{8}\.png$/);
});

it("an https address goes to the provider, who fetches it", async () => {
  media.wire.on(EDIT_ROUTE, reply(200, deltaEdit()));
  const address = "https://pictures.example/a.png";
  await media.stage.response(media.edit, { ...ASKED, images: [address], delivery: "link" });
  expect(media.requests[0]?.json).toMatchObject({ images: [{ image_url: address }], model: "gpt-image-1" });
});

it("a sound of the library is no picture", async () => {
  serveFile(media.wire, wavFile(samplesOf(0.2)));
  const { kept } = await media.stage.response(media.speak, { model: "gamma3-tts-instruct-flash", input: "Hello." });
  const { error } = await media.stage.call(media.edit, { ...ASKED, images: [`postern://media/${kept[0]}`] });
  expect(error).toMatchObject({ code: "invalid_value", message: expect.stringContaining("audio/wav, no image") });
});

it.each<[Record<string, unknown>, string, string | undefined]>([
  [{ model: "delta-image-1", prompt: "x" }, "missing_required_parameter", "images"],
  [{ ...ASKED, images: [] }, "missing_required_parameter", "image"],
  [{ ...ASKED, prompt: " " }, "invalid_value", "prompt"],
  [{ ...ASKED, size: "2K" }, "unsupported_value", "size"],
  [{ ...ASKED, quality: "ultra" }, "invalid_value", "quality"],
  [{ ...ASKED, n: 0 }, "invalid_value", "n"],
  [{ ...ASKED, mask: dataUrl(png({ width: 32 })) }, "invalid_mask", "mask"],
  [{ ...ASKED, mask: "/etc/passwd" }, "invalid_value", "mask"],
  [{ ...ASKED, images: [dataUrl(PICTURE), "/home/me/a.png"] }, "invalid_value", "images[1]"],
  [{ ...ASKED, images: [dataUrl(PICTURE), "data:image/png,abc"] }, "invalid_value", "images[1]"],
  [{ ...ASKED, images: [dataUrl(Buffer.from("no picture"))] }, "invalid_value", "images[0]"],
  [{ ...ASKED, images: ["http://127.0.0.1/a.png"] }, "invalid_value", "images[0]"],
  [{ ...ASKED, model: "epsilon-3" }, "endpoint_model_mismatch", "model"],
  [{ ...ASKED, model: "gemini-3-pro-image", images: ["https://a.example/a.png"] }, "unsupported_value", "images"],
  [{ ...ASKED, input_fidelity: "high", model: "gpt-image-1-mini" }, "unsupported_parameter", "input_fidelity"],
  [{ ...ASKED, image: "x" }, "unsupported_parameter", "image"],
])("%j is refused as by /v1", async (args, code, param) => {
  const { error } = await media.stage.call(media.edit, args);
  expect([error?.code, error?.details.param]).toEqual([code, param]);
  expect(media.requests).toEqual([]);
});
