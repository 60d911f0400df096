import { beforeEach, expect, it } from "vitest";
import { chunkText, failure, stream } from "../../../support/acts.ts";
import { CHAT } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const provider = useProvider();
const postern = useGateway(() => ({ provider }));
beforeEach(() => provider.reset());

const TOO_LONG = {
  message: "This model's maximum context length is 400000 tokens.",
  type: "invalid_request_error",
  code: "context_length_exceeded",
};

it.each([
  ["/chat/completions", { ...CHAT }],
  ["/chat/completions", { ...CHAT, stream: true }],
  ["/messages", { ...CHAT, max_tokens: 9 }],
])("a receipt of %s has the code and the sentence that its client got: %j", async (path, body) => {
  provider.next(failure(400, TOO_LONG));
  expect(await (await postern.post(path, body)).text()).toContain(TOO_LONG.message);
  const { code, message } = TOO_LONG;
  expect(await postern.receipt()).toMatchObject({ outcome: "failed", status: 400, code, message });
});

it("so has one of a stream that ended in an error", async () => {
  const error = { message: "The engine stopped.", type: "server_error", code: "engine_gone" };
  provider.next(stream([`data: ${chunkText({ content: "Hel" })}\n\n`, `data: ${JSON.stringify({ error })}\n\n`]));
  const text = await (await postern.chat({ ...CHAT, stream: true })).text();
  const receipt = await postern.receipt();
  expect(receipt).toMatchObject({ outcome: "interrupted", message: expect.stringContaining(error.message) as unknown });
  expect(text).toContain(JSON.stringify(receipt.message));
  expect(text).toContain(`"code":${JSON.stringify(receipt.code)}`);
});

it("so has one that Postern refused itself", async () => {
  await postern.chat({ ...CHAT, model: "none-such" });
  const message = expect.stringMatching(/^The model "none-such" does not exist here\./) as unknown;
  expect(await postern.receipt()).toMatchObject({ code: "model_not_found", message });
});

it("the sentence is without secrets, and short", async () => {
  provider.next(failure(400, { message: `key sk-abcdefghijklmnop ${"é👍".repeat(200)}` }));
  await postern.chat();
  const { message = "" } = await postern.receipt();
  expect(message).toMatch(/^key sk-\[redacted\] é/);
  expect(message.length).toBeLessThanOrEqual(300);
  expect(message.isWellFormed()).toBe(true);
});

it("a request that ended well has none", async () => {
  await postern.chat();
  expect(await postern.receipt()).not.toHaveProperty("message");
});
