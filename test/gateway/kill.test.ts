import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { ChildGateway } from "../support/child-gateway.ts";
import { killRounds } from "../support/gateway-kills.ts";
import { startProvider } from "../support/mock-provider.ts";
import { temporaryFolder } from "../support/running-gateway.ts";

it("killed under the load of 50 clients it opens again, with every acknowledged key and every finished call, once", async () => {
  const dataDir = await temporaryFolder();
  const provider = await startProvider();
  try {
    const report = await killRounds(dataDir, provider, 3, Math.random, (...given) => new ChildGateway(...given));
    expect(report.broken).toEqual([]);
    expect(report.calls).toBeGreaterThan(0);
    expect(report.openings).toHaveLength(4);
  } finally {
    await provider.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
