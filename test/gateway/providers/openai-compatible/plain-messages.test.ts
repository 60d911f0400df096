import { expect, it } from "vitest";
import { plainMessages, plainRoles } from "../../../../gateway/providers/openai-compatible/plain-messages.ts";

const user = { role: "user", content: "hi" };

it("says system for developer, wherever it stands, and nothing else differently", () => {
  const developer = { role: "developer", content: [{ type: "text", text: "x" }], name: "n" };
  expect(plainMessages([developer, user, developer])).toEqual([
    { ...developer, role: "system" },
    user,
    { ...developer, role: "system" },
  ]);
});

it("leaves out fields that are refused", () => {
  const response = { role: "assistant", content: "x", reasoning_content: "hm", refusal: null };
  expect(plainMessages([user, response], ["reasoning_content", "refusal"])).toEqual([
    user,
    { role: "assistant", content: "x" },
  ]);
});

it.each([[[user]], [[]], ["x"], [undefined], [[null, 5, "x"]]])("changes nothing in %j", (messages) => {
  expect(plainMessages(messages, ["reasoning_content"])).toBeUndefined();
  expect(plainRoles({ messages })).toEqual({});
});
