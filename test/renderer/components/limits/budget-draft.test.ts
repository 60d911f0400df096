import { expect, it } from "vitest";
import { draftOfBudget, emptyBudget, readBudget } from "../../../../renderer/components/limits/budget-draft.ts";
import { sampleBudget } from "../../../main/launch/samples.ts";

it("reads what was typed as a budget", () => {
  expect(readBudget({ kind: "project", name: " site ", amount: " $0.50 ", reset: "monthly" })).toEqual({
    scope: { kind: "project", name: "site" },
    limit_usd: 0.5,
    reset: "monthly",
  });
  const { scope, limit_usd, reset } = sampleBudget;
  expect(readBudget(draftOfBudget(sampleBudget))).toEqual({ scope, limit_usd, reset });
});

it.each([
  [{ name: "" }, ["name"]],
  [{ name: "x".repeat(101) }, ["name"]],
  [{ amount: "" }, ["amount"]],
  [{ amount: "a lot" }, ["amount"]],
  [{ amount: "-1" }, ["amount"]],
  [{ amount: "9000001" }, ["amount"]],
  [{ name: " ", amount: "Infinity" }, ["name", "amount"]],
])("says what of %j is wrong", (part, fields) => {
  expect([...(readBudget({ ...emptyBudget, name: "claude-*", ...part }) as ReadonlySet<string>)]).toEqual(fields);
});
