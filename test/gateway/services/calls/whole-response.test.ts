import { describe, expect, it, vi } from "vitest";
import { shownHeaders } from "../../../../gateway/services/calls/shown-headers.ts";
import { StreamReader } from "../../../../gateway/services/calls/stream-reader.ts";
import { LocalRecipient } from "../../../../gateway/services/calls/local-recipient.ts";
import { collect, inBandError, isError, readResponse } from "../../../../gateway/services/calls/whole-response.ts";
import { createChatUnits } from "../../../../gateway/core/chat/chat-usage.ts";
import { chatDialect } from "../../../../gateway/services/chat/dialects/chat.ts";
import { passUntouched } from "../../../../gateway/services/chat/chat-plan.ts";
import { UpstreamFailure } from "../../../../gateway/upstream/failure.ts";
import { DONE_FRAME, contentFrame } from "../../../support/acts.ts";
import { bareConnection } from "../../../support/bare-connection.ts";

const MIB = 1024 * 1024;
const broken = new UpstreamFailure("broken", true, "ECONNRESET");

/** Attempts that open these bodies one after another, and what they were reported. */
function createAttempts(
  bodies: (Buffer | string | Error)[],
  client = new LocalRecipient(new AbortController().signal),
) {
  const log: string[] = [];
  const limits: (number | undefined)[] = [];
  const { provider, ...rest } = bareConnection("openai");
  const inResponse = (body: unknown) =>
    (body as { blocked?: 1 } | null)?.blocked === 1 ? { kind: "bad_request" } : null;
  const connection = { ...rest, provider: { ...provider, errors: { ...provider.errors, inResponse } } };
  const candidate = { connection, upstreamModel: "m", price: null };
  const next = () => {
    const body = bodies.shift();
    if (body === undefined) throw new Error("nobody is left");
    const read = (limit: number, keep: (leave: () => void) => void) => {
      limits.push(limit);
      keep(() => log.push("leave"));
      return body instanceof Error ? Promise.reject(body) : Promise.resolve(Buffer.from(body));
    };
    const exchange = { headers: { "content-type": "text/html; x" }, collect: read, abort: () => log.push("abort") };
    return Promise.resolve({ exchange, candidate, credential: candidate.connection.credentials[0] });
  };
  const note = (what: string) => (_opened: unknown, error?: { kind?: string; message: string }) => {
    log.push(`${what} ${error?.kind ?? error?.message ?? ""}`.trim());
  };
  const end = (what: string) => (opened: unknown, error?: Error) => {
    note(what)(opened, error);
    throw new Error(what);
  };
  const attempts = {
    next,
    acceptResponse: note("accept"),
    reject: async (opened: unknown, error: Error) => {
      await new Promise((resolve) => setImmediate(resolve));
      note("reject")(opened, error);
    },
    rejectNonsense: end("nonsense"),
    rejectBroken: end("broken"),
    abandon: end("abandon"),
  };
  const reader = { read: (value: unknown) => (value as { good?: number } | null)?.good ?? null };
  return { attempts: attempts as never, log, limits, client, reader };
}

describe("a whole response", () => {
  const NONSENSE = "nonsense openai responded with something that is not a number (text/html). Check its base URL.";
  it.each<[string, (string | Error)[], number | string, string[]]>([
    ["is read past a mark of its encoding", ['\uFEFF{"good":1}'], 1, ["accept"]],
    [
      "is asked for again after an error in it",
      ['{"error":{"message":"m"}}', '{"good":2}'],
      2,
      ["reject overload", "accept"],
    ],
    ["is asked for again after a refusal", ['{"blocked":1}', '{"good":2}'], 2, ["reject bad_request", "accept"]],
    ["is refused where it is none", ["{}"], "nonsense", [NONSENSE]],
    ["is refused where it is no JSON", ["<html>"], "nonsense", [NONSENSE]],
    ["is broken where its transfer fails", [broken], "broken", ["broken broken"]],
    ["is not broken by a mistake of ours", [new RangeError("ours")], "ours", []],
  ])("%s", async (_what, bodies, expected, reports) => {
    const { attempts, log, limits, client, reader } = createAttempts(bodies);
    const onCancelled = vi.spyOn(client, "onCancelled");
    const outcome = await readResponse(attempts, client, "a number", reader).then(
      ({ value }) => value,
      (error: Error) => error.message,
    );
    expect([outcome, log, limits[0]]).toEqual([expected, reports, 32 * MIB]);
    expect(onCancelled.mock.lastCall).toEqual([null]);
    client.release();
    expect(log.filter((line) => line === "leave")).toHaveLength(limits.length);
  });

  it("ends with its client, which says nothing of the provider", async () => {
    const leaving = new AbortController();
    const { attempts, log, client } = createAttempts([broken], new LocalRecipient(leaving.signal));
    const opened = await (attempts as { next(): Promise<never> }).next();
    const collected = collect(opened, attempts, client, 5);
    leaving.abort();
    await expect(collected).rejects.toThrow("abandon");
    expect(log).toEqual(["abort", "abandon"]);
  });
});

