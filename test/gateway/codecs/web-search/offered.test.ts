import { expect, it } from "vitest";
import { hostedTools } from "../../../../gateway/codecs/web-search/offered.ts";

const GRAZ = { country: "at", region: "Styria", city: " Graz ", timezone: "Europe/Vienna" };
const READ = { country: "AT", region: "Styria", city: "Graz", timezone: "Europe/Vienna" };
const placeIn = (dialect: "chat" | "messages" | "responses", location: unknown): unknown => {
  const type = dialect === "messages" ? "web_search_20250305" : "web_search";
  const body =
    dialect === "chat"
      ? { web_search_options: { user_location: { type: "approximate", approximate: location } } }
      : { tools: [{ type, name: "web_search", user_location: location }] };
  return hostedTools(dialect, body).search?.place;
};

it.each(["chat", "messages", "responses"] as const)("a client of %s says where its person is", (dialect) => {
  expect(placeIn(dialect, { type: "approximate", ...GRAZ })).toEqual(READ);
  expect(placeIn(dialect, { type: "approximate", city: "Graz" })).toEqual({
    country: null,
    region: null,
    city: "Graz",
    timezone: null,
  });
});

it.each([
  ["nothing", undefined],
  ["null", null],
  ["a text", "Graz"],
  ["nothing of it", { type: "approximate" }],
  ["a country's name", { country: "Austria" }],
  ["a line too many", { city: "Graz\r\nx-subscription-token: other" }],
  ["letters that no header has", { city: "\u6771\u4eac" }],
  ["a number", { city: 8010 }],
  ["too much", { city: "G".repeat(101) }],
])("is reported nowhere where a client says %s", (_what, location) => {
  expect(placeIn("messages", location)).toBeNull();
});

it.each([
  [0, 0],
  [3, 3],
  [2.7, 2],
  [-1, null],
  ["3", null],
  [undefined, null],
])("a client that asks for %j searches gets %j at most", (uses, most) => {
  const messages = { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: uses }] };
  const responses = { tools: [{ type: "web_search" }], max_tool_calls: uses };
  expect(hostedTools("messages", messages).search?.maxUses).toBe(most);
  expect(hostedTools("responses", responses).search?.maxUses).toBe(most);
});

it("has the name that a client of Anthropic gives it, and its own for others", () => {
  const search = { name: "find", user_location: null };
  expect(hostedTools("messages", { tools: [{ ...search, type: "web_search_20250305" }] }).search?.name).toBe("find");
  expect(hostedTools("responses", { tools: [{ ...search, type: "web_search" }] }).search?.name).toBe("web_search");
});
