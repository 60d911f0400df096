import { beforeEach, describe, expect, it } from "vitest";
import { respond, completionText } from "../../../support/acts.ts";
import { CHAT, KEY } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const provider = useProvider();
const postern = useGateway(() => ({ provider }));
beforeEach(() => provider.reset());

const sent = (): string => provider.last.body.toString("utf8");
const USAGE_FIELD = '"stream_options":{"include_usage":true},';

describe("the provider's request", () => {
  it.each([
    ["odd spaces and order", '{ "messages" : [ { "content":"hi","role":"user" } ],\n\t"model":"gpt-4.1" }\n'],
    [
      "escapes as they were written",
      '{"model":"gpt-4.1","messages":[{"role":"user","content":"\\u00e4\\/\\ud83d\\ude00 ä😀"}]}',
    ],
    [
      "numbers as they were written",
      '{"model":"gpt-4.1","temperature":1.0,"seed":9007199254740993,"top_p":1e0,"messages":[{"role":"user","content":"x"}]}',
    ],
    [
      "unknown fields at every level",
      '{"model":"gpt-4.1","x":{"y":[1,null]},"messages":[{"role":"user","content":[{"type":"text","text":"x","z":1}],"cache_control":{"type":"ephemeral"}}]}',
    ],
    [
      "fields that are null",
      '{"model":"gpt-4.1","tools":null,"stop":null,"stream":null,"messages":[{"role":"user","content":"x"}]}',
    ],
  ])("holds the client's own bytes: %s", async (_name, body) => {
    expect((await postern.chat(body)).status).toBe(200);
    expect(sent()).toBe(body);
  });

  it.each([
    ["model", '{"model":"gpt-4o","model":"gpt-4.1","n":1,"messages":[{"role":"user","content":"x"}]}'],
    ["n", '{"n":9,"model":"gpt-4.1","\\u006e":1,"messages":[{"role":"user","content":"x"}]}'],
    ["role", '{"n":1,"model":"gpt-4.1","messages":[{"role":"system","role":"user","content":"x"}]}'],
  ])("says a name once that was given twice, with the value that was checked and priced: %s", async (_name, body) => {
    expect((await postern.chat(body)).status).toBe(200);
    expect(JSON.parse(sent())).toEqual(JSON.parse(body));
    for (const name of ["model", "n", "role"]) expect(sent().split(`"${name}"`)).toHaveLength(2);
  });

  it("says names without escapes, as they were understood", async () => {
    const body = String.raw`{"model":"gpt-4.1","messages":[{"role":"user","content":"x"}],"\u006dax_tokens":7}`;
    // V8 may take the escape for this name, once it has seen it in an object of the same shape.
    await postern.chat(String.raw`{"model":"gpt-4.1","messages":[{"role":"user","content":"x"}],"\\":7}`);
    expect((await postern.chat(body)).status).toBe(200);
    expect(sent()).toBe(JSON.stringify(JSON.parse(body)));
    expect(sent()).not.toContain("u006d");
  });

  it("carries our provider key and nothing of the client's headers", async () => {
    await postern.chat(CHAT, KEY, {
      headers: {
        cookie: "a=b",
        "x-secret": "s",
        "openai-organization": "org",
        "user-agent": "tool/1.0",
        referer: "http://x/",
        "accept-language": "de",
        traceparent: "00-1",
      },
    });
    expect(provider.last.key).toBe("sk-provider-key-0001");
    const names = Object.keys(provider.last.headers).toSorted();
    expect(names).toEqual([
      "accept",
      "accept-encoding",
      "authorization",
      "connection",
      "content-length",
      "content-type",
      "host",
      "x-postern-instance",
    ]);
    expect(provider.last.headers["accept-encoding"]).toBe("identity");
    expect(provider.last.rawHeaders.join("\n")).not.toContain(KEY);
  });

  it("of a stream asks for usage, and is otherwise the client's own bytes", async () => {
    const bodies = [
      ' {"model":"gpt-4.1", "stream":true,"messages":[{"role":"user","content":"ä"}]}',
      '{"stream":true,"messages":[{"role":"user","content":"{"}],"model":"gpt-4.1"}\n',
    ];
    for (const body of bodies) {
      await (await postern.chat(body)).text();
      expect(sent()).toBe(body.replace("{", `{${USAGE_FIELD}`));
    }
    const request =
      '{"model":"gpt-4.1","stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false},"messages":[{"role":"user","content":"x"}]}';
    await (await postern.chat(request)).text();
    expect(sent()).toBe(request);
  });

  it("of a stream keeps the options that the client gave next to usage", async () => {
    for (const options of [
      { include_usage: false, include_obfuscation: false },
      { include_obfuscation: false },
      {},
      null,
    ]) {
      await (await postern.chat({ ...CHAT, stream: true, stream_options: options, unknown: [1] })).text();
      expect(provider.lastBody).toEqual({
        ...CHAT,
        stream: true,
        stream_options: { ...options, include_usage: true },
        unknown: [1],
      });
    }
  });

  it("names the model as this provider knows it, and answers to its other names", async () => {
    const { data } = await postern.ask<{ data: { id: string }[] }>("GET", "/models");
    expect(data.map(({ id }) => id)).toContain("provider-model");
    await postern.chat({ ...CHAT, model: "OpenAI/some-model-that-no-list-has" });
    expect(provider.lastBody).toEqual({ ...CHAT, model: "some-model-that-no-list-has" });
    await postern.chat({ ...CHAT, model: "gpt-5.6-sol" });
    expect(provider.lastBody["model"]).toBe("gpt-5.6");
  });
});

