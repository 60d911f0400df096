import { expect, it } from "vitest";
import type { ModelView } from "../../../../gateway/contract/model-view.ts";
import { firstPicture } from "../../../../renderer/features/library/library-page.tsx";

const model = (id: string, ...capabilities: string[]): ModelView => ({
  id,
  name: id,
  owner: "openai",
  group: "OpenAI",
  endpoints: [],
  max_output: null,
  price: null,
  own_price: false,
  list_price: null,
  aliases: [],
  other_names: [],
  hidden_by: null,
  served: true,
  provider: "openai",
  connections: [],
  capabilities,
  context_length: null,
  input_nano_per_million: null,
  output_nano_per_million: null,
  sandbox: false,
});

it("names a model that makes pictures and is served right now", () => {
  const models = [model("gpt-5.4", "chat"), model("epsilon-2", "image_edit"), model("gamma-image", "image")];
  const text = firstPicture(models, "http://127.0.0.1:6174", "sk-…");
  expect(text).toContain("http://127.0.0.1:6174/v1/images/generations");
  expect(text).toContain('"model":"gamma-image"');
  expect(firstPicture([...models, model("gpt-image-1", "image")], "", "")).toContain('"model":"gpt-image-1"');
});
