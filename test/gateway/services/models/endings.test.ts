import { expect, it, test } from "vitest";
import { findEnding, hasEnded } from "../../../../gateway/catalog/endings.ts";
import { allModels, findModel } from "../../../../gateway/catalog/lookup.ts";
import type { ModelView } from "../../../../gateway/contract/model-view.ts";
import { readModels } from "../../../../gateway/providers/openai-compatible/models.ts";
import { createModelNotFound } from "../../../../gateway/services/models/unserved.ts";
import { systemClock, utcDay } from "../../../../gateway/lib/clock.ts";
import { postern as run } from "../../../main/launch/run.ts";
import { completionBody } from "../../../support/acts.ts";
import { CHAT, KEY, providersAt } from "../../../support/running-gateway.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply } from "../../../support/wire-provider.ts";

const today = utcDay(systemClock.now());
const wire = useWire();
const postern = useGateway(() => {
  const data = [
    { id: "gpt-5-mini", shutdown_date: "2031-02-03" },
    { id: "gpt-5" },
    { id: "gpt-5-nano", shutdown_date: today },
    { id: "gpt-5.5" },
  ];
  wire.on("GET /openai/v1/models", reply(200, { object: "list", data }));
  return { env: providersAt({ OPENAI: `${wire.origin}/openai/v1` }) };
});

it.each([
  ["the list's own day before the catalog's", "gpt-5-mini", { on: "2031-02-03", successor: "gpt-5.4-mini", apps: 0 }],
  ["the catalog's day where the list is silent", "gpt-5", { on: "2026-12-11", successor: "gpt-5.5", apps: 0 }],
  ["none where none is announced", "gpt-5.5", undefined],
])("Models shows %s", async (_, id, ends) => {
  await postern.sdk().models.list();
  const { data } = await postern.ask<{ data: ModelView[] }>("GET", "/models");
  expect(data.find((model) => model.id === id)).toHaveProperty("served", true);
  expect(data.find((model) => model.id === id)?.ends).toEqual(ends);
});

it("the command line says how many apps still use a model of keys, routes and the list", async () => {
  wire.on(
    "POST /openai/v1/chat/completions",
    reply(200, completionBody("Hello.", { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 })),
  );
  for (const app of ["one/1", "two/1", "two/2"])
    await (await postern.chat({ ...CHAT, model: "gpt-5-nano" }, KEY, { headers: { "user-agent": app } })).text();
  await postern.ask("POST", "/keys", { name: "old", models: ["gpt-5-nano"] });
  await postern.ask("POST", "/routes", { name: "smart", models: ["gpt-5-nano"] });
  const text = `gpt-5-nano has ended; 2 apps use it. From ${today} on, use gpt-5.4-nano instead.`;
  for (const argv of [["models"], ["keys", "list"], ["route", "list"], ["doctor"]])
    expect((await run([...argv, "--data-dir", postern.dataDir])).out, argv.join(" ")).toContain(text);
});

test.each([
  [{ shutdown_date: "2026-12-11" }, "2026-12-11"],
  [{ shutdown_date: 1_796_947_200 }, "2026-12-11"],
  [{ expiration_date: "2026-12-11T08:00:00Z" }, "2026-12-11"],
  [{ shutdown_date: null, deprecation: "2026-12-11" }, "2026-12-11"],
  [{ shutdown_date: "soon" }, undefined],
  [{ shutdown_date: 9e15 }, undefined],
  [{ shutdown_date: {} }, undefined],
  [{}, undefined],
])("a list that says %j of an end", (message, ends) => {
  expect(readModels({ data: [{ id: "m", ...message }] })?.[0]?.ends).toBe(ends);
});

test.each([
  ["o4-mini", "gpt-5.4-mini", "2026-10-23"],
  ["sora-2", "another model", "2026-09-24"],
])("the error for %s names %s and %s", (id, instead, on) => {
  const { code, message } = createModelNotFound(id);
  expect(code).toBe("model_not_found");
  expect(message).toContain(on);
  expect(message).toContain(instead);
});

test("a model is there until the day of its end, and its successor is a model that lasts longer", () => {
  const spec = findModel("gpt-5-mini") ?? { id: "" };
  expect(["2026-12-10", "2026-12-11", "2027-01-01"].map((day) => hasEnded(spec, day))).toEqual([false, true, true]);
  const endings = allModels().flatMap((model) => findEnding(model) ?? []);
  expect(endings.length).toBeGreaterThan(40);
  for (const { on, successor } of endings) {
    if (successor === null) continue;
    const next = findModel(successor);
    expect(next, successor).toBeDefined();
    expect(next === undefined ? "" : (findEnding(next)?.on ?? "9999"), successor).toSatisfy((day: string) => day > on);
  }
});
