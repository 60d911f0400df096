import { expect, it } from "vitest";
import { chat } from "../../../../gateway/providers/ark/chat.ts";
import { provider } from "../../../../gateway/providers/ark/provider.ts";
import { dialectCall } from "../dialect-call.ts";

const BODY = { model: "doubao-seed-1-6", messages: [{ role: "user", content: "Hi" }], thinking: { type: "disabled" } };

it("sends the client's own bytes, Ark's own fields among them", () => {
  const call = dialectCall(BODY);
  const wire = chat.toRequest(call, "ark-key");
  expect(wire).toMatchObject({ method: "POST", path: "/chat/completions" });
  expect(wire.headers["authorization"]).toBe("Bearer ark-key");
  expect(wire.body).toBe(call.raw);
});

it.each([
  ["https://ark.cn-beijing.volces.com", "https://ark.cn-beijing.volces.com/api/v3"],
  ["https://ark.cn-beijing.volces.com/api/v3/", "https://ark.cn-beijing.volces.com/api/v3"],
  ["https://ark.cn-beijing.volces.com/api", "https://ark.cn-beijing.volces.com/api/v3"],
  ["https://ark.cn-beijing.volces.com/v3", "https://ark.cn-beijing.volces.com/api/v3"],
  ["https://ark.cn-beijing.volces.com/api/v3/api/v3", "https://ark.cn-beijing.volces.com/api/v3"],
  ["https://ark.ap-southeast.bytepluses.com/api/v3/chat/completions", "https://ark.ap-southeast.bytepluses.com/api/v3"],
  ["http://127.0.0.1:9000/ark//", "http://127.0.0.1:9000/ark/api/v3"],
])("puts the base URL %s right", (given, right) => {
  expect(provider.normalizeBaseUrl(new URL(given))).toBe(right);
});
