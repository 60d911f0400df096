import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPagesRoute } from "../../../gateway/http/routes/pages.ts";
import type { RequestState } from "../../../gateway/http/state.ts";

let server: Server;
let url: string;

beforeAll(async () => {
  const app = new Koa<RequestState>();
  const body = Buffer.from("<!doctype html><title>Postern</title>");
  app.use(
    createPagesRoute(async () => new Map([["index.html", { body, type: "text/html; charset=utf-8", etag: '"1"' }]])),
  );
  server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe("the policy of the pages", () => {
  /** The sources of each directive. */
  async function policy(): Promise<Map<string, string>> {
    const response = await fetch(url);
    const directives = (response.headers.get("content-security-policy") ?? "").split(";").map((each) => each.trim());
    return new Map(directives.map((each) => [each.split(" ")[0] ?? "", each.split(" ").slice(1).join(" ")]));
  }

  it.each(["img-src", "media-src", "script-src", "style-src", "connect-src", "font-src"])(
    "lets %s come from Postern alone: no data, no blob, nothing inline, no other host",
    async (directive) => {
      expect((await policy()).get(directive)).toBe("'self'");
    },
  );

  it.each(["default-src", "base-uri", "form-action", "frame-ancestors"])("lets %s be nothing", async (directive) => {
    expect((await policy()).get(directive)).toBe("'none'");
  });
});
