import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
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
  let reportCount = 0;
  reply.onCancelled(() => (reportCount += 1));
  expect(reportCount).toBe(1);
  expect(reply.write("nobody reads this")).toBe(true);
  await reply.end();
  await close();
});

/** All that a client of that HTTP version reads of a stream, behind the head. */
async function bodyOf(version: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer((_request, response) => {
    const reply = new HttpReply(response);
    reply.open(headers);
    for (const part of ["text é", "", Buffer.from("x".repeat(20)), Buffer.alloc(0), Buffer.from("ü")])
      reply.write(part);
    setImmediate(() => {
      reply.write("more");
      void reply.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.end(`GET / HTTP/${version}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const bytes: Buffer[] = [];
  for await (const chunk of client) bytes.push(chunk as Buffer);
  await new Promise((closed) => server.close(closed));
  return Buffer.concat(bytes).toString().split("\r\n\r\n").slice(1).join("\r\n\r\n");
}

it("sends the parts of a turn as one chunk with its length in bytes, and no empty one before the last", async () => {
  const chunks = `1d\r\ntext é${"x".repeat(20)}ü\r\n4\r\nmore\r\n0\r\n\r\n`;
  expect(await bodyOf("1.1", { "content-type": "text/event-stream" })).toBe(chunks);
});

it("sends the parts as they are where the head says the length, or the client knows no chunks", async () => {
  const parts = `text é${"x".repeat(20)}ümore`;
  expect(await bodyOf("1.0", {})).toBe(parts);
  expect(await bodyOf("1.1", { "content-length": String(Buffer.byteLength(parts)) })).toBe(parts);
});

it("tells who writes too much to wait, and to go on when the client has taken it", async () => {
  const reports: unknown[] = [];
  const server = createServer((_request, response) => {
    const reply = new HttpReply(response);
    reply.open({});
    reply.onDrain(() => {
      reports.push("go on");
      void reply.end();
    });
    reports.push(reply.write("x"), reply.write(Buffer.alloc(1_000_000)), reply.bufferedBytes > 1_000_000);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect((await response.arrayBuffer()).byteLength).toBe(1_000_001);
  expect(reports).toEqual([true, false, true, "go on"]);
  await new Promise((closed) => server.close(closed));
});
