import { expect, it } from "vitest";
import { createFailureBox, createFailureResponse, type StartFailure } from "../../../main/policy/start-failure.ts";
import { chooseWords } from "../../../main/policy/words-zh.ts";
import { english } from "../../../main/policy/words.ts";

const terminal = { isPackaged: false, json: false, isShown: false };
const message = "It is so. Do this.";
const url = "http://127.0.0.1:6174";
const failure = (kind: StartFailure["kind"], more: Partial<StartFailure> = {}): StartFailure => ({
  kind,
  message,
  url: kind === "running" ? url : null,
  portConflict: null,
  ...more,
});

it("tells where it runs already, and that is no failure", () => {
  const response = { stdout: `${message}\n`, stderr: "", isBoxed: false, exitCode: 0 };
  expect(createFailureResponse(failure("running"), { ...terminal, isShown: true })).toStrictEqual(response);
});

it("tells it as JSON when that was asked for", () => {
  const { stdout } = createFailureResponse(failure("running"), { ...terminal, json: true });
  expect(JSON.parse(stdout)).toStrictEqual({ event: "already-running", url, message });
});

it.each([
  ["usage", 2],
  ["port", 1],
  ["store", 1],
] as const)("%s is reported on standard error and ends with %i", (kind, exitCode) => {
  const response = createFailureResponse(failure(kind), { ...terminal, json: true });
  expect(response).toStrictEqual({ stdout: "", stderr: `${message}\n`, isBoxed: false, exitCode });
});

it("follows with a box, packaged or not, unless a terminal or a script has read it or a window is shown", () => {
  const kinds = ["running", "usage", "port", "store"] as const;
  const boxed = (context: Partial<typeof terminal>) =>
    kinds.filter((kind) => createFailureResponse(failure(kind), { ...terminal, ...context }).isBoxed);
  expect(boxed({})).toEqual(["running", "port", "store"]);
  expect(boxed({ json: true })).toEqual([]);
  expect(boxed({ isPackaged: true })).toEqual(kinds);
  expect(boxed({ isPackaged: true, isShown: true })).toEqual([]);
});

it("offers what can be done, and quitting last", () => {
  const received = { by: "python3 (pid 7)", port: 6174, freePort: 6176 };
  const box = createFailureBox(failure("port", { portConflict: received }), english);
  expect(box.content).toContain("Port 6174 is taken by python3 (pid 7)");
  expect(box.buttons).toEqual([
    { label: "Use port 6176", action: { act: "start", port: 6176 } },
    { label: "Try again", action: { act: "start", port: null } },
    { label: "Quit Postern", action: { act: "quit" } },
  ]);
  expect(createFailureBox(failure("store"), english)).toEqual({
    title: "Postern cannot use its data folder",
    content: message,
    buttons: box.buttons.slice(1),
  });
  expect(createFailureBox(failure("running"), chooseWords("zh-CN")).buttons.map(({ action }) => action)).toEqual([
    { act: "quit" },
  ]);
});
