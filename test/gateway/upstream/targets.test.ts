import { describe, expect, it } from "vitest";
import { isForbiddenAddress, isLoopbackHost } from "../../../gateway/upstream/targets.ts";

describe("addresses that no vendor may have", () => {
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
