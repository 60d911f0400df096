import { describe, expect, it } from "vitest";
import { jsonRpcErrorSchema } from "../../../../gateway/contract/errors.ts";
import { request, sendRaw } from "../../../support/raw-http.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { DISABLED, EXPIRED, doorStage, refused } from "./door-stage.ts";
import { INITIALIZE, OLD, begin, post, rpc, send, without } from "./wire.ts";

/** Who comes in at all: Host, Origin and keys. */

const stage = doorStage();

describe.each(["POST", "GET", "DELETE"])("a web page's %s is refused before its body is read", (method) => {
  it.each([
    ["Host alone", () => ["Host: evil.example"], "forbidden_host"],
    ["no Host", () => [], "forbidden_host"],
    ["Origin alone", () => [stage.self(), "Origin: http://evil.example"], "forbidden_origin"],
    ["Origin null", () => [stage.self(), "Origin: null"], "forbidden_origin"],
    ["both foreign", () => ["Host: evil.example", "Origin: http://evil.example"], "forbidden_"],
    ["cross-site", () => [stage.self(), "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], "forbidden_origin"],
  ])("%s", async (_what, headers, code) => {
    const response = await stage.endless(method, headers());
    const reported = jsonRpcErrorSchema.parse(JSON.parse(response.body)).error.data.code;
    expect(reported.startsWith(code)).toBe(true);
    refused(response, 403, reported);
  });
});

it("Postern's own page may ask", async () => {
  expect((await post(stage.gateway, INITIALIZE, { headers: { origin: stage.gateway.url } })).status).toBe(200);
});

describe("an invalid key", () => {
  const keys: readonly (readonly [string, readonly string[], string])[] = [
    ["missing", [], "invalid_api_key"],
    ["empty", ["Authorization: "], "invalid_api_key"],
    ["a scheme alone", ["Authorization: Bearer"], "invalid_api_key"],
    ["another scheme", [`Authorization: Basic ${Buffer.from(`x:${KEY}`).toString("base64")}`], "invalid_api_key"],
    ["without a scheme", [`Authorization: ${KEY}`], "invalid_api_key"],
    ["unknown", ["Authorization: Bearer sk-garbage-garbage-garbage"], "invalid_api_key"],
    ["cut off", [`Authorization: Bearer ${KEY.slice(0, -1)}`], "invalid_api_key"],
    ["with more behind it", [`Authorization: Bearer ${KEY} ${KEY}`], "invalid_api_key"],
    ["in other letters", [`Authorization: Bearer ${KEY.toUpperCase()}`], "invalid_api_key"],
    ["long", [`Authorization: Bearer ${"k".repeat(10_000)}`], "invalid_api_key"],
    ["of bytes", ["Authorization: Bearer \u00ff\u00fe"], "invalid_api_key"],
    ["expired", [`Authorization: Bearer ${EXPIRED}`], "key_expired"],
    ["switched off", [`Authorization: Bearer ${DISABLED}`], "key_disabled"],
    ["in a header of other APIs", [`X-Api-Key: ${KEY}`], "invalid_api_key"],
    ["in a cookie", [`Cookie: authorization=Bearer ${KEY}`], "invalid_api_key"],
    ["of a proxy", [`Proxy-Authorization: Bearer ${KEY}`], "invalid_api_key"],
  ];
  it.each(keys)("%s: 401, before the body is read", async (_what, headers, code) => {
    for (const method of ["POST", "GET", "DELETE"]) {
      const response = await sendRaw(
        stage.gateway.port,
        request(
          `${method} /mcp HTTP/1.1`,
          [stage.self(), ...headers, "Content-Type: application/json", "Content-Length: 1000"],
          "{",
        ),
        2_000,
      );
      refused(response, 401, code);
      expect(response.headers["www-authenticate"]).toMatch(/^Bearer/);
    }
  });

  it("a control token of the pages is not accepted either", async () => {
    const response = await post(stage.gateway, INITIALIZE, { key: await stage.gateway.signIn() });
    expect(response.status).toBe(401);
  });

  it("next to a good session opens nothing", async () => {
    const session = await begin(stage.gateway);
    const headers = { authorization: "Bearer sk-garbage-garbage-garbage" };
    for (const response of [
      await send(stage.gateway, OLD, rpc(OLD, 1, "tools/list"), { session, headers }),
      await without(stage.gateway, "GET", { session, headers }),
      await without(stage.gateway, "DELETE", { session, headers }),
    ]) {
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain(session);
    }
    expect((await send(stage.gateway, OLD, rpc(OLD, 1, "ping"), { session })).status).toBe(200);
  });

  it("in the address is refused next to a good one", async () => {
    for (const query of [`api_key=${KEY}`, `x=${KEY}`, "token=abc"]) {
      const response = await fetch(`${stage.gateway.url}/mcp?${query}`, {
        headers: { authorization: `Bearer ${KEY}` },
      });
      expect(response.status, query).toBe(401);
    }
  });
});
