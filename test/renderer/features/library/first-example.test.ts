import { expect, it } from "vitest";
import { firstPicture } from "../../../../renderer/features/library/library-page.tsx";
import { modelView } from "../../../support/views.ts";

const model = (id: string, ...capabilities: string[]) => modelView({ id, capabilities });

it("names a model that makes pictures and is served right now", () => {
  const models = [model("gpt-5.4", "chat"), model("epsilon-2", "image_edit"), model("gamma-image", "image")];
  const text = firstPicture(models, "http://127.0.0.1:6174", "sk-…");
  expect(text).toContain("http://127.0.0.1:6174/v1/images/generations");
  expect(text).toContain('"model":"gamma-image"');
  expect(firstPicture([...models, model("gpt-image-1", "image")], "", "")).toContain('"model":"gpt-image-1"');
});
