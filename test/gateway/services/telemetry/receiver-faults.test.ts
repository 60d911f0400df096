import { describe, expect, it } from "vitest";
import type { TelemetryView } from "../../../../gateway/contract/telemetry.ts";
import { OtlpReceiverServer } from "../../../support/otlp-receiver.ts";
import { errorOf, until } from "../../../support/running-gateway.ts";
import { name, useExportWorld, view } from "./export-world.ts";

const world = useExportWorld();
const { receiver } = world;

describe("faults of the receiver", () => {
  it("that is down: spans wait until it is back", async () => {
    const later = new OtlpReceiverServer();
    await later.listen();
    const port = Number(new URL(later.url).port);
    await later.close();
    const postern = await world.open();
    await name(postern, `http://127.0.0.1:${port}`);
    for (let call = 0; call < 5; call += 1) await postern.chat();
    await until(async () => (await view(postern)).problem !== null);
    expect(await view(postern)).toMatchObject({ queued: 5, exported: 0, dropped: 0 });
    await later.listen(port);
    await until(() => later.spans.length === 5);
    await until(async () => (await view(postern)).exported === 5);
    expect(await view(postern)).toMatchObject({ queued: 0, dropped: 0, problem: null });
    await later.close();
  });

  it.each([429, 502, 503, 504])("%i: the same is sent again", async (status) => {
    const postern = await world.open();
    receiver.response = (path, nth) =>
      path === "/v1/traces" && nth < 3 ? { status, headers: { "retry-after": "1" } } : { status: 200 };
    await name(postern, receiver.url);
    await postern.chat();
    await until(() => receiver.spans.length === 1);
    const sent = receiver.messages.filter(({ path }) => path === "/v1/traces");
    expect(sent.map(({ spans }) => spans[0]?.spanId)).toEqual(Array(3).fill(receiver.spans[0]?.spanId));
  });

  it.each([400, 401, 404, 500, 302])("%i: what it was is dropped, and the next goes on", async (status) => {
    const postern = await world.open();
    receiver.response = (path, nth) => ({
      status: path === "/v1/traces" && nth === 1 ? status : 200,
      body: { code: 3, message: "not taken" },
    });
    await name(postern, receiver.url);
    await postern.chat();
    await until(async () => (await view(postern)).dropped === 1);
    expect((await view(postern)).problem).toContain(`status ${status}: not taken`);
    await postern.chat();
    await until(() => receiver.spans.length === 1);
    await until(async () => (await view(postern)).exported === 1);
    expect(await view(postern)).toMatchObject({ exported: 1, dropped: 1, queued: 0, problem: null });
  });

  it("delay no call", async () => {
    const postern = await world.open();
    receiver.response = () => null;
    await name(postern, receiver.url);
    for (let call = 0; call < 5; call += 1) expect((await postern.chat()).status).toBe(200);
    await until(() => receiver.messages.length > 0);
    expect((await postern.chat()).status).toBe(200);
  });
});

