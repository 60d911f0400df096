import { describe, expect, it } from "vitest";
import { createConnectionSchema } from "../../../../gateway/contract/connection.ts";
import { PRESETS } from "../../../../gateway/services/connections/presets.ts";
import { draftOfPreset, readConnection } from "../../../../renderer/features/connections/connection-draft.ts";
import { matchingPresets } from "../../../../renderer/features/connections/preset-picker.tsx";

const [first] = PRESETS;
if (first === undefined) throw new Error("no presets");
const named = (typed: string): readonly string[] => matchingPresets(PRESETS, typed, first).map(({ id }) => id);

describe("presets of Add provider", () => {
  it("are all there before anything is typed, each by one id", () => {
    expect(named("")).toEqual(PRESETS.map(({ id }) => id));
    expect(new Set(named("")).size).toBe(PRESETS.length);
  });

  it("are found by their name, next to the chosen one and any other server", () => {
    expect(named("NVIDIA")).toEqual(["openai", "nvidia", "custom"]);
    expect(named(" this machine ")).toEqual([
      "openai",
      ...PRESETS.filter(({ label }) => label.endsWith("on this machine")).map(({ id }) => id),
      "custom",
    ]);
    expect(named("nobody")).toEqual(["openai", "custom"]);
  });

  it("make a connection as they are, but for those whose address is to be completed", () => {
    const refused = PRESETS.filter(({ base_url }) => base_url !== "").filter(
      (preset) => !readConnection({ ...draftOfPreset(preset), keys: ["sk-1"] }).ok,
    );
    expect(refused.map(({ id }) => id)).toEqual(["cloudflare", "azure"]);
    const own = { provider: "openai-compatible", name: "Azure", base_url: "https://mine.openai.azure.com/openai/v1" };
    expect(createConnectionSchema.safeParse(own).success).toBe(true);
  });
});
