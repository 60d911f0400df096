import { expect, it } from "vitest";
import { matchesRequest } from "../../../gateway/contract/matches-request.ts";
import { receipt } from "../store/fixtures.ts";

const direct = receipt("req_1");
const routed = receipt("req_2", { route: { name: "Keep-Working", passed: [] } });

it.each([
  ["keep-work", [false, true]],
  ["KEEP-WORKING", [false, true]],
  ["req_", [true, true]],
  ["keep working", [false, false]],
])("finds %s in the name of a route too", (q, found) => {
  expect([direct, routed].map((each) => matchesRequest(each, { q }))).toEqual(found);
});
