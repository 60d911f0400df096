import { expect, it } from "vitest";
import { ImageObserver } from "../../../../gateway/services/images/image-observer.ts";

const units = (usage: unknown) => (usage === undefined ? null : { image_output: 10 });
const type = (name: string, rest: object = {}) => ({ type: name, ...rest });

it("reads Ark's series: images one by one, the usage at the end", () => {
  const observer = new ImageObserver(4, units);
  const failed = { error: { code: "OutputImageSensitiveContentDetected", message: "no" } };
  const noticed = [
    type("image_generation.partial_succeeded", { image_index: 0, url: "https://x/0" }),
    type("image_generation.partial_failed", { image_index: 1, ...failed }),
    type("image_generation.partial_succeeded", { image_index: 2, b64_json: "AA" }),
    type("image_generation.completed", { usage: { generated_images: 2 } }),
  ].map((event) => observer.notice(event));
  expect(noticed).toEqual(["pass", "pass", "pass", "last"]);
  expect(observer.images).toEqual([
    { kind: "url", url: "https://x/0" },
    { kind: "base64", data: "AA" },
  ]);
  expect(observer).toMatchObject({ usage: { image_output: 10 }, partials: 0, finished: true });
});

it("reads OpenAI's edits: unfinished images are counted and not kept, usages are summed", () => {
  const observer = new ImageObserver(2, units);
  const noticed = [
    type("image_edit.partial_image", { b64_json: "AA" }),
    type("image_edit.completed", { b64_json: "BB", usage: {} }),
    type("image_edit.completed", { b64_json: "CC", usage: {} }),
  ].map((event) => observer.notice(event));
  expect(noticed).toEqual(["pass", "pass", "last"]);
  expect(observer.images.map((image) => image.kind === "base64" && image.data)).toEqual(["BB", "CC"]);
  expect(observer).toMatchObject({ usage: { image_output: 20 }, partials: 1 });
});

it.each([{ error: { message: "boom" } }, { error: "boom" }, { type: "error", message: "boom" }])(
  "knows an error: %j",
  (event) => {
    const observer = new ImageObserver(1, units);
    expect(observer.notice(event)).toBe("error");
    expect(observer).toMatchObject({ started: false, finished: false });
  },
);

it("lets pass what it does not know", () => {
  const observer = new ImageObserver(1, units);
  expect([observer.notice({}), observer.notice(type("image_generation.queued", { error: null }))]).toEqual([
    "pass",
    "pass",
  ]);
  expect(observer).toMatchObject({ started: true, finished: false, usage: null });
});
