import { describe, expect, it } from "vitest";
import { startFakeControl, runWith } from "./fake-control.ts";
import { sampleModel } from "./samples.ts";

describe("aliases", () => {
  it("are set for a model, and the response says when no provider serves it", async () => {
    const away = { ...sampleModel, id: "later-1", served: false };
    await using control = await startFakeControl({ "POST /control/models/alias": { body: away } });
    const { code, out } = await control.run(["alias", "set", "fast", "--model", "later-1"]);
    expect({ code, out }).toEqual({ code: 0, out: "fast stands for later-1. No enabled connection serves it now." });
    expect(control.calls.at(-1)).toMatchObject({ body: { name: "fast", model: "later-1" } });
  });

  it("are taken away by name", async () => {
    const { out } = await runWith({ "POST /control/models/alias/remove": { body: { ok: true } } }, [
      "alias",
      "remove",
      "fast",
    ]);
    expect(out).toBe("Done: alias remove fast.");
  });

  it("stand in the list of models where there are any", async () => {
    const data = [
      { ...sampleModel, aliases: ["fast", "team/fast"] },
      { ...sampleModel, id: "plain" },
    ];
    const { out } = await runWith({ "GET /control/models": { body: { data } } }, ["models"]);
    expect(out.split("\n")[0]).toContain("ALIASES");
    expect(out).toContain("fast,team/fast");
    const listed = { "GET /control/models": { body: { data } } };
    const names = ["fast", "team/fast"].map((name) => ({ name, model: sampleModel.id }));
    expect(JSON.parse((await runWith(listed, ["alias", "list", "--json"])).out)).toEqual({ data: names });
    expect((await runWith(listed, ["alias", "list"])).out).toContain(`team/fast  ${sampleModel.id}`);
    const none = { "GET /control/models": { body: { data: [] } } };
    expect((await runWith(none, ["alias", "list"])).out).toContain("postern alias set");
  });
});
