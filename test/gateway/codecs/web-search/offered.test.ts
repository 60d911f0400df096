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
])("is told nowhere where a client says %s", (_what, location) => {
  expect(placeIn("messages", location)).toBeNull();
});
