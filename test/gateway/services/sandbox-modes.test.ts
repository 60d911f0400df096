import { describe, expect, it } from "vitest";
import { failure } from "../../support/acts.ts";
import { startProvider } from "../../support/mock-provider.ts";
import { CHAT, errorOf, startGateway, type TestGateway } from "../../support/running-gateway.ts";

async function withGateway(
  sandbox: string | null,
  connected: boolean,
  check: (postern: TestGateway, reject: () => void) => Promise<void>,
): Promise<void> {
  const provider = await startProvider();
  const postern = await startGateway({
    ...(connected ? { provider } : {}),
    env: sandbox === null ? { POSTERN_SANDBOX: "" } : { POSTERN_SANDBOX: sandbox },
  });
  try {
    await check(postern, () => {
      provider.usual = failure(500);
    });
  } finally {
    await postern.close();
    await provider.close();
  }
}

const who = async (postern: TestGateway, model: string): Promise<string> => {
  const response = await postern.chat({ ...CHAT, model });
  return response.ok
    ? (response.headers.get("x-postern-provider") ?? "?")
    : `${response.status} ${(await errorOf(response)).code}`;
};

describe("who answers for a model of a connected provider, and for one of another", () => {
  it.each([
    ["auto", false, "sandbox", "sandbox"],
    [null, false, "sandbox", "sandbox"],
    ["auto", true, "openai", "404 model_not_found"],
    ["on", false, "sandbox", "sandbox"],
    ["on", true, "openai", "sandbox"],
    ["off", false, "404 model_not_found", "404 model_not_found"],
    ["off", true, "openai", "404 model_not_found"],
  ] as const)("sandbox %s, connected %s", async (mode, connected, own, other) => {
    await withGateway(mode, connected, async (postern) => {
      expect([await who(postern, "gpt-4.1"), await who(postern, "claude-sonnet-5")]).toEqual([own, other]);
    });
  });
});

it("never stands in for a provider that fails", async () => {
  await withGateway("on", true, async (postern, reject) => {
    reject();
    expect(await who(postern, "gpt-4.1")).toBe("502 upstream_error");
  });
});

it("goes when the first provider is connected, and comes back when the last one goes", async () => {
  const provider = await startProvider();
  await withGateway("auto", false, async (postern) => {
    expect(await who(postern, "gpt-4.1")).toBe("sandbox");
    const { id } = await postern.ask<{ id: string }>("POST", "/connections", {
      provider: "openai",
      name: "Mine",
      base_url: provider.baseUrl,
    });
    expect([await who(postern, "gpt-4.1"), await who(postern, "claude-sonnet-5")]).toEqual([
      "openai",
      "404 model_not_found",
    ]);
    expect(postern.gateway.state().sandbox).toEqual({ mode: "auto", active: false });
    await postern.ask("DELETE", `/connections/${id}`);
    expect(await who(postern, "claude-sonnet-5")).toBe("sandbox");
  });
  await provider.close();
});

it("without a provider and without the sandbox says what to do", async () => {
  await withGateway("off", false, async (postern) => {
    const error = await errorOf(await postern.chat());
    expect(error.message).toContain("Providers page");
  });
});

it("a connection that points back at Postern is answered 508", async () => {
  await withGateway("off", false, async (postern) => {
    await postern.ask("POST", "/connections", {
      provider: "openai-compatible",
      name: "Loop",
      base_url: `${postern.url}/v1`,
      keys: ["sk-test-unlimited-key-0001"],
    });
    const response = await postern.chat({ ...CHAT, model: "Loop/gpt-4.1" });
    expect(response.status).toBe(508);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect((await errorOf(response)).code).toBe("loop_detected");
    expect((await postern.receipts()).length).toBe(1);
  });
});