it.each<[unknown, boolean]>([
  [{ error: { message: "m" } }, true],
  [{ error: "m" }, true],
  [[{ error: {} }], true],
  [{ error: null }, false],
  [{ code: "x", message: "m" }, true],
  [{ code: "", message: "m" }, false],
  [{ code: 5, message: "m" }, false],
  [{ code: "x", message: 5 }, false],
  [{ choices: [] }, false],
  ["error", false],
  [[], false],
])("takes %j for an error: %s", (response, expected) => {
  expect(isError(response)).toBe(expected);
});

it.each<[object, number]>([
  [{ code: 429 }, 429],
  [{ code: "404" }, 404],
  [{ status: 400 }, 400],
  [{ code: 599 }, 599],
  [{ code: 600 }, 500],
  [{ code: 399 }, 500],
  [{ code: 400.5 }, 500],
  [{ code: "slow_down" }, 500],
  [{}, 500],
])("an error in a response that says 200 has the status in %j: %i", (inner, status) => {
  const connection = bareConnection("openai");
  const opened = { exchange: { headers: {} }, candidate: { connection } } as never;
  expect(inBandError(opened, { error: { message: "m", ...inner } }).status).toBe(status);
  for (const body of [null, "text", { error: "text" }]) expect(inBandError(opened, body).status).toBe(500);
});

it.each(["openai", "anthropic"] as const)("shows headers of %s that its clients look at, and no others", (provider) => {
  const pace = { "anthropic-ratelimit-tokens-remaining": "7" };
  const headers = { ...pace, "openai-processing-ms": "5", "x-ratelimit-remaining-tokens": "6", "set-cookie": "s" };
  const opened = { exchange: { headers }, candidate: { connection: bareConnection(provider) } } as never;
  const shown = { "openai-processing-ms": "5", "x-ratelimit-remaining-tokens": "6" };
  expect(shownHeaders(opened, { "x-own": "1" })).toStrictEqual({
    "x-own": "1",
    ...shown,
    ...(provider === "anthropic" ? pace : {}),
  });
  expect(shownHeaders(opened)).not.toHaveProperty("x-own");
});

describe("a run of events", () => {
  const a = contentFrame("a");
  it.each<[string, Buffer | string, object]>([
    ["is passed as it came", `: c\n\n${a}`, { kind: "frames", bytes: `: c\n\n${a}`, done: false }],
    ["ends with its end mark", `${a}data: "[DONE]" \n\nrest`, { kind: "frames", bytes: a, done: true }],
    ["may be an end mark alone", DONE_FRAME, { kind: "frames", bytes: null, done: true }],
    ["is refused from bytes on that are no text", Buffer.from([0xff, 10, 10]), { kind: "malformed", bytes: null }],
    [
      "is refused from no JSON on",
      `${a}data: x\n\n`,
      { kind: "malformed", bytes: a, why: "an event that is not JSON" },
    ],
    [
      "is refused from a list on",
      `${a}data: [1]\n\n`,
      { kind: "malformed", bytes: a, why: "an event that is not an object" },
    ],
    ["is refused from a text on", `data: "[DONE] or not"\n\n`, { kind: "malformed", bytes: null }],
    ["ends with an error", `${a}data: {"error":{"message":"m"}}\n\n${a}`, { kind: "error", bytes: a }],
  ])("%s", (_what, bytes, reading) => {
    const reader = new StreamReader(chatDialect.observer(createChatUnits), passUntouched(chatDialect));
    const read = reader.read(Buffer.from(bytes));
    expect({ ...read, bytes: read.bytes?.toString() ?? null }).toMatchObject(reading);
  });
});
