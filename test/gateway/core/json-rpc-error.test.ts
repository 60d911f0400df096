import { describe, expect, it } from "vitest";
import { jsonRpcErrorSchema } from "../../../gateway/contract/errors.ts";
import { GatewayError, errorRegistry, type ErrorCode } from "../../../gateway/core/errors.ts";
import { jsonRpcErrorBody } from "../../../gateway/core/json-rpc-error.ts";

describe("errors in JSON-RPC", () => {
  it.each(Object.keys(errorRegistry) as ErrorCode[])("%s has the gateway's code inside", (code) => {
    const body = jsonRpcErrorBody(new GatewayError(code, "Do this."), null, "req_1");
    const { error } = jsonRpcErrorSchema.parse(body);
    expect(error.message).toBe("Do this.");
    expect(error.data).toMatchObject({ code, status: errorRegistry[code].status, request_id: "req_1" });
    expect(error.code).toBeLessThan(0);
  });

  it.each([
    ["a request's", { jsonrpc: "2.0", id: 0, method: "ping" }, 0],
    ["a request's, as text", { jsonrpc: "2.0", id: "a", method: "ping" }, "a"],
    ["no id: a notification", { jsonrpc: "2.0", method: "ping" }, null],
    ["no id: an answer of the client", { jsonrpc: "2.0", id: 7, result: {} }, null],
    ["no id: one that is none", { jsonrpc: "2.0", id: { a: 1 }, method: "ping" }, null],
    ["no id: a batch", [{ jsonrpc: "2.0", id: 1, method: "ping" }], null],
    ["no id: nothing was read", undefined, null],
  ])("echoes %s", (_what, message, id) => {
    expect(jsonRpcErrorBody(new GatewayError("invalid_body", "x"), message, "r")["id"]).toBe(id);
  });

  it("says how long to wait, and the provider's own code", () => {
    const error = new GatewayError("upstream_overloaded", "x", { retryAfter: 0.2, provider: { code: "overloaded" } });
    expect(jsonRpcErrorBody(error, null, "r")).toMatchObject({
      error: { data: { retry_after_seconds: 1, provider_code: "overloaded" } },
    });
  });
});
