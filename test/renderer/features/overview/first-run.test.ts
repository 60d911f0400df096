import { expect, it } from "vitest";
import { linkOf } from "../../../../renderer/components/frame/use-link.ts";
import { draftOfLink } from "../../../../renderer/features/connections/connection-draft.ts";
import {
  heardVendors,
  skippedSteps,
  steps,
  storedSkips,
} from "../../../../renderer/features/overview/first-run/progress.ts";
import { parseRoute } from "../../../../renderer/lib/router.ts";
import { PRESETS } from "../../../../gateway/services/connections/presets.ts";

it("remembers what was left out for its data folder alone", () => {
  const stored = storedSkips("/data/one", ["tool"]);
  expect([...skippedSteps(stored, "/data/one")]).toEqual(["tool"]);
  expect([...skippedSteps(stored, "/data/two")]).toEqual([]);
  expect([...skippedSteps(null, "/data/one")]).toEqual([]);
  expect([...skippedSteps(storedSkips("/data/one", steps), "/data/one")]).toEqual([...steps]);
});

it("calls a vendor connected once it has told what it serves, and as long as that is known", () => {
  const of = (name: string, checked_at: number | null, error: string | null) => ({
    name,
    models: { count: 0, checked_at, error },
  });
  expect(heardVendors([])).toEqual([]);
  expect(heardVendors([of("Asked just now", null, null), of("Refused", null, "Its key is refused.")])).toEqual([]);
  expect(heardVendors([of("Here", 1, null), of("Here until it went", 1, "It does not answer.")])).toEqual([
    "Here",
    "Here until it went",
  ]);
});

it("reads links of the desktop, on their own page and of known vendors only", () => {
  const read = (hash: string) => linkOf(parseRoute(hash));
  expect(read("#/keys?link=key&name=Editor")).toEqual({ kind: "key", name: "Editor" });
  expect(read("#/connections?link=key&name=Editor")).toBeNull();
  expect(read("#/connections?link=connect&vendor=nobody")).toBeNull();
  expect(read("#/connections")).toBeNull();
  expect(read("#/connections?link=connect&vendor=anthropic")).toEqual({
    kind: "connect",
    vendor: "anthropic",
    baseUrl: "",
    name: "",
  });
});

it("chooses the vendor that a link means, and no vendor's name for a stranger's address", () => {
  const [first] = PRESETS;
  if (first === undefined) throw new Error("no presets");
  const draft = (vendor: "anthropic" | "openai-compatible", baseUrl: string) =>
    draftOfLink({ vendor, baseUrl, name: "" }, PRESETS, first);
  expect(draft("anthropic", "")).toMatchObject({ name: "Anthropic", baseUrl: "https://api.anthropic.com" });
  expect(draft("openai-compatible", "https://openrouter.ai/api/v1").preset.id).toBe("openrouter");
  expect(draft("openai-compatible", "https://stranger.example/v1")).toMatchObject({
    name: "",
    baseUrl: "https://stranger.example/v1",
    preset: { id: "custom" },
  });
  expect(draft("openai-compatible", "").preset.id).toBe("custom");
});
