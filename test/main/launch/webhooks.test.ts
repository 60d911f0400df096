import { describe, expect, it } from "vitest";
import { startFakeControl, runWith } from "./fake-control.ts";
import { postern } from "./run.ts";
import { sampleDelivery, sampleTask, sampleWebhooks } from "./samples.ts";

const { secret } = sampleWebhooks;
const UNTIL = 1_790_086_400_000;

describe("webhooks secret", () => {
  it.each([
    [{}, secret],
    [{ from_environment: true }, `${secret}\nIt is set by POSTERN_WEBHOOK_SECRET.`],
    [{ previous_until: UNTIL }, `${secret}\nThe earlier secret signs too until 2026-09-22 14:13 UTC.`],
  ])("is shown (%j)", async (change, text) => {
    const body = { ...sampleWebhooks, ...change };
    await using control = await startFakeControl({ "GET /control/webhooks": { body } });
    const { code, out } = await control.run(["webhooks", "secret"]);
    expect({ code, out }).toEqual({ code: 0, out: text });
    const json = await control.run(["webhooks", "secret", "--json"]);
    expect(JSON.parse(json.out)).toEqual({
      secret,
      from_environment: body.from_environment,
      previous_until: body.previous_until,
    });
  });
});

describe("webhooks rotate", () => {
  it("shows the new secret and until when the earlier one signs", async () => {
    const body = { ...sampleWebhooks, previous_until: UNTIL };
    const { out } = await runWith({ "POST /control/webhooks/rotate": { body } }, ["webhooks", "rotate"]);
    expect(out).toBe(`${secret}\nThe earlier secret signs too until 2026-09-22 14:13 UTC.`);
  });
});

describe("webhooks attempts", () => {
  it("lists callbacks with their last outcome and the receivers that want no more, without the secret", async () => {
    const [recent] = sampleWebhooks.recent;
    const silent = { at: 1, status: null, ms: 1, error: "No answer.", manual: false };
    const body = {
      ...sampleWebhooks,
      pending: 1,
      disabled: [{ url: "https://gone.example/\u001b[31m", at: UNTIL }],
      recent: [
        recent,
        { ...recent, state: "pending", next_at: UNTIL, attempts: [silent] },
        { ...recent, state: "disabled", attempts: [] },
      ],
    };
    await using control = await startFakeControl({ "GET /control/webhooks": { body } });
    const { out } = await control.run(["webhooks", "attempts"]);
    const [, first, second, third, last] = out.split("\n");
    expect(first).toMatch(/^vt_01 +video\.task\.succeeded +2026-09-21 14:14 +delivered +2 +200 +– +https:/);
    expect(second).toMatch(/pending +1 +no response +2026-09-22 14:13 +https:/);
    expect(third).toMatch(/disabled +0 +– +– +https:/);
    expect(last).toBe("Disabled since 2026-09-22 14:13, it responded with 410: https://gone.example/ [31m");
    const json = await control.run(["webhooks", "attempts", "--json"]);
    expect(json.out).not.toContain(secret);
    expect(JSON.parse(json.out)).toMatchObject({ pending: 1, disabled: body.disabled });
  });

  it("says so when none exist", async () => {
    const { out } = await runWith(
      {
        "GET /control/webhooks": { body: { ...sampleWebhooks, recent: [] } },
      },
      ["webhooks", "attempts"],
    );
    expect(out).toBe("No webhook delivery yet.");
  });
});

describe("webhooks resend", () => {
  const path = "POST /control/tasks/vt_01/resend";
  const argv = ["webhooks", "resend", "vt_01"];

  it("says that it was delivered", async () => {
    const ended = await runWith({ [path]: { body: sampleTask } }, argv);
    expect(ended).toEqual({ code: 0, out: "Delivered to https://receiver.example/hook (200, 34 ms).", error: "" });
  });

  it("fails with why it was not", async () => {
    const attempts = sampleDelivery.attempts.toReversed();
    const body = { ...sampleTask, deliveries: [{ ...sampleDelivery, attempts }] };
    await using control = await startFakeControl({ [path]: { body } });
    expect(await control.run(argv)).toEqual({
      code: 1,
      out: "",
      error: "The receiver responded with 503.",
    });
    const json = await control.run([...argv, "--json"]);
    expect({ code: json.code, error: json.error }).toEqual({ code: 1, error: "" });
    expect(JSON.parse(json.out)).toEqual(body);
  });

  it("needs a task, and a second word", async () => {
    expect(await postern(["webhooks", "resend"])).toMatchObject({ code: 2, error: '"webhooks resend" needs an ID.' });
    expect((await postern(["webhooks"])).error).toContain("webhooks secret, webhooks rotate, webhooks attempts");
  });
});
