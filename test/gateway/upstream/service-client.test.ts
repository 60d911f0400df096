import type { LookupAddress } from "node:dns";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { KnownSecrets } from "../../../gateway/lib/known-secrets.ts";
import { ServiceClient } from "../../../gateway/upstream/service-client.ts";
import type { Resolve } from "../../../gateway/upstream/targets.ts";
import { WireProvider, reply } from "../../support/wire-provider.ts";

const wire = new WireProvider();
beforeAll(() => wire.listen());
afterAll(() => wire.close());
afterEach(() => wire.reset());

const never = new AbortController().signal;
const call = { method: "POST", headers: {}, body: "{}", named: true } as const;
const OWN_PORT = 6174;

/** A client for which every name is at `address`. */
function clientAt(address: string, allowed: readonly string[] = []): ServiceClient {
  const resolve: Resolve = (_name, _options, done) =>
    done(null, [{ address, family: address.includes(":") ? 6 : 4 } satisfies LookupAddress]);
  return new ServiceClient(() => ({ allowed: new Set(allowed), ownPort: OWN_PORT }), new KnownSecrets(), {
    resolve,
    totalMs: 5_000,
  });
}

describe("a place that the owner has named", () => {
  it("is reached by plain http on this machine and in a private network", async () => {
    wire.on("POST /v1/traces", reply(200, {}), reply(200, {}));
    const { port } = new URL(wire.origin);
    const client = clientAt("127.0.0.1");
    expect((await client.ask({ ...call, url: `${wire.origin}/v1/traces` }, never)).status).toBe(200);
    // It resolves to loopback here, as a name of the home network resolves to an address of that.
    expect((await client.ask({ ...call, url: `http://nas.local:${port}/v1/traces` }, never)).status).toBe(200);
  });

  it.each([
    ["a private name that turns out to be public", "http://nas.local:4318", "1.1.1.1"],
    ["a name that turns out to be a cloud's metadata", "http://nas.local:4318", "169.254.169.254"],
    ["https to a cloud's metadata", "https://nas.local", "169.254.169.254"],
    ["Postern itself", `http://nas.local:${OWN_PORT}`, "127.0.0.1"],
    ["Postern itself by its address", `http://127.0.0.1:${OWN_PORT}`, "127.0.0.1"],
    ["plain http to the open internet", "http://1.1.1.1:4318", "1.1.1.1"],
    ["a link-local address", "http://[fe80::1]:4318", "fe80::1"],
    ["credentials in the address", "http://user:pass@127.0.0.1:4318", "127.0.0.1"],
    ["another scheme", "ftp://127.0.0.1:4318", "127.0.0.1"],
  ])("is never %s", async (_what, url, address) => {
    await expect(clientAt(address).ask({ ...call, url }, never)).rejects.toMatchObject({
      kind: "refused",
      sent: false,
    });
  });

  it("is not reached in a private network where no one has named it", async () => {
    const { port } = new URL(wire.origin);
    const { named: _named, ...unnamed } = call;
    const client = clientAt("127.0.0.1");
    await expect(client.ask({ ...unnamed, url: `http://nas.local:${port}/v1/traces` }, never)).rejects.toMatchObject({
      kind: "refused",
    });
  });
});

describe("Retry-After", () => {
  it.each([
    ["7", 7_000],
    [new Date(Date.now() + 60_000).toUTCString(), 60_000],
    ["soon", null],
    ["-1", null],
  ])("%s", async (header, expected) => {
    wire.on("POST /v1/traces", reply(503, {}, { "retry-after": header }));
    const { retryAfter } = await clientAt("127.0.0.1").ask({ ...call, url: `${wire.origin}/v1/traces` }, never);
    if (expected === null) expect(retryAfter).toBeNull();
    else expect(Math.abs((retryAfter ?? 0) - expected)).toBeLessThan(10_000);
  });
});

it("ends when its caller ends it, and when no response comes in time", async () => {
  wire.on(
    "POST /v1/traces",
    () => undefined,
    () => undefined,
  );
  const ending = new AbortController();
  const client = clientAt("127.0.0.1");
  const pending = client.ask({ ...call, url: `${wire.origin}/v1/traces` }, ending.signal);
  ending.abort();
  await expect(pending).rejects.toMatchObject({ kind: "aborted" });
  const hurried = new ServiceClient(() => ({ allowed: new Set(), ownPort: OWN_PORT }), new KnownSecrets(), {
    totalMs: 50,
  });
  await expect(hurried.ask({ ...call, url: `${wire.origin}/v1/traces` }, never)).rejects.toMatchObject({
    kind: "head_timeout",
  });
});
