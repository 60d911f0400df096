import { expect, it } from "vitest";
import { clientName } from "../../../../gateway/core/keys/client-name.ts";

it.each([
  ["OpenAI/JS 7.55.0", "OpenAI/JS"],
  ["claude-cli/2.1.329 (external)", "claude-cli"],
  [" curl/v8.0+x ", "curl"],
  ["node", "node"],
  ['my"<editor>;/2', "myeditor"],
  ["", "unknown"],
  ["/1.0", "unknown"],
  ["x".repeat(61), "x".repeat(60)],
])("%j calls itself %s", (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name);
});
