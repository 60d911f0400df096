import { expect, it } from "vitest";
import { failureResponse } from "../../../main/policy/start-failure.ts";

const terminal = { isPackaged: false, json: false, isShown: false };
const message = "It is so. Do this.";
const url = "http://127.0.0.1:6174";

it("tells where it runs already, and that is no failure", () => {
  const response = { stdout: `${message}\n`, stderr: "", box: null, exitCode: 0 };
  expect(failureResponse({ kind: "running", message, url }, terminal)).toStrictEqual(response);
});

it("tells it as JSON when that was asked for", () => {
  const { stdout } = failureResponse({ kind: "running", message, url }, { ...terminal, json: true });
  expect(JSON.parse(stdout)).toStrictEqual({ event: "already-running", url, message });
});

it.each([
  ["usage", 2],
  ["port", 1],
  ["store", 1],
] as const)("%s is told on standard error and ends with %i", (kind, exitCode) => {
  const response = failureResponse({ kind, message, url: null }, { ...terminal, json: true });
  expect(response).toStrictEqual({ stdout: "", stderr: `${message}\n`, box: null, exitCode });
});

it.each(["running", "usage", "port", "store"] as const)("an installed app shows %s in a box", (kind) => {
  const { box } = failureResponse({ kind, message, url: null }, { ...terminal, isPackaged: true });
  expect(box?.content).toBe(message);
  expect(box?.title).toMatch(/^Postern /);
});

it("shows no box beside the window of the one that is running", () => {
  expect(
    failureResponse({ kind: "running", message, url }, { isPackaged: true, json: false, isShown: true }),
  ).toMatchObject({ stdout: `${message}\n`, box: null, exitCode: 0 });
});
