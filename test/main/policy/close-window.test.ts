import { expect, it } from "vitest";
import { closeDecision, createTrayNotice } from "../../../main/policy/close-window.ts";
import { english } from "../../../main/policy/words.ts";
import { chooseWords } from "../../../main/policy/words-zh.ts";

it.each([
  ["linux", true, false, false, { act: "hide", tell: true }],
  ["win32", true, false, false, { act: "hide", tell: true }],
  ["linux", true, false, true, { act: "hide", tell: false }],
  ["darwin", true, false, false, { act: "hide", tell: false }],
  ["linux", true, true, false, { act: "close", tell: false }],
  ["darwin", true, true, true, { act: "close", tell: false }],
  ["linux", false, false, false, { act: "quit", tell: false }],
  ["darwin", false, false, true, { act: "quit", tell: false }],
  ["win32", false, true, false, { act: "close", tell: false }],
] as const)(
  "on %s, to the tray %s, quitting %s, reported %s: %j",
  (platform, closeToTray, isQuitting, wasTold, expected) => {
    expect(closeDecision({ platform, closeToTray, isQuitting, isNoticeShown: wasTold })).toStrictEqual(expected);
  },
);

it.each([
  [true, english, "from the tray"],
  [false, english, "start Postern again"],
  [true, chooseWords("zh-CN"), "托盘"],
  [false, chooseWords("zh-CN"), "再次启动 Postern"],
] as const)("tells where clients still find it and how to come back, with a tray %s", (hasTray, words, back) => {
  const { body } = createTrayNotice("http://127.0.0.1:6174", hasTray, words);
  expect(body).toContain("http://127.0.0.1:6174");
  expect(body).toContain(back);
});
