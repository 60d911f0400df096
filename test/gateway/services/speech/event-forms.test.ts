import { expect, it } from "vitest";
import { mp3Of, samplesOf } from "../../../support/sound.ts";
import { QWEN, qwenEnd, qwenPiece } from "../../../support/speech-acts.ts";
import { replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { providersAt } from "../../../support/running-gateway.ts";

/** Sound in events, as servers and proxies write them on the wire. */

const provider = useWire();
const postern = useGateway(() => ({ env: providersAt({ DASHSCOPE: provider.origin }) }));

const EVENTS = [qwenPiece(1, samplesOf(0.5)), qwenPiece(2, samplesOf(0.5)), qwenEnd(3, 5)];
const WHOLE = EVENTS.join("");

it.each<[string, readonly string[]]>([
  ["with line feeds", EVENTS],
  ["with CRLF", [WHOLE.replaceAll("\n", "\r\n")]],
  ["behind a byte order mark", ["\uFEFF", WHOLE]],
  ["between comments", EVENTS.flatMap((event) => [": still here\n\n", event])],
  ["without a blank line behind the last", [WHOLE.trimEnd()]],
  ["without a blank line behind the last, with CRLF", [WHOLE.trimEnd().replaceAll("\n", "\r\n")]],
])("%s they are the same sound", async (_form, frames) => {
  provider.on(QWEN, replyEvents(...frames));
  const response = await postern.post("/audio/speech", { model: "gamma3-tts-flash", input: "Hello" });
  expect(response.status).toBe(200);
  expect(mp3Of(Buffer.from(await response.arrayBuffer())).seconds).toBeGreaterThanOrEqual(1);
  expect(await postern.receipt()).toMatchObject({
    outcome: "completed",
    estimated: false,
    terms: [{ unit: "character", quantity: 5 }],
  });
});
