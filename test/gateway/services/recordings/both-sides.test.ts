import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Recording, RecordedResponse, RequestDetail } from "../../../../gateway/contract/requests.ts";
import { completion, failure, stream, streamFrames } from "../../../support/acts.ts";
import { CHAT, KEY } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const provider = useProvider();
const postern = useGateway(() => ({ provider }));
beforeAll(() => postern.ask("PATCH", "/settings", { record_bodies: true }));
beforeEach(() => provider.reset());

async function record(response: Promise<Response>): Promise<Recording> {
  const body = await response;
  await body.text();
  const detail = await postern.ask<RequestDetail>("GET", `/requests/${body.headers.get("x-request-id") ?? ""}`);
  if (detail.recording === null) throw new Error("nothing was recorded");
  return detail.recording;
}

const joinChunks = (response: RecordedResponse | null | undefined): string =>
  (response?.chunks ?? []).map(({ text }) => text).join("");

const MESSAGES = { model: "gpt-4.1", max_tokens: 50, system: "Be brief.", messages: [{ role: "user", content: "Hi" }] };

describe("a recording", () => {
  it("has the provider's side of a translation, request and response", async () => {
    provider.next(completion("Hello"));
    const { attempts = [], response } = await record(postern.post("/messages", MESSAGES, KEY));
    expect(attempts).toHaveLength(1);
    const [{ url, request, status, passed, error, ...attempt }] = attempts as [(typeof attempts)[0]];
    expect([url, status, passed, error]).toEqual([`${provider.baseUrl}/chat/completions`, 200, false, null]);
    const sent = JSON.parse(request?.text ?? "") as { messages: unknown[] };
    expect(sent.messages[0]).toEqual({ role: "system", content: "Be brief." });
    expect(request?.text).not.toContain("sk-provider-key");
    expect(JSON.parse(joinChunks(attempt.response))).toMatchObject({ object: "chat.completion" });
    expect(JSON.parse(joinChunks(response))).toMatchObject({ type: "message" });
  });

  it("has the provider's stream, chunk by chunk", async () => {
    provider.next(stream(streamFrames(["He", "llo"])));
    const { attempts = [] } = await record(postern.post("/messages", { ...MESSAGES, stream: true }, KEY));
    const { response } = attempts[0] ?? {};
    expect(response?.type).toBe("text/event-stream");
    expect(joinChunks(response)).toContain("chat.completion.chunk");
    expect(response?.chunks.length).toBeGreaterThan(0);
  });

  it("leaves out what is the same on both sides", async () => {
    provider.next(completion("Hello"));
    const { attempts = [] } = await record(postern.chat(CHAT));
    expect(attempts).toMatchObject([{ request: null, response: null, passed: true, status: 200 }]);
  });

  it("has each attempt of a failover, with its error, and what ended without a response", async () => {
    provider.next(failure(500, { message: "It broke." }), completion("Hello"));
    const { attempts = [], status } = await record(postern.post("/messages", MESSAGES, KEY));
    expect([status, attempts.map((attempt) => attempt.status)]).toEqual([200, [500, 200]]);
    expect(joinChunks(attempts[0]?.response)).toContain("It broke.");
    expect(attempts[0]?.ms).toBeLessThanOrEqual(attempts[1]?.ms ?? 0);
  });

  it("has neither the secrets of the connection nor a query in the address", async () => {
    const [connection] = (await postern.ask<{ data: { id: string }[] }>("GET", "/connections")).data;
    const made = await postern.ask<{ id: string }>("POST", "/connections", {
      provider: "openai-compatible",
      name: "own",
      base_url: provider.baseUrl,
      keys: ["sk-own-provider-key-000001"],
      headers: "x-team: the-secret-of-a-team-0001",
      body: { metadata: { team: "shop" } },
      models: [{ id: "own-model" }],
    });
    expect(made.id).not.toBe(connection?.id);
    provider.next(completion("Hello"));
    const { attempts = [] } = await record(postern.chat({ ...CHAT, model: "own-model" }));
    expect(attempts[0]?.request?.text).toContain('"metadata"');
    for (const secret of ["sk-own-provider-key", "the-secret-of-a-team"])
      expect(JSON.stringify(attempts)).not.toContain(secret);
  });
});
