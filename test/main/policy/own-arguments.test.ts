import { expect, it } from "vitest";
import { listOwnArguments, startMode, startsHidden } from "../../../main/policy/own-arguments.ts";

it.each([
  ["an installed app", ["/opt/Postern/postern"], []],
  ["a working copy", ["electron", "out/main/index.mjs", "--port", "0"], ["--port", "0"]],
  [
    "every option",
    [
      "e",
      "--host",
      "::1",
      "--port=7000",
      "--data-dir",
      "/d",
      "--allowed-hosts",
      "nas",
      "--allowed-origins=app://x",
      "--config",
      "/c.yaml",
      "--watch",
      "--json",
    ],
    [
      "--host",
      "::1",
      "--port=7000",
      "--data-dir",
      "/d",
      "--allowed-hosts",
      "nas",
      "--allowed-origins=app://x",
      "--config",
      "/c.yaml",
      "--watch",
      "--json",
    ],
  ],
  [
    "Chromium's switches",
    ["e", "--inspect=0", "--remote-debugging-port=0", "--no-sandbox", "--port", "0"],
    ["--port", "0"],
  ],
  ["a path with an equals sign", ["e", "--data-dir=/a=b"], ["--data-dir=/a=b"]],
  ["a missing value, for the reader to refuse", ["e", "--port"], ["--port"]],
  ["a link's address", ["e", "postern://x?--port=1", "https://evil.example/--headless"], []],
  ["options that a link smuggles in", ["e", "--", "postern://x", "--data-dir", "/evil"], []],
  ["options behind a link", ["e", "--json", "POSTERN://x", "--headless", "--host", "0.0.0.0"], ["--json"]],
  ["the session's start", ["e", "--hidden", "--port", "0"], ["--port", "0"]],
  ["names of every object", ["e", "constructor", "__proto__=1", "--toString"], []],
  ["an executable named like an option", ["--json", "out/main/index.mjs"], []],
])("from %s takes Postern's own", (_name, argv, expected) => {
  expect(listOwnArguments(argv)).toStrictEqual(expected);
});

it.each([
  [[], "desktop"],
  [["--json", "--port", "0"], "desktop"],
  [["--headless"], "headless"],
  [["--help"], "headless"],
  [["-h"], "headless"],
])("with %j starts %s", (own, expected) => {
  expect(startMode(own)).toBe(expected);
});

it.each([
  [["postern", "--hidden"], true],
  [["postern"], false],
  [["postern", "--", "--hidden"], false],
])("%j starts without a window: %s", (argv, expected) => {
  expect(startsHidden(argv)).toBe(expected);
});
