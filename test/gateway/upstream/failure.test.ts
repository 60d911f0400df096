import { expect, it } from "vitest";
import { UpstreamFailure, toFailure } from "../../../gateway/upstream/failure.ts";

const coded = (message: string): Error => Object.assign(new Error(message), { code: "ECONNREFUSED" });

it.each([
  ["connect ECONNREFUSED 127.0.0.1:1", "connect ECONNREFUSED 127.0.0.1:1"],
  ["no connection", "ECONNREFUSED: no connection"],
])("names the code once: %s", (message, text) => {
  expect(toFailure(coded(message), false).message).toBe(text);
});

it("says a failure without a code as it is", () => {
  const error = new Error("it broke");
  expect(toFailure(error, true)).toMatchObject({ message: "it broke", cause: error });
  expect(Object.hasOwn(new UpstreamFailure("broken", true, "it broke"), "cause")).toBe(false);
});
