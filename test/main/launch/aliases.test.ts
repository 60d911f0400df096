import { describe, expect, it } from "vitest";
import { refusal, startFakeControl } from "./fake-control.ts";
import { postern } from "./run.ts";
import { sampleModel } from "./samples.ts";

describe("aliases", () => {
  it("are set for a model, and the response says when nobody serves it", async () => {
    const away = { ...sampleModel, id: "later-1", served: false };
    await using control = await startFakeControl({ "POST /control/models/alias": { body: away } });
    const { code, out } = await postern(["alias", "set", "fast", "--model", "later-1", "--data-dir", control.folder]);
    expect({ code, out }).toEqual({ code: 0, out: "fast stands for later-1. No enabled connection serves it now." });
    expect(control.calls.at(-1)).toMatchObject({ body: { name: "fast", model: "later-1" } });
  });

  it("are refused in the gateway's own words", async () => {
    const sentence = '"gpt-5.2" is the id of a model already. Choose another name.';
    await using control = await startFakeControl({
      "POST /control/models/alias": { status: 400, body: refusal("invalid_value", sentence) },
    });
    const ended = await postern(["alias", "set", "gpt-5.2", "--model", "x", "--data-dir", control.folder]);
    expect(ended).toEqual({ code: 1, out: "", error: sentence });
  });

  it("are taken away by name", async () => {
    await using control = await startFakeControl({ "POST /control/models/alias/remove": { body: { ok: true } } });
    const { out } = await postern(["alias", "remove", "fast", "--data-dir", control.folder]);
    expect(out).toBe("fast is no longer an alias.");
  });

  it("stand in the list of models where there are any", async () => {
    const data = [
      { ...sampleModel, aliases: ["fast", "team/fast"] },
      { ...sampleModel, id: "plain" },
    ];
    await using control = await startFakeControl({ "GET /control/models": { body: { data } } });
    const { out } = await postern(["models", "--data-dir", control.folder]);
    expect(out.split("\n")[0]).toContain("ALIASES");
    expect(out).toContain("fast,team/fast");
  });
});
