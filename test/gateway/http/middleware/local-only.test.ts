import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { controlOperations } from "../../../../gateway/contract/control.ts";
import { isThisMachine } from "../../../../gateway/http/middleware/local-only.ts";
import { KEY, startGateway, type TestGateway } from "../../../support/running-gateway.ts";
import { needs } from "../../../support/needs.ts";

describe("a peer", () => {
  it.each([
    ["127.0.0.1", "127.0.0.1", true],
    ["127.8.9.1", "127.0.0.1", true],
    ["::1", "::1", true],
    ["::ffff:127.0.0.1", "::ffff:127.0.0.1", true],
    ["192.168.1.5", "192.168.1.5", true],
    ["fe80::1", "fe80::1", true],
    ["192.168.1.7", "192.168.1.5", false],
    ["::ffff:192.168.1.7", "::ffff:192.168.1.5", false],
    ["10.0.0.2", "127.0.0.1", false],
    ["1.127.0.1", "1.127.0.2", false],
  ])("%s that talks to %s is this machine: %s", (remote, local, own) => {
    expect(isThisMachine(remote, local)).toBe(own);
  });
});

/** An address of this machine on a network: from there to loopback a call looks like one of another machine. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === "IPv4" && !entry.internal)?.address;

describe.skipIf(outside === undefined)("another machine", needs("an address outside of loopback"), () => {
  let postern: TestGateway;
  beforeAll(async () => {
    postern = await startGateway({ host: "0.0.0.0" });
  });
  afterAll(() => postern.close());

  /** The response of `METHOD /path` to a caller from outside. */
  function ask(route: string, authorization?: string): Promise<{ status: number; body: string }> {
    const [method, path] = route.split(" ") as [string, string];
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: postern.port,
          localAddress: outside,
          method,
          path,
          headers: authorization === undefined ? {} : { authorization },
        },
        (response) => {
          let body = "";
          response.on("data", (chunk: Buffer) => (body += chunk.toString()));
          response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
        },
      );
      sent.on("error", reject).end();
    });
  }

  it.each(["GET /", "GET /index.html", "GET /assets/x.js", "GET /control/events", "GET /media/export/abc", "GET /v1x"])(
    "is refused at %s",
    async (route) => {
      const { status, body } = await ask(route);
      expect([status, (JSON.parse(body) as { error: { code: string } }).error.code]).toStrictEqual([403, "local_only"]);
    },
  );

  it("is refused at every operation of the control API, with the right bearer too", async () => {
    const bearer = `Bearer ${await postern.signIn()}`;
    const codes = await Promise.all(
      Object.values(controlOperations).map(async ({ method, path }) => {
        const { body } = await ask(`${method} ${path.replace(":id", "some-id")}`, bearer);
        return (JSON.parse(body) as { error: { code: string } }).error.code;
      }),
    );
    expect(new Set(codes)).toStrictEqual(new Set(["local_only"]));
  });

  it("may use the API with a local key, and look whether Postern lives", async () => {
    expect((await ask("GET /v1/models", `Bearer ${KEY}`)).status).toBe(200);
    expect((await ask("GET /v1/models")).status).toBe(401);
    expect((await ask("GET /health")).status).toBe(200);
    expect((await ask("HEAD /")).status).toBe(200);
    expect((await ask("GET /media/med_1?expires=1&signature=x")).status).toBe(403);
  });
});
