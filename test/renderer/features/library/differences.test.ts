import { expect, it } from "vitest";
import type { MediaView } from "../../../../gateway/contract/media.ts";
import { differingParameters } from "../../../../renderer/features/library/differences.ts";
import { mediaOrigin } from "../../../support/media-samples.ts";

const made = (parameters: Record<string, unknown>): MediaView =>
  ({ origin: mediaOrigin({ parameters }) }) as unknown as MediaView;

it("names what two requests differ in, and nothing else", () => {
  const a = made({ size: "1024x1024", quality: "high", n: 1, style: { name: "oil" } });
  const b = made({ size: "1024x1024", quality: "low", style: { name: "ink" }, seed: 4 });
  expect(differingParameters(a, b)).toEqual([
    { name: "quality", values: ["high", "low"] },
    { name: "n", values: ["1", ""] },
    { name: "style", values: ['{"name":"oil"}', '{"name":"ink"}'] },
    { name: "seed", values: ["", "4"] },
  ]);
  expect(differingParameters(a, a)).toEqual([]);
});

it("takes a result whose origin was lost for one without parameters", () => {
  const lost = { ...made({}), origin: null };
  expect(differingParameters(made({ n: 1 }), lost)).toEqual([{ name: "n", values: ["1", ""] }]);
});