describe("headers", () => {
  const SECRET = "token-0123456789abcdef";

  it("go with every message, and are shown to no one", async () => {
    const logged: string[] = [];
    const postern = await world.open({ logged });
    await name(postern, receiver.url);
    const set = await postern.ask<TelemetryView>("POST", "/telemetry/headers", {
      headers: `Authorization: Bearer ${SECRET}\nx-tenant=one`,
    });
    expect(set.headers).toEqual(["authorization", "x-tenant"]);
    receiver.response = (path, nth) =>
      path === "/v1/traces" && nth === 1
        ? { status: 401, body: { message: `no such token: ${SECRET}` } }
        : { status: 200 };
    await postern.chat();
    await until(() => receiver.messages.length > 0);
    expect(receiver.messages[0]?.headers).toMatchObject({ authorization: `Bearer ${SECRET}`, "x-tenant": "one" });
    await until(async () => (await view(postern)).dropped === 1);
    expect(JSON.stringify([await view(postern), await postern.ask("GET", "/settings"), logged])).not.toContain(SECRET);
    expect((await view(postern)).problem).toContain("no such token: ");
  });

  it("go to the place that they were set for, and to no other", async () => {
    const other = await new OtlpReceiverServer().listen();
    const postern = await world.open();
    await name(postern, receiver.url);
    await postern.ask("POST", "/telemetry/headers", { headers: `authorization=Bearer ${SECRET}` });
    await name(postern, other.url);
    expect((await view(postern)).problem).toContain("set for another receiver");
    await postern.chat();
    await until(async () => (await view(postern)).queued === 1);
    expect(other.messages).toEqual([]);
    await postern.ask("POST", "/telemetry/headers", { headers: null });
    await until(() => other.spans.length === 1);
    expect(other.messages[0]?.headers).not.toHaveProperty("authorization");
    await other.close();
  });

  it.each(["nonsense", "host: example.com", "content-type: text/plain", "a: b\u0001", ": x", "name:"])(
    "that are invalid are refused: %j",
    async (headers) => {
      const postern = await world.open();
      await name(postern, receiver.url);
      expect((await postern.control("POST", "/telemetry/headers", { headers })).status).toBe(400);
    },
  );

  it("need a place to go to", async () => {
    const postern = await world.open();
    expect((await postern.control("POST", "/telemetry/headers", { headers: "a: b" })).status).toBe(409);
  });
});

describe("the address", () => {
  it.each([
    "http://user:pass@127.0.0.1:4318",
    "http://127.0.0.1:4318/?key=x",
    "ftp://127.0.0.1",
    "http://127.0.0.1/#x",
  ])("%s is refused", async (address) => {
    const postern = await world.open();
    expect((await postern.control("PATCH", "/settings", { otlp_endpoint: address })).status).toBe(400);
  });

  it.each([
    ["of a cloud's metadata", "http://169.254.169.254"],
    ["by plain http on the open internet", "http://1.1.1.1:4318"],
  ])("%s is refused when it is set", async (_what, address) => {
    const postern = await world.open();
    const refused = await postern.control("PATCH", "/settings", { otlp_endpoint: address });
    expect([refused.status, (await errorOf(refused)).param]).toEqual([400, "otlp_endpoint"]);
  });

  it("of Postern itself is never reached", async () => {
    const postern = await world.open();
    await name(postern, postern.url);
    expect(await postern.ask("POST", "/telemetry/test")).toMatchObject({ ok: false });
  });

  it.each<[string, (origin: string) => string, string]>([
    ["its root", (origin) => origin, ""],
    ["its root with a slash", (origin) => `${origin}/`, ""],
    ["a path", (origin) => `${origin}/otlp`, "/otlp"],
    ["that of traces", (origin) => `${origin}/v1/traces`, ""],
    ["that of metrics below a path", (origin) => `${origin}/otlp/v1/metrics/`, "/otlp"],
    ["a name of this machine", (origin) => origin.replace("127.0.0.1", "localhost"), ""],
  ])("may be %s", async (_what, address, below) => {
    const postern = await world.open();
    await name(postern, address(receiver.url));
    expect(await postern.ask("POST", "/telemetry/test")).toMatchObject({ ok: true, message: "" });
    expect(receiver.messages.map(({ path }) => path)).toEqual([`${below}/v1/traces`, `${below}/v1/metrics`]);
  });

  it("is tested with an empty message for each signal", async () => {
    const postern = await world.open();
    await name(postern, receiver.url);
    expect(await postern.ask("POST", "/telemetry/test")).toMatchObject({ ok: true, message: "" });
    expect(receiver.messages.map(({ path }) => path)).toEqual(["/v1/traces", "/v1/metrics"]);
    receiver.response = (path) => ({ status: path === "/v1/metrics" ? 404 : 200 });
    expect(await postern.ask("POST", "/telemetry/test")).toMatchObject({
      ok: false,
      message: expect.stringContaining("/v1/metrics with status 404"),
    });
  });
});
