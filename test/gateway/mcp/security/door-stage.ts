import { afterAll, beforeAll, expect } from "vitest";
import { jsonRpcErrorSchema } from "../../../../gateway/contract/errors.ts";
import { request, sendRaw, type RawResponse } from "../../../support/raw-http.ts";
import { KEY, startGateway, type TestGateway } from "../../../support/running-gateway.ts";

export const OTHER = "sk-test-other-key-00000002";
export const EXPIRED = "sk-test-expired-key-000003";
export const DISABLED = "sk-test-disabled-key-00004";

export const GOOD = [
  `Authorization: Bearer ${KEY}`,
  "Content-Type: application/json",
  "Accept: application/json, text/event-stream",
];

/** A gateway with keys of every state, for the tests of a file. */
export function doorStage() {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({
      env: { POSTERN_SANDBOX: "on" },
      keys: [
        { key: OTHER, name: "other" },
        { key: EXPIRED, name: "expired", expires_at: Date.now() - 1_000 },
        { key: DISABLED, name: "disabled" },
      ],
    });
    const { data } = await gateway.ask<{ data: { id: string; name: string }[] }>("GET", "/keys");
    const disabled = data.find(({ name }) => name === "disabled");
    await gateway.ask("PATCH", `/keys/${disabled?.id}`, { disabled: true });
  });
  afterAll(() => gateway.close());
  return {
    get gateway(): TestGateway {
      return gateway;
    },
    self: (): string => `Host: 127.0.0.1:${gateway.port}`,
    /** A request whose body begins and never ends. */
    endless: (method: string, headers: readonly string[]): Promise<RawResponse> =>
      sendRaw(
        gateway.port,
        request(`${method} /mcp HTTP/1.1`, [...headers, ...GOOD, "Content-Length: 1000"], '{"jsonrpc"'),
        2_000,
      ),
  };
}

export function refused(response: RawResponse, status: number, code: string): void {
  expect(response.status).toBe(status);
  const { error, id } = jsonRpcErrorSchema.parse(JSON.parse(response.body));
  expect(error.data).toMatchObject({ code, status });
  expect(id).toBe(null);
  expect(response.headers).not.toHaveProperty("access-control-allow-origin");
  expect(response.headers).not.toHaveProperty("mcp-session-id");
}
