import { expect, it } from "vitest";
import { GatewayError } from "../../../../gateway/core/errors.ts";
import { UploadBudget } from "../../../../gateway/http/middleware/multipart-budget.ts";

it("lets in what fits, and says when to come back with the rest", () => {
  const budget = new UploadBudget(100);
  const first = budget.take(60);
  const second = budget.take(40);
  const refused = (): unknown => {
    try {
      return budget.take(1);
    } catch (error) {
      return error;
    }
  };
  expect(refused()).toBeInstanceOf(GatewayError);
  expect(refused()).toMatchObject({ code: "concurrency_limit_exceeded", status: 429, details: { retryAfter: 5 } });
  first();
  first();
  budget.take(60);
  expect(refused()).toBeInstanceOf(GatewayError);
  second();
  budget.take(40);
});
