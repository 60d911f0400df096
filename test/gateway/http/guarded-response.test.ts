import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { GuardedResponse } from "../../../gateway/http/guarded-response.ts";

let server: ReturnType<typeof createServer> | null = null;
afterEach(() => new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve))));

/** Headers of the response that `answer` writes over a real socket. @throws TypeError what `fetch` does when it throws. */
async function headersOf(answer: (response: GuardedResponse) => void): Promise<Record<string, string>> {
  const serving = createServer({ ServerResponse: GuardedResponse }, (_request, response) => {
    try {
      answer(response);
    } catch {
      response.destroy();
    }
  });
  server = serving;
  await new Promise<void>((resolve) => serving.listen(0, "127.0.0.1", resolve));
  const response = await fetch(`http://127.0.0.1:${(serving.address() as AddressInfo).port}/`);
  await response.text();
  const { date: _date, connection: _connection, "keep-alive": _keep, ...rest } = Object.fromEntries(response.headers);
  return rest;
}

const TOLD = { "x-content-type-options": "nosniff", "x-request-id": "one" };

it("takes a value that is the name of another header for a value", async () => {
  const headers = await headersOf((response) => {
    response.tell("x-request-id", "one");
    response.writeHead(200, { "x-first": "content-length", "x-second": "x-request-id", "content-length": 2 }).end("ok");
  });
  expect(headers).toEqual({
    ...TOLD,
    "x-first": "content-length",
    "x-second": "x-request-id",
    "content-length": "2",
  });
});

it.each(["all at once", "one by one"])("says the last value of each name, headers reported %s", async (how) => {
  const headers = await headersOf((response) => {
    if (how === "one by one") response.setHeader("x-own", "1");
    response.tell("x-request-id", "zero");
    response.tell("x-tried", "x-request-id");
    response.tell("x-request-id", "one");
    response.tell("x-tried", "last");
    response.writeHead(200, { "x-tried": "shown", "x-own": "2", "content-length": 0 }).end();
  });
  expect(headers).toEqual({ ...TOLD, "x-tried": "shown", "x-own": "2", "content-length": "0" });
});

it("forgets headers that Node does not write, so that an error can be reported", async () => {
  const headers = await headersOf((response) => {
    response.tell("x-request-id", "one");
    expect(() => response.writeHead(200, { "x-odd": "\u4e16" })).toThrow("Invalid character");
    response.writeHead(200, { "content-length": 0 }).end();
  });
  expect(headers).toEqual({ ...TOLD, "content-length": "0" });
});
