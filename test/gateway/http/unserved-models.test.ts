import { beforeEach, expect, it } from "vitest";
import { CHAT, KEY, errorOf } from "../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../support/use-gateway.ts";

const provider = useProvider();
const postern = useGateway(() => ({ provider, env: { POSTERN_COMPATIBLE_BASE_URL: "http://127.0.0.1:1" } }));
beforeEach(() => provider.reset());

it("a model that does not exist is 404, whatever its name", async () => {
  for (const model of [
    "none",
    "none/none",
    "/",
    "OpenAI/",
    "x".repeat(100_000),
    "\u0000",
    "../../etc/passwd",
    "gpt-4.1\n",
  ]) {
    const response = await postern.chat({ ...CHAT, model });
    expect(response.status).toBe(404);
    const error = await errorOf(response);
    expect(error).toMatchObject({ code: "model_not_found", param: "model", type: "invalid_request_error" });
    expect(error.message.length).toBeLessThan(500);
  }
  expect(provider.chats).toHaveLength(0);
});

it("a provider that is down is 503 with its address, and costs nothing", async () => {
  const response = await postern.chat({ ...CHAT, model: "compatible/some-model" }, KEY);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("5");
  const error = await errorOf(response);
  expect(error).toMatchObject({ type: "upstream_error", code: "no_upstream" });
  expect(error.message).toContain("http://127.0.0.1:1");
  expect(await postern.receipt()).toMatchObject({ outcome: "failed", status: 503, nano: 0 });
});
