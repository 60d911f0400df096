import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { HttpReply } from "../../../gateway/http/http-reply.ts";

/** A response whose client has left before anybody looked. */
async function abandoned(): Promise<{ response: ServerResponse; close: () => Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => {
    response.once("close", () => resolve(response));
    client.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => {});
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const response = await promise;
  return { response, close: () => new Promise((closed) => server.close(() => closed())) };
}

it("knows a client that left before it was made, and waits for nothing of it", async () => {
  const { response, close } = await abandoned();
  const reply = new HttpReply(response);
  expect(reply.cancelled).toBe(true);
  let told = 0;
  reply.onCancelled(() => (told += 1));
  expect(told).toBe(1);
  expect(reply.write("nobody reads this")).toBe(true);
  await reply.end();
  await close();
});
