import { expect, it } from "vitest";
import { formatDownloadName } from "../../../main/policy/download-name.ts";

const among =
  (...names: string[]) =>
  (name: string): boolean =>
    names.includes(name);

it.each([
  ["postern-usage-7d-by-model.csv", "postern-usage-7d-by-model.csv"],
  ["用量 7 天.csv", "用量 7 天.csv"],
  ["../../.bashrc", "bashrc"],
  ["a/b\\c:d.csv", "a-b-c-d.csv"],
  [".hidden", "hidden"],
  ["trailing. . ", "trailing"],
  ["", "download"],
  ["...", "download"],
  ["CON", "CON-"],
  ["nul.txt", "nul-.txt"],
  ["two\nlines\0.png", "two-lines-.png"],
  // Shown as "gpj.exe" by what honours the mark.
  ["a\u202Eexe.jpg", "a-exe.jpg"],
  [`${"界".repeat(300)}.webm`, `${"界".repeat(70)}.webm`],
  [`${"💡".repeat(80)}.png`, `${"💡".repeat(70)}.png`],
  [`x.${"y".repeat(300)}`, `x.${"y".repeat(68)}`],
])("%j is saved as %j", (suggested, name) => {
  expect(formatDownloadName(suggested, among())).toBe(name);
});

it("writes over nothing", () => {
  expect(formatDownloadName("a.csv", among("a.csv"))).toBe("a (1).csv");
  expect(formatDownloadName("a.csv", among("a.csv", "a (1).csv"))).toBe("a (2).csv");
  expect(formatDownloadName("plain", among("plain"))).toBe("plain (1)");
});
