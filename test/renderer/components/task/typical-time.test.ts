import { expect, it } from "vitest";
import { typicalMs } from "../../../../renderer/components/task/typical-time.ts";

const job = { model: "alpha-t2v", seconds: 5, resolution: "720p" };
const done = (ms: number, change: Partial<typeof job> & { status?: "succeeded" | "failed" } = {}) => ({
  ...job,
  status: "succeeded" as const,
  created_at: 1_000,
  finished_at: 1_000 + ms,
  ...change,
});

it("is the median of earlier tasks of the same model", () => {
  expect(typicalMs([done(90), done(30), done(60)], job)).toBe(60);
});

it("is taken from tasks of the same length and resolution where there are enough of them", () => {
  const longer = [done(500, { seconds: 10 }), done(600, { seconds: 10 }), done(700, { seconds: 10 })];
  expect(typicalMs([...longer, done(50), done(60)], job)).toBe(60);
  expect(typicalMs([...longer, done(50)], job)).toBe(600);
});

it("is not known from one task, from failed ones, or from those of others", () => {
  expect(typicalMs([done(50)], job)).toBe(null);
  expect(typicalMs([done(50, { status: "failed" }), done(60, { status: "failed" })], job)).toBe(null);
  expect(typicalMs([done(50, { model: "other" }), done(60, { model: "other" })], job)).toBe(null);
  expect(typicalMs([], job)).toBe(null);
});
