import { Activity } from "lucide-react";
import { expect, it } from "vitest";
import {
  groupsAtFirst,
  groupsFound,
  storedRecents,
  withUsed,
  type Command,
} from "../../../../renderer/components/frame/palette-groups.ts";
import { matchScore } from "../../../../renderer/components/frame/palette-match.ts";

const command = (label: string, also?: string): Command => ({
  value: label,
  label,
  icon: Activity,
  ...(also !== undefined && { also }),
  run: () => undefined,
});

it("finds names by their beginning, by a word, by a part, by letters in order, and ranks them so", () => {
  const scores = ["keys", "my keys", "turnkeys", "kept every year since", "nothing"].map((name) =>
    matchScore(name, "keys"),
  );
  expect(scores.at(-1)).toBeNull();
  const found = scores.slice(0, -1).map(Number);
  expect(found).toEqual(found.toSorted((a, b) => b - a));
  expect(new Set(found.map(Math.round)).size).toBe(4);
  expect(matchScore("Playground", "plgr")).not.toBeNull();
  expect(matchScore("Create key", "key create")).not.toBeNull();
  expect(matchScore("Overview", "vw")).toBeNull();
});

it("puts the group with the best answer first, and bounds what it shows", () => {
  const many = Array.from({ length: 40 }, (_, index) => command(`my model ${index}`));
  const groups = groupsFound(
    [
      { value: "Models", items: many },
      { value: "Pages", items: [command("Models"), command("Keys")] },
      { value: "Connections", items: [command("Home", "http://127.0.0.1:11434/v1")] },
    ],
    "model",
  );
  expect(groups.map(({ value }) => value)).toEqual(["Pages", "Models"]);
  expect(groups[1]?.items).toHaveLength(8);
  expect(
    groupsFound([{ value: "Connections", items: [command("Home", "http://127.0.0.1:11434/v1")] }], "11434"),
  ).toHaveLength(1);
});

it("shows what was used last first, each command once, and forgets what is no more", () => {
  const groups = [
    { value: "Pages", upFront: true as const, items: [command("Keys"), command("Usage")] },
    { value: "Models", items: [command("gpt")] },
  ];
  const shown = groupsAtFirst(groups, ["gone", "gpt", "Usage"], "Recent");
  expect(shown.map(({ value, items }) => [value, items.map(({ label }) => label)])).toEqual([
    ["Recent", ["gpt", "Usage"]],
    ["Pages", ["Keys"]],
  ]);
  expect(withUsed(["a", "b"], "b")).toEqual(["b", "a"]);
  expect(storedRecents('["a",1]')).toEqual(["a"]);
  expect(storedRecents("{broken")).toEqual([]);
});
