import type { AddressInfo, Server } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import type { ProxyCheck } from "../../../gateway/contract/control.ts";
import { parseProxy } from "../../../gateway/contract/proxy.ts";
import type { Proxy } from "../../../gateway/contract/proxy.ts";
import { KnownSecrets } from "../../../gateway/lib/known-secrets.ts";
import { Downloader } from "../../../gateway/upstream/download.ts";
import type { Reach } from "../../../gateway/upstream/reach.ts";
import { ServiceClient } from "../../../gateway/upstream/service-client.ts";
import type { Resolve } from "../../../gateway/upstream/targets.ts";
import { WebhookSender } from "../../../gateway/upstream/webhook-sender.ts";
import { CountingProxy, serveTls, trustTestCertificate } from "../../support/proxy-world.ts";
import { startGateway } from "../../support/running-gateway.ts";
import type { TestGateway } from "../../support/running-gateway.ts";
import { useProvider } from "../../support/use-gateway.ts";

const provider = useProvider();
let tls: Server;
let proxy: CountingProxy;
let other: CountingProxy;
let distrust: () => void;
const started: TestGateway[] = [];

beforeAll(async () => {
  distrust = trustTestCertificate();
  tls = await serveTls(provider);
  const leadsTo = (): number => (tls.address() as AddressInfo).port;
  [proxy, other] = await Promise.all([new CountingProxy(leadsTo).listen(), new CountingProxy(leadsTo).listen()]);
});
afterEach(async () => {
  proxy.requests.length = 0;
  other.requests.length = 0;
  proxy.login = null;
  await Promise.all(started.splice(0).map((gateway) => gateway.close()));
});
afterAll(() => {
  proxy.close();
  other.close();
  tls.close();
  distrust();
});

const FAR = { POSTERN_OPENAI_BASE_URL: "https://api.provider.test/v1", POSTERN_OPENAI_API_KEY: "sk-provider-key-0001" };
const PLACE = "api.provider.test:443";

async function start(env: Readonly<Record<string, string>>): Promise<TestGateway> {
  const gateway = await startGateway({ env });
  started.push(gateway);
  return gateway;
}

const address = (scheme: string, login = "", at = proxy): string => `${scheme}://${login}127.0.0.1:${at.port}`;

describe("a provider that is reached by a proxy alone", () => {
  it.each([
    ["HTTPS_PROXY", "http", null],
    ["https_proxy", "http", "me:s@cret"],
    ["ALL_PROXY", "socks5h", null],
    ["all_proxy", "socks5", "me:s@cret"],
    ["POSTERN_PROXY", "http", "me:s@cret"],
    ["POSTERN_PROXY", "socks5", null],
    ["POSTERN_OPENAI_PROXY", "socks5", "me:s@cret"],
  ])("is called with %s of %s and the login %s", async (variable, scheme, login) => {
    proxy.login = login;
    const gateway = await start({ ...FAR, [variable]: address(scheme, login === null ? "" : "me:s%40cret@") });
    expect((await gateway.chat()).status).toBe(200);
    expect(proxy.requests.length).toBeGreaterThan(0);
    expect(proxy.requests).toStrictEqual(proxy.requests.map(() => ({ place: PLACE, login })));
    const whole = JSON.stringify([await gateway.ask("GET", "/connections"), await gateway.ask("GET", "/settings")]);
    expect(whole).not.toMatch(/s@cret|s%40cret/);
  });

  it.each([
    ["NO_PROXY", "provider.test"],
    ["POSTERN_PROXY", "off"],
    ["POSTERN_OPENAI_PROXY", "direct"],
  ])("is not where %s is %s", async (variable, value) => {
    const gateway = await start({ ...FAR, HTTPS_PROXY: address("http"), [variable]: value });
    expect((await gateway.chat()).status).toBe(503);
    expect(proxy.requests).toHaveLength(0);
  });

  it("has its own proxy before that of the setting, which is for the others", async () => {
    const gateway = await start({ ...FAR, POSTERN_PROXY: address("http", "", other) });
    await gateway.ask("POST", "/connections", {
      provider: "openai-compatible",
      name: "Own",
      base_url: "https://own.provider.test/v1",
      proxy: address("socks5"),
    });
    expect(
      (await gateway.chat({ model: "Own/provider-model", messages: [{ role: "user", content: "Hi" }] })).status,
    ).toBe(200);
    expect((await gateway.chat()).status).toBe(200);
    expect(new Set(proxy.requests.map(({ place }) => place))).toStrictEqual(new Set(["own.provider.test:443"]));
    expect(new Set(other.requests.map(({ place }) => place))).toStrictEqual(new Set([PLACE]));
  });

  it.each([
    ["http", "it wants a login, or another one (407)"],
    ["socks5", "did not connect"],
  ])("fails in words that name the %s proxy and no login", async (scheme, why) => {
    proxy.login = "other:login";
    const gateway = await start({ ...FAR, POSTERN_PROXY: address(scheme, "me:secret@") });
    const response = await gateway.chat();
    const text = await response.text();
    expect(response.status).toBe(503);
    const { data } = await gateway.ask<{ data: ConnectionView[] }>("GET", "/connections");
    const reason = data[0]?.credentials[0]?.reason ?? "";
    expect(reason).toContain(`the proxy ${scheme}://***@127.0.0.1:${proxy.port}`);
    expect(reason).toContain(why);
    expect(text + JSON.stringify(data)).not.toContain("secret");
    const checks = await gateway.ask<{ data: ProxyCheck[] }>("POST", "/proxies/check");
    expect(checks.data).toMatchObject([{ ok: false, message: expect.stringContaining(why) }]);
  });

  it("is named with the proxy where no one listens there", async () => {
    const gateway = await start({ ...FAR, POSTERN_PROXY: "http://127.0.0.1:9" });
    expect((await gateway.chat()).status).toBe(503);
    const checks = await gateway.ask<{ data: ProxyCheck[] }>("POST", "/proxies/check");
    expect(checks.data[0]?.message).toMatch(
      /^the proxy http:\/\/127\.0\.0\.1:9 did not connect: .*ECONNREFUSED.*Settings > Network/,
    );
  });
});

