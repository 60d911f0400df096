import { expect, it } from "vitest";
import { firstKeyQuestion } from "../../../main/policy/first-key.ts";
import { english } from "../../../main/policy/words.ts";

it("shows the key with the base URL it belongs to, and copies by the first button only", () => {
  const question = firstKeyQuestion("sk-abc", "http://127.0.0.1:6174", english);
  expect(question.detail).toContain("sk-abc");
  expect(question.detail).toContain("http://127.0.0.1:6174/v1");
  expect([question.defaultId, question.cancelId, question.buttons.length]).toStrictEqual([0, 1, 2]);
});
