import { describe, expect, it } from "vitest";
import { isForbiddenAddress, isLocalPeer, isLoopbackHost, getLookup } from "../../../gateway/upstream/targets.ts";

it.each<[string | undefined, boolean, boolean]>([
  ...["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.5", "100.64.0.9"].map(
    (address): [string, boolean, boolean] => [address, false, true],
  ),
  ...["fd12::1", "fe80::1", "169.254.3.4"].map((address): [string, boolean, boolean] => [address, false, true]),
  ...["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1", "64:ff9b::a00:1", "", undefined].map(
    (address): [string | undefined, boolean, boolean] => [address, false, false],
  ),
  ["127.0.0.1", true, false],
])("a server at %s, behind a proxy %j, is local: %j", (remoteAddress, isProxied, isLocal) => {
  expect(isLocalPeer({ remoteAddress }, isProxied)).toBe(isLocal);
});

describe("addresses that no provider may have", () => {
  it.each([
    "169.254.169.254",
    "169.254.0.1",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "0.0.0.0",
    "::",
    "224.0.0.1",
    "255.255.255.255",
    "fe80::1",
    "ff02::1",
    "100.100.100.200",
    "fd00:ec2::254",
    "fd20:ce::254",
    "168.63.129.16",
    // The same behind a translator or a tunnel.
    "::169.254.169.254",
    "::ffff:0:a9fe:a9fe",
    "64:ff9b::169.254.169.254",
    "64:ff9b::6464:64c8",
    "64:ff9b:1::a9fe:a9fe",
    "2002:a9fe:a9fe::",
    "2002:a9fe:a9fe::1",
    "2001:0:4136:e378:8000:63bf:5601:5601",
  ])("%s", (address) => expect(isForbiddenAddress(address)).toBe(true));

  it.each([
    "127.0.0.1",
    "::1",
    "10.0.0.5",
    "192.168.1.9",
    "172.16.0.1",
    "8.8.8.8",
    "2606:4700::1",
    "fd00::5",
    "64:ff9b::808:808",
    "2002:808:808::1",
    "::ffff:127.0.0.1",
    "example.com",
  ])("but not %s", (address) => expect(isForbiddenAddress(address)).toBe(false));
});

it.each([
  ["127.0.0.1", true],
  ["127.8.9.1", true],
  ["localhost", true],
  ["api.localhost", true],
  ["[::1]", true],
  ["::ffff:127.0.0.1", true],
  ["localhost.example.com", false],
  ["10.0.0.1", false],
  ["example.com", false],
])("%s is this machine: %s", (host, local) => expect(isLoopbackHost(host)).toBe(local));

describe("a name with forbidden addresses among others", () => {
  const PUBLIC = { address: "127.0.0.1", family: 4 };
  it.each([
    [{ all: true }, ["169.254.169.254", "127.0.0.1"], [null, [PUBLIC]]],
    [{ all: false }, ["169.254.169.254", "127.0.0.1"], [null, "127.0.0.1", 4]],
    [{}, ["127.0.0.1", "169.254.169.254"], [null, "127.0.0.1", 4]],
    [{ all: true }, ["169.254.169.254"], [new Error("x.example"), ""]],
    [{ all: true }, [], [new Error("x.example"), ""]],
  ])("is looked up with %j: %j gives %j", (options, addresses, expected) => {
    const entries = addresses.map((address) => ({ address, family: 4 }));
    const lookup = getLookup(
      (address) => !isForbiddenAddress(address),
      (name) => new Error(name),
      (_name, request, callback) => callback(null, request.all ? entries : []),
    );
    const given: unknown[] = [];
    lookup("x.example", options, (...values) => void given.push(...values));
    expect(given).toEqual(expected);
  });
});
