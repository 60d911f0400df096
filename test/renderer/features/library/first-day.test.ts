import { expect, it } from "vitest";
import { getFirstDay } from "../../../../renderer/features/library/media-grid.tsx";

const at = (day: number, hour: number) => ({ at: new Date(2026, 10, day, hour).getTime() });
const NOW = at(28, 12).at;

it("names the day of the first result of each day, and of no other", () => {
  expect(getFirstDay(at(28, 9), null, NOW, "en-GB")).toBe("28 Nov");
  expect(getFirstDay(at(28, 1), at(28, 9), NOW, "en-GB")).toBe(null);
  expect(getFirstDay(at(27, 23), at(28, 1), NOW, "en-GB")).toBe("27 Nov");
  expect([getFirstDay(undefined, null, NOW, "en"), getFirstDay(at(27, 1), undefined, NOW, "en")]).toEqual([null, null]);
});
