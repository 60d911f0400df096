import { expect, it } from "vitest";
import { getLink } from "../../../../renderer/components/frame/use-link.ts";
import { draftOfLink, draftOfPreset } from "../../../../renderer/features/connections/connection-draft.ts";
import {
  activeStep,
  firstResponse,
  heardProviders,
  skippedSteps,
  steps,
  storedSkips,
  usedKey,
  type Step,
} from "../../../../renderer/features/overview/first-run/steps.ts";
import { parseRoute } from "../../../../renderer/lib/router.ts";
import { keyOf } from "../../../e2e/browser/fixtures.ts";
import { receiptOf } from "../../../e2e/browser/receipts.ts";
import { PRESETS } from "../../../../gateway/services/connections/presets.ts";

it("remembers what was left out for its data folder alone", () => {
  const stored = storedSkips("/data/one", ["tool"]);
  expect([...skippedSteps(stored, "/data/one")]).toEqual(["tool"]);
  expect([...skippedSteps(stored, "/data/two")]).toEqual([]);
  expect([...skippedSteps(null, "/data/one")]).toEqual([]);
  expect([...skippedSteps(storedSkips("/data/one", steps), "/data/one")]).toEqual([...steps]);
});

it("has no new step for those who left out all of an earlier version", () => {
  expect([...skippedSteps(storedSkips("/data", ["provider", "tool", "try"]), "/data")]).toEqual([...steps]);
  expect([...skippedSteps(storedSkips("/data", ["provider", "tool"]), "/data")]).toEqual(["provider", "tool"]);
});

it("opens one step: the one that was chosen, else the first that is left", () => {
  const left = (open: readonly Step[]) => (step: Step) => open.includes(step);
  expect(activeStep(null, left(steps))).toBe("provider");
  expect(activeStep(null, left(["tool", "try"]))).toBe("tool");
  expect(activeStep("key", left(["tool"]))).toBe("key");
  expect(activeStep(null, left([]))).toBeNull();
});

it("takes the oldest real response for the first, and no key of the playground for one that an app has", () => {
  const [newest, first] = [receiptOf(1), receiptOf(2)];
  const others = [receiptOf(3, { sandbox: true }), receiptOf(4, { outcome: "failed" })];
  expect(firstResponse([newest, first, ...others])).toBe(first);
  expect(firstResponse(others)).toBeNull();
  const used = keyOf(1, { last_used_at: 5 });
  expect(usedKey([keyOf(2), { ...used, name: "Playground" }, used], "Playground")).toBe(used);
  expect(usedKey([keyOf(2), { ...used, name: "Playground" }], "Playground")).toBeNull();
});

it("calls a provider connected once it has told what it serves, and as long as that is known", () => {
  const of = (name: string, checked_at: number | null, error: string | null) => ({
    name,
    models: { count: 0, checked_at, error },
  });
  expect(heardProviders([])).toEqual([]);
  expect(heardProviders([of("Asked just now", null, null), of("Refused", null, "Its key is refused.")])).toEqual([]);
  const heard = heardProviders([of("Here", 1, null), of("Here until it went", 1, "It does not answer.")]);
  expect(heard.map(({ name }) => name)).toEqual(["Here", "Here until it went"]);
});

it("reads links of the desktop, on their own page only", () => {
  const read = (hash: string) => getLink(parseRoute(hash));
  expect(read("#/keys?link=key&name=Editor")).toEqual({ kind: "key", name: "Editor" });
  expect(read("#/connections?link=key&name=Editor")).toBeNull();
  expect(read("#/connections?link=connect&provider=No%20body")).toBeNull();
  expect(read("#/connections")).toBeNull();
  expect(read("#/connections?link=connect&provider=anthropic")).toEqual({
    kind: "connect",
    provider: "anthropic",
    baseUrl: "",
    name: "",
  });
});

it("chooses the provider that a link means, and no provider's name for a stranger's address", () => {
  const [first] = PRESETS;
  if (first === undefined) throw new Error("no presets");
  const draft = (provider: string, baseUrl: string) => draftOfLink({ provider, baseUrl, name: "" }, PRESETS, first);
  expect(draft("anthropic", "")).toMatchObject({ name: "Anthropic", baseUrl: "https://api.anthropic.com" });
  expect(draft("openai-compatible", "https://openrouter.ai/api/v1").preset.id).toBe("openrouter");
  expect(draft("openai-compatible", "https://stranger.example/v1")).toMatchObject({
    name: "",
    baseUrl: "https://stranger.example/v1",
    preset: { id: "custom" },
  });
  expect(draft("openai-compatible", "").preset.id).toBe("custom");
  expect(draft("nobody", "https://stranger.example/v1")).toEqual(draftOfPreset(first));
});