it("never stands between Postern and this machine", async () => {
  const gateway = await start({
    POSTERN_OPENAI_BASE_URL: provider.baseUrl,
    POSTERN_OPENAI_API_KEY: "sk-provider-key-0001",
    POSTERN_OPENAI_PROXY: address("http"),
    HTTP_PROXY: address("http"),
    ALL_PROXY: address("http"),
  });
  expect((await gateway.chat()).status).toBe(200);
  expect(proxy.requests).toHaveLength(0);
});

describe("the login of a proxy", () => {
  it("is stored like a key, shown by no one, and kept where the address comes back hidden", async () => {
    proxy.login = "me:secret";
    const gateway = await start(FAR);
    const shown = `http://***@127.0.0.1:${proxy.port}`;
    const set = (value: string): Promise<{ proxy: string }> => gateway.ask("PATCH", "/settings", { proxy: value });
    expect((await set(address("http", "me:secret@"))).proxy).toBe(shown);
    expect((await set(shown)).proxy).toBe(shown);
    expect((await gateway.chat()).status).toBe(200);
    expect(proxy.requests.at(-1)?.login).toBe("me:secret");
    expect((await gateway.control("PATCH", "/settings", { proxy: "http://***@elsewhere:1" })).status).toBe(400);
    expect((await set("system")).proxy).toBe("system");
    expect((await gateway.control("PATCH", "/settings", { proxy: shown })).status).toBe(400);
  });

  it("of a connection goes with it, and stays out of exports", async () => {
    proxy.login = "me:secret";
    const gateway = await start({});
    const made = await gateway.ask<ConnectionView>("POST", "/connections", {
      provider: "openai-compatible",
      name: "Own",
      base_url: "https://own.provider.test/v1",
      proxy: address("http", "me:secret@"),
    });
    expect(made.proxy).toBe(`http://***@127.0.0.1:${proxy.port}`);
    const renamed = await gateway.ask<ConnectionView>("PATCH", `/connections/${made.id}`, {
      name: "Mine",
      proxy: made.proxy,
    });
    expect(renamed.proxy).toBe(made.proxy);
    expect((await gateway.ask<{ ok: boolean }>("POST", `/connections/${made.id}/test`)).ok).toBe(true);
    const direct = await gateway.ask<ConnectionView>("PATCH", `/connections/${made.id}`, { proxy: "direct" });
    expect(direct.proxy).toBe("direct");
    expect((await gateway.ask<{ ok: boolean }>("POST", `/connections/${made.id}/test`)).ok).toBe(false);
  });
});

describe("what is asked for next to calls", () => {
  const signal = new AbortController().signal;
  const findProxy = (): Promise<Proxy | null> => Promise.resolve(parseProxy(address("http")));
  const reach = (): Reach => ({ allowed: new Set(), ownPort: 1, findProxy });

  it("goes by the proxy: webhooks, searches and files", async () => {
    const target = "https://hooks.provider.test";
    expect((await new WebhookSender(reach).post(`${target}/v1/hook`, {}, "{}", signal)).status).toBe(404);
    const call = { url: `${target}/v1/search`, method: "GET", headers: {}, body: null } as const;
    expect((await new ServiceClient(reach, new KnownSecrets()).ask(call, signal)).status).toBe(404);
    const limits = { types: [], maxBytes: 1_000, totalMs: 30_000, idleMs: 30_000 };
    await expect(new Downloader(reach).open(`${target}/v1/file`, "", limits).response).rejects.toThrow("404");
    expect(proxy.requests.map(({ place }) => place)).toStrictEqual(Array(3).fill("hooks.provider.test:443"));
  });

  it("goes to no name of a private address by it", async () => {
    const resolve: Resolve = (_name, _options, done) => done(null, [{ address: "10.0.0.1", family: 4 }]);
    const sender = new WebhookSender(reach, { resolve });
    await expect(sender.post("https://inside.provider.test/hook", {}, "{}", signal)).rejects.toThrow("open internet");
    expect(proxy.requests).toHaveLength(0);
  });
});
