import { Activity } from "lucide-react";
import { expect, it } from "vitest";
import {
  createGroupsAtFirst,
  createGroupsFound,
  type Command,
} from "../../../../renderer/components/frame/palette-groups.ts";
import { matchScore } from "../../../../renderer/components/frame/palette-match.ts";
import { getCommand, storedRecents, withUsed } from "../../../../renderer/components/frame/recent-places.ts";
import { parseRoute } from "../../../../renderer/lib/router.ts";

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
  const groups = createGroupsFound(
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
    createGroupsFound([{ value: "Connections", items: [command("Home", "http://127.0.0.1:11434/v1")] }], "11434"),
  ).toHaveLength(1);
});

it("shows what was used last first, each command once, and forgets what is no more", () => {
  const groups = [
    { value: "Pages", upFront: true as const, items: [command("Keys"), command("Usage")] },
    { value: "Models", items: [command("gpt")] },
  ];
  const shown = createGroupsAtFirst(groups, ["gone", "gpt", "Usage"], "Recent");
  expect(shown.map(({ value, items }) => [value, items.map(({ label }) => label)])).toEqual([
    ["Recent", ["gpt", "Usage"]],
    ["Pages", ["Keys"]],
  ]);
  expect(withUsed(["a", "b"], "b")).toEqual(["b", "a"]);
  expect(storedRecents('["a",1]')).toEqual(["a"]);
  expect(storedRecents("{broken")).toEqual([]);
});

it("puts a name that is what was typed before all that begin with it, and what was used lately before what was not", () => {
  const items = ["key", "keys of mine", "keys"].map((label) => command(label));
  const found = (query: string, recent: readonly string[] = []): string[] =>
    createGroupsFound([{ value: "All", items }], query, recent).flatMap((group) =>
      group.items.map(({ label }) => label),
    );
  expect(found("keys")[0]).toBe("keys");
  expect(found("keys of mine")[0]).toBe("keys of mine");
  expect(found("ke")).toEqual(["key", "keys", "keys of mine"]);
  expect(found("ke", ["keys of mine"])[0]).toBe("keys of mine");
});

it("keeps the order of groups that match equally well: actions and things before pages", () => {
  const groups = [
    { value: "Actions", items: [command("Test all providers")] },
    { value: "Pages", items: [command("Try providers")] },
  ];
  expect(createGroupsFound(groups, "providers").map(({ value }) => value)).toEqual(["Actions", "Pages"]);
});

it.each([
  ["#/models?model=gpt", "model-gpt"],
  ["#/tasks?task=vt_1", "task-vt_1"],
  ["#/requests?id=req_1&q=a", "request-req_1"],
  ["#/requests?q=a", null],
  ["#/keys?model=gpt", null],
])("remembers that %s was visited as %s", (hash, value) => {
  expect(getCommand(parseRoute(hash))).toBe(value);
});
