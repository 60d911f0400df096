import { beforeAll, expect, it } from "vitest";
import { dose } from "../../../support/dose.ts";
import { Meter, seeded } from "../../../support/metering-provider.ts";
import { KEY, providersAt } from "../../../support/running-gateway.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";

/** Receipts next to what providers charge that meter in their own ways, over each client's dialect, whole and streamed. */

const SEED = 33;
const random = seeded(SEED);
const meter = new Meter(seeded(SEED + 1));
const wire = useWire();
beforeAll(() => {
  const list = [{ id: "router/agent", pricing: { prompt: "0.000005", completion: "0.000025" } }];
  wire.on("GET /router/v1/models", reply(200, { data: list }));
  wire.on("POST /router/v1/chat/completions", meter.router);
  wire.on("POST /openai/v1/chat/completions", meter.openaiChat);
  wire.on("POST /openai/v1/responses", meter.openaiResponses);
  wire.on("POST /anthropic/v1/messages", meter.messages);
  wire.on("POST /gemini/v1beta/openai/chat/completions", meter.gemini);
  wire.on("POST /xai/v1/chat/completions", meter.xai);
});
const postern = useGateway(() => ({
  env: {
    ...providersAt({
      OPENAI: `${wire.origin}/openai/v1`,
      ANTHROPIC: `${wire.origin}/anthropic`,
      GEMINI: `${wire.origin}/gemini`,
      XAI: `${wire.origin}/xai/v1`,
    }),
    POSTERN_COMPATIBLE_BASE_URL: `${wire.origin}/router/v1`,
  },
}));

const MODELS = [
  "gpt-5.4",
  "gpt-6.1-sol",
  "claude-opus-5-5",
  "claude-sonnet-5-5",
  "gemini-3.5-flash",
  "grok-4.3",
  "router/agent",
];
const CALLS = dose(300, 1_500);

function requestOf(index: number, model: string): readonly [path: string, body: object] {
  const content = `case-${index}- Say hello.`;
  const stream = random.below(2) === 0;
  const messages = [{ role: "user", content }];
  const dialects = [
    ["/chat/completions", { model, messages, stream }],
    ["/messages", { model, messages, max_tokens: 20_000, stream }],
    ["/responses", { model, input: content, stream }],
  ] as const;
  return random.pick(dialects);
}

it(`${CALLS} calls cost what their providers charge, to the nano (seed ${SEED})`, async () => {
  const wrong: unknown[] = [];
  for (let index = 0; index < CALLS; index += 1) {
    const [path, body] = requestOf(index, random.pick(MODELS));
    const response = await postern.post(path, body, KEY);
    const text = await response.text();
    const receipt = await postern.receipt();
    const charged = meter.charges.get(index) ?? Number.NaN;
    // Each line of a receipt is rounded to a whole nano.
    const isRight = response.ok && Math.abs((receipt.nano ?? Number.NaN) - charged) <= receipt.terms.length / 2;
    if (!isRight)
      wrong.push({
        index,
        path,
        body,
        charged,
        receipt: receipt.nano,
        terms: receipt.terms,
        source: receipt.price?.source,
        text: text.slice(0, 200),
      });
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(meter.charges.size).toBe(CALLS);
});
