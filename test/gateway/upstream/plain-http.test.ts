import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { ProviderClient, type Peer } from "../../../gateway/upstream/provider-client.ts";
import { isPrivateHost } from "../../../gateway/upstream/private-host.ts";
import type { Resolve } from "../../../gateway/upstream/targets.ts";

const providerClient = new ProviderClient();
afterAll(() => providerClient.close());

function open(origin: string, peer?: Peer): Promise<unknown> {
  const request = { origin, peer, path: "/", method: "GET", headers: {}, body: null } as const;
  return providerClient.open({ ...request, headTimeout: 1_000, gapTimeout: 1_000 }).response;
}

it.each(["http://8.8.8.8", "http://[2001:4860:4860::8888]:8080", "http://[::ffff:8.8.8.8]", "http://[64:ff9b::a00:1]"])(
  "does not go to %s unencrypted",
  async (origin) => {
    await expect(open(origin)).rejects.toMatchObject({
      kind: "refused",
      sent: false,
      message: expect.stringContaining("plain http") as string,
    });
  },
);

it.each(["http://169.254.169.254", "http://[fe80::1]", "https://169.254.169.254"])(
  "does not go to %s, whatever its owner allows",
  async (origin) => {
    await expect(open(origin, { plainHttp: true, uid: null })).rejects.toMatchObject({ kind: "refused", sent: false });
  },
);

it("goes to this machine unencrypted, by its name too", async () => {
  const server = createServer((_asked, reply) => reply.end("ok"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await expect(open(`http://127.0.0.1:${port}`)).resolves.toMatchObject({ status: 200 });
  await expect(open(`http://localhost:${port}`)).resolves.toMatchObject({ status: 200 });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const resolvesTo =
  (...addresses: readonly string[]): Resolve =>
  (_name, _options, callback) =>
    callback(
      addresses.length === 0 ? new Error("ENOTFOUND") : null,
      addresses.map((address) => ({ address, family: 4 })),
    );

it.each([
  ["a private address", ["10.1.2.3"], true],
  ["this machine", ["127.0.0.1", "::1"], true],
  ["one public address among private ones", ["10.1.2.3", "8.8.8.8"], false],
  ["nothing", [], null],
] as const)("a name that stands for %s is judged by all of it", async (_what, addresses, isPrivate) => {
  expect(await isPrivateHost("host.example", resolvesTo(...addresses))).toBe(isPrivate);
});

it.each([
  ["10.0.0.5", true],
  ["172.16.0.1", true],
  ["192.168.1.2", true],
  ["[fd00::1]", true],
  ["[::1]", true],
  ["172.32.0.1", false],
  ["100.64.0.1", true],
  ["ollama.tail1234.ts.net", true],
  ["evil-ts.net", null],
  ["[2001:db8::1]", false],
  ["[::ffff:8.8.8.8]", false],
])("%s is on a private network: %s", async (host, isPrivate) => {
  expect(await isPrivateHost(host, resolvesTo())).toBe(isPrivate);
});
