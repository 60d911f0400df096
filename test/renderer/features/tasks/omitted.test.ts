import { expect, it } from "vitest";
import { hasOmitted } from "../../../../renderer/features/tasks/task-dialog.tsx";

it("knows that media were left out", () => {
  expect(hasOmitted({ input: { image: "data:image/png;base64;omitted,1204" } })).toBe(true);
  expect(hasOmitted({ input: { prompt: "omitted, data: nothing" }, image: "https://a.example/i.png" })).toBe(false);
});
