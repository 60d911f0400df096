import { expect, it } from "vitest";
import type { ModelView } from "../../../gateway/contract/control.ts";
import { exampleModel, examples, exampleText } from "../../../renderer/features/overview/examples.ts";

const model = (id: string, ...capabilities: string[]): ModelView => ({
  id,
  vendor: "v",
  connections: [],
  capabilities,
  context_length: null,
  input_nano_per_million: null,
  output_nano_per_million: null,
  sandbox: false,
});

it.each(examples.map(({ id }) => id))("%s names the address, the key and no other host", (id) => {
  const text = exampleText(id, "http://127.0.0.1:6174/v1", "sk-…", "m1");
  expect(text).toContain("http://127.0.0.1:6174/v1");
  expect(text).toContain("sk-…");
  expect(text.match(/https?:\/\/[^/"\s]+/g)).toEqual(["http://127.0.0.1:6174"]);
});

it("asks a model that answers chats now", () => {
  expect(exampleModel([model("embed", "embedding"), model("local", "chat")])).toBe("local");
  expect(exampleModel([model("local", "chat"), model("gpt-4o-mini", "chat")])).toBe("gpt-4o-mini");
});
