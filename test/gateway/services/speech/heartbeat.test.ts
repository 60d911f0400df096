import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { providersAt, until } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const clock = new TestClock();
const provider = useWire();
const postern = useGateway(() => ({ clock, env: providersAt({ OPENAI: `${provider.origin}/v1` }) }));
const ASKED = { model: "gpt-4o-mini-tts", voice: "alloy", input: "Hi.", stream_format: "sse" };
const EVENTS =
  'data: {"type":"speech.audio.delta","audio":"AAAA"}\n\n' +
  'data: {"type":"speech.audio.done","usage":{"input_tokens":9,"output_tokens":9,"total_tokens":18}}\n\n';

it.each<[string, (outgoing: ServerResponse) => void, RegExp, string]>([
  [
    "sound",
    (outgoing) => outgoing.writeHead(200, { "content-type": "text/event-stream" }).end(EVENTS),
    /^: keep-alive\n\ndata: .*delta.*\n\ndata: .*done.*\n\n$/,
    "completed",
  ],
  [
    "an error",
    (outgoing) => outgoing.writeHead(400).end('{"error":{"message":"No such voice.","code":"voice"}}'),
    /^: keep-alive\n\ndata: \{"error":\{"message":"[^\n]*No such voice[^\n]*\n\n$/,
    "failed",
  ],
])("a stream of speech is kept alive until its provider sends %s", async (_what, answer, text, outcome) => {
  let pending: ServerResponse | null = null;
  provider.on("POST /v1/audio/speech", (_seen, outgoing) => void (pending = outgoing));
  const running = postern.post("/audio/speech", ASKED);
  await until(() => pending !== null);
  clock.advance(15_001);
  const response = await running;
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  answer(pending as unknown as ServerResponse);
  expect(await response.text()).toMatch(text);
  expect((await postern.receipt()).outcome).toBe(outcome);
});
