import { expect, it } from "vitest";
import type { Connection } from "../../../../gateway/services/connections/connection.ts";
import { silentLog } from "../../../../gateway/lib/log.ts";
import { SandboxHost } from "../../../../gateway/services/connections/sandbox-host.ts";

it("puts all that the sandbox serves in at one moment, so that models have the same order after each start", async () => {
  const put: Connection[] = [];
  const connections = { onChange: () => undefined, put: (connection: Connection) => put.push(connection) };
  let time = 1_000;
  const clock = { now: () => (time += 1) };
  const running = { origin: "http://127.0.0.1:1", key: "sandbox", close: () => Promise.resolve() };
  const host = new SandboxHost(connections as never, { active: true } as never, clock as never, silentLog, () =>
    Promise.resolve(running as never),
  );
  await host.ensure();
  expect(put.length).toBeGreaterThan(4);
  expect(new Set(put.map(({ createdAt }) => createdAt)).size).toBe(1);
});

it("starts over a sandbox that could not start, and tells it once", async () => {
  const connections = { onChange: () => undefined, put: () => undefined };
  const reports: string[] = [];
  const log = { ...silentLog, warn: (event: string) => reports.push(event) };
  const running = { origin: "http://127.0.0.1:1", key: "sandbox", close: () => Promise.resolve() };
  let started = 0;
  const host = new SandboxHost(connections as never, { active: true } as never, { now: () => 1 } as never, log, () => {
    started += 1;
    return started === 1 ? Promise.reject(new Error("EMFILE")) : Promise.resolve(running);
  });
  await Promise.all([host.ensure(), host.ensure()]);
  expect(reports).toEqual(["sandbox.unavailable"]);
  await host.ensure();
  await host.ensure();
  expect(started).toBe(2);
});
