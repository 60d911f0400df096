import { describe, expect, it } from "vitest";
import type { RouteEffect } from "../../../../gateway/contract/route-operations.ts";
import type { RouteConditions } from "../../../../gateway/contract/routes.ts";
import { formatEffectInWords } from "../../../../renderer/features/routes/effect-words.ts";
import { formatConditionsInWords } from "../../../../renderer/features/routes/route-words.ts";
import { en } from "../../../../renderer/locales/en.ts";
import { zh } from "../../../../renderer/locales/zh.ts";

const keyName = (id: string): string => (id === "key_1" ? "Laptop" : id);

it.each<[RouteConditions, string, string]>([
  [{ kinds: ["background"] }, "Background", "后台"],
  [{ kinds: ["background", "title", "web_search"] }, "Background, Title or Web search", "后台、标题或网络搜索"],
  [{ input_tokens_above: 60_000 }, "input above 60,000 tokens", "输入超过 60,000 token"],
  [{ keys: ["key_1"], clients: ["codex*"] }, "app codex*, key Laptop", "应用 codex*，密钥 Laptop"],
  [
    { hours: { from: "22:00", until: "06:00" }, budget_used_above: 80 },
    "22:00 to 06:00, budget used above 80%",
    "22:00 至 06:00，预算已用超过 80%",
  ],
])("says %o", (when, english, chinese) => {
  expect(formatConditionsInWords(when, en, keyName)).toBe(english);
  expect(formatConditionsInWords(when, zh, keyName)).toBe(chinese);
});

type Moved = RouteEffect["moved"][number];
const step = (to: string, requests: number, nano: number | null, wouldBe: number | null, from = "opus"): Moved => ({
  from,
  to,
  rule: null,
  requests,
  nano,
  would_be_nano: wouldBe,
});

describe("the effect as a sentence", () => {
  const of = (looked_at: number, ...moved: Moved[]): string | null =>
    formatEffectInWords({ looked_at, since: 1, moved }, en);

  it.each<[string | null, string | null]>([
    [of(0), null],
    [of(1_000), "Of the last 1,000 requests: none would have gone elsewhere"],
    [
      of(1_000, step("haiku", 312, 5_000_000_000, 900_000_000)),
      "Of the last 1,000 requests: 312 would have gone to haiku, $4.10 less",
    ],
    [of(9, step("haiku", 2, 0, 1_500_000_000)), "Of the last 9 requests: 2 would have gone to haiku, $1.50 more"],
    [of(9, step("haiku", 2, 7, 7)), "Of the last 9 requests: 2 would have gone to haiku, for the same"],
    [of(9, step("local", 2, 7, null)), "Of the last 9 requests: 2 would have gone to local, unpriced"],
    [
      of(
        50,
        step("local", 1, 0, 0),
        step("haiku", 3, 2_000_000_000, 1_000_000_000),
        step("haiku", 4, 2_000_000_000, 1_500_000_000, "sonnet"),
      ),
      "Of the last 50 requests: 7 would have gone to haiku, $1.50 less; 1 would have gone to local, for the same",
    ],
    [
      of(50, step("haiku", 3, 2_000_000_000, 1_000_000_000), step("haiku", 4, null, 1_500_000_000, "sonnet")),
      "Of the last 50 requests: 7 would have gone to haiku, unpriced",
    ],
  ])("is %s", (text, expected) => {
    expect(text).toBe(expected);
  });

  it("is Chinese, too", () => {
    const effect = { looked_at: 1_000, since: 1, moved: [step("haiku", 312, 5_000_000_000, 900_000_000)] };
    expect(formatEffectInWords(effect, zh)).toBe("最近 1,000 次请求中：312 次会交给 haiku，少花 $4.10");
  });
});
