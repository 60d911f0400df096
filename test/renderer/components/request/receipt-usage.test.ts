import { describe, expect, it } from "vitest";
import type { Receipt, ReceiptTerm, UnitClass } from "../../../../gateway/contract/receipt.ts";
import { usageInWords } from "../../../../renderer/components/request/usage-cell.tsx";
import { getUsage } from "../../../../renderer/components/request/usage-cell.tsx";
import { formatCount } from "../../../../renderer/lib/format.ts";
import { en } from "../../../../renderer/locales/en.ts";
import { receiptOf } from "../../../e2e/browser/receipts.ts";

function used(quantities: Partial<Record<UnitClass, number>>): Receipt {
  const terms: ReceiptTerm[] = Object.entries(quantities).map(([unit, quantity]) => ({
    unit: unit as UnitClass,
    quantity,
    nano_per_million: 0,
    nano: 0,
  }));
  return receiptOf(1, { terms });
}

describe("what a request used", () => {
  it.each<[Partial<Record<UnitClass, number>>, string]>([
    [
      { input: 1_200, cached_input: 300, cache_write: 20, cache_write_1h: 4, output: 50, reasoning: 7 },
      "1,524 input, 57 output tokens, 20% of the input cached",
    ],
    [{ input: 10, image_input: 400, image_output: 1_056 }, "410 input, 1,056 output tokens"],
    [
      { audio_input: 40, cached_audio_input: 2, output: 9, audio_output: 30 },
      "42 input, 39 output tokens, 5% of the input cached",
    ],
    [{ input: 10, output: 5, web_search: 2, request: 1 }, "10 input, 5 output tokens"],
    [{ image: 2 }, "2 images"],
    [{ image: 1 }, "1 image"],
    [{ character: 4_096 }, "4,096 characters"],
    [{ second: 5 }, "5 seconds"],
    [{ second: 13.24 }, "13.24 seconds"],
    [{ image: 3, input: 12 }, "3 images, 12 input, 0 output tokens"],
    [{}, ""],
  ])("%j is %s", (quantities, words) => {
    expect(usageInWords(used(quantities), en, formatCount)).toBe(words);
  });

  it("has no token figure where no token was counted", () => {
    expect(getUsage(used({ character: 5 })).tokens).toBeNull();
    expect(getUsage(used({})).tokens).toBeNull();
  });
});