describe("the client's response", () => {
  it.each([
    ["as providers write it", completionText()],
    [
      "with spaces, unknown fields and details",
      '{\n "choices" : [ {"index":0,"message":{"role":"assistant","content":"x","reasoning_content":"why","annotations":[{"type":"url_citation"}],"audio":null},"logprobs":{"content":[{"token":"x","logprob":-0.1,"bytes":[120],"top_logprobs":[]}]},"finish_reason":"stop","x":1} ],"usage":{"prompt_tokens":1,"completion_tokens":1,"queue_time":0.5},"citations":["u"],"id":1.0 }\n\n',
    ],
    ["with escapes", '{"choices":[{"message":{"content":"\\u00e4\\/ \\ud83d\\ude00"}}],"usage":null}'],
    [
      "with many answers",
      JSON.stringify({
        choices: Array.from({ length: 100 }, (_, index) => ({ index, message: { content: "x".repeat(5_000) } })),
      }),
    ],
  ])("holds the provider's own bytes: %s", async (_name, body) => {
    provider.next(respond(200, body));
    const response = await postern.chat();
    expect(await response.text()).toBe(body);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
  });

  it("shows who answered and what it has left, and no other header of the provider's", async () => {
    provider.next(
      respond(200, completionText(), {
        "openai-processing-ms": "12",
        "x-ratelimit-remaining-requests": "9",
        "x-ratelimit-remaining-tokens": "99",
        "openai-organization": "secret-org",
        "set-cookie": "a=b",
        server: "cloud",
        "access-control-allow-origin": "*",
        "x-request-id": "provider-id",
      }),
    );
    const { headers } = await postern.chat();
    expect([
      headers.get("x-postern-provider"),
      headers.get("openai-processing-ms"),
      headers.get("x-ratelimit-remaining-requests"),
      headers.get("x-ratelimit-remaining-tokens"),
    ]).toEqual(["openai", "12", "9", "99"]);
    for (const name of ["openai-organization", "set-cookie", "server", "access-control-allow-origin"])
      expect(headers.get(name)).toBeNull();
    expect(headers.get("x-request-id")).toMatch(/^req_/);
  });

  it("is taken whole from a provider that packs it although no one asked", async () => {
    const { gzipSync } = await import("node:zlib");
    provider.next(respond(200, gzipSync(completionText()), { "content-encoding": "gzip" }));
    const response = await postern.chat();
    expect(response.headers.get("content-encoding")).toBeNull();
    expect(await response.text()).toBe(completionText());
  });
});
