import { expect, it } from "vitest";
import { getLink } from "../../../../renderer/components/frame/use-link.ts";
import { draftOfLink, draftOfPreset } from "../../../../renderer/features/connections/connection-draft.ts";
import {
  activeStep,
  firstResponse,
  listCheckedProviders,
  isFirstRunOver,
  OVER,
  skippedSteps,
  steps,
  storedSkips,
  type Step,
} from "../../../../renderer/features/overview/first-run/steps.ts";
import { parseRoute } from "../../../../renderer/lib/router.ts";
import { receiptOf } from "../../../e2e/browser/receipts.ts";
import { PRESETS } from "../../../../gateway/services/connections/presets.ts";

it("remembers what was left out for its data folder alone", () => {
  const stored = storedSkips("/data/one", ["tool"]);
  expect([...skippedSteps(stored, "/data/one")]).toEqual(["tool"]);
  expect([...skippedSteps(stored, "/data/two")]).toEqual([]);
  expect([...skippedSteps(null, "/data/one")]).toEqual([]);
  expect([...skippedSteps(storedSkips("/data/one", steps), "/data/one")]).toEqual([...steps]);
});

it("is over once each step is skipped or a response came, and keeps what was skipped before", () => {
  const over = (...stored: Parameters<typeof storedSkips>): boolean => isFirstRunOver(storedSkips(...stored), "/data");
  expect(over("/data", steps)).toBe(true);
  expect(over("/data", ["provider", "tool"])).toBe(false);
  expect(over("/data", ["tool", OVER])).toBe(true);
  expect(over("/other", [OVER])).toBe(false);
  expect([...skippedSteps(storedSkips("/data", ["tool", OVER]), "/data")]).toEqual(["tool"]);
});

it("reads what earlier versions stored, which had a step for the key", () => {
  expect([...skippedSteps("/data\nprovider\nkey", "/data")]).toEqual(["provider"]);
  expect(isFirstRunOver("/data\nprovider\nkey\ntool\ntry", "/data")).toBe(true);
  expect(isFirstRunOver("/data\nkey\ntool\ntry", "/data")).toBe(false);
});

it("opens one step: the one that was chosen, else the first that is left", () => {
  const left = (open: readonly Step[]) => (step: Step) => open.includes(step);
  expect(activeStep(null, left(steps))).toBe("provider");
  expect(activeStep(null, left(["tool", "try"]))).toBe("tool");
  expect(activeStep("try", left(["tool"]))).toBe("try");
  expect(activeStep(null, left([]))).toBeNull();
});

it("takes the oldest real response for the first", () => {
  const [newest, first] = [receiptOf(1), receiptOf(2)];
  const others = [receiptOf(3, { sandbox: true }), receiptOf(4, { outcome: "failed" })];
  expect(firstResponse([newest, first, ...others])).toBe(first);
  expect(firstResponse(others)).toBeNull();
});

it("calls a provider connected once it has reported what it serves, and as long as that is known", () => {
  const of = (name: string, checked_at: number | null, error: string | null) => ({
    name,
    models: { count: 0, checked_at, error },
  });
  expect(listCheckedProviders([])).toEqual([]);
  expect(listCheckedProviders([of("Asked just now", null, null), of("Refused", null, "Its key is refused.")])).toEqual(
    [],
  );
  const events = listCheckedProviders([of("Here", 1, null), of("Here until it went", 1, "It does not answer.")]);
  expect(events.map(({ name }) => name)).toEqual(["Here", "Here until it went"]);
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
