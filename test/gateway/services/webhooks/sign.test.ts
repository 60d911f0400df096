import { randomBytes } from "node:crypto";
import OpenAI from "openai";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  isWebhookSecret,
  newWebhookSecret,
  webhookHeaders,
} from "../../../../gateway/services/webhooks/webhook-secrets.ts";

const openai = new OpenAI({ apiKey: "sk-none" });
const SECRET = newWebhookSecret();
const AT = 1_790_000_000;
const MESSAGE = { id: "msg_1", timestamp: AT, payload: JSON.stringify({ type: "video.task.succeeded", data: "é 🎬" }) };

const whsec = (bytes: number): string => `whsec_${randomBytes(bytes).toString("base64")}`;
const atSecond = (second: number): void => void vi.spyOn(Date, "now").mockReturnValue(second * 1_000);
afterEach(() => vi.restoreAllMocks());

/** Whether both verifiers take it; they must agree. */
async function accepted(
  headers: Readonly<Record<string, string>>,
  payload = MESSAGE.payload,
  secret = SECRET,
): Promise<boolean> {
  const verdicts = await Promise.allSettled([
    Promise.resolve().then(() => new Webhook(secret).verify(payload, headers)),
    openai.webhooks.unwrap(payload, headers, secret),
  ]);
  const [first, second] = verdicts.map(({ status }) => status === "fulfilled");
  expect(first).toBe(second);
  return first === true;
}

describe("a signature", () => {
  it("is that of the reference test of Standard Webhooks", () => {
    const message = {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestamp: 1_614_265_330,
      payload: '{"test": 2432232314}',
    };
    expect(webhookHeaders(message, ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])).toEqual({
      "webhook-id": message.id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("is accepted by both verifiers, five minutes each way and no second more", async () => {
    const headers = webhookHeaders(MESSAGE, [SECRET]);
    for (const [offset, fits] of [
      [-301, false],
      [-300, true],
      [0, true],
      [300, true],
      [301, false],
    ] as const) {
      atSecond(AT + offset);
      expect([offset, await accepted(headers)]).toEqual([offset, fits]);
    }
  });

  it("is refused by both when anything of it is changed", async () => {
    atSecond(AT);
    const headers = webhookHeaders(MESSAGE, [SECRET]);
    const signature = headers["webhook-signature"] ?? "";
    const flipped = signature.replace(/.(?=.{10}$)/, (one) => (one === "A" ? "B" : "A"));
    for (const wrong of ["", "v1,", signature.slice(0, -4), flipped, signature.replace("v1,", "v2,v1,")]) {
      expect(await accepted({ ...headers, "webhook-signature": wrong })).toBe(false);
    }
    expect(await accepted({ ...headers, "webhook-id": "msg_2" })).toBe(false);
    expect(await accepted({ ...headers, "webhook-timestamp": String(AT + 1) })).toBe(false);
    expect(await accepted(headers, `${MESSAGE.payload} `)).toBe(false);
    expect(await accepted(headers, MESSAGE.payload, whsec(32))).toBe(false);
    const { "webhook-id": _id, ...without } = headers;
    expect(await accepted(without)).toBe(false);
  });

  it("of several secrets is accepted with each of them", async () => {
    atSecond(AT);
    const earlier = whsec(24);
    const headers = webhookHeaders(MESSAGE, [SECRET, earlier]);
    expect(headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);
    expect(await accepted(headers)).toBe(true);
    expect(await accepted(headers, MESSAGE.payload, earlier)).toBe(true);
  });

  it.each([
    ["no secret", []],
    ["an empty one", [""]],
    ["nothing behind whsec_", ["whsec_"]],
    ["a short one", [whsec(23)]],
  ])("is never made with %s", (_what, secrets) => expect(() => webhookHeaders(MESSAGE, secrets)).toThrow("secret"));
});

describe("a secret", () => {
  it("of our own is one, and never the same twice", () => {
    expect(isWebhookSecret(SECRET)).toBe(true);
    expect(newWebhookSecret()).not.toBe(SECRET);
  });

  it.each([24, 32, 48, 64])("may have %i bytes", (bytes) => expect(isWebhookSecret(whsec(bytes))).toBe(true));

  it.each([
    "",
    "whsec_",
    whsec(23),
    whsec(65),
    SECRET.slice("whsec_".length),
    ` ${SECRET}`,
    `${SECRET}\n`,
    SECRET.replace("=", ""),
    `whsec_${"-_".repeat(22)}`,
    `whsk_${SECRET.slice("whsec_".length)}`,
    "whsec_not base64 but long enough to be some bytes",
  ])("is not %j", (text) => expect(isWebhookSecret(text)).toBe(false));
});
