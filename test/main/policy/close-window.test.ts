import { expect, it } from "vitest";
import { closeDecision, trayNotice } from "../../../main/policy/close-window.ts";
import { english } from "../../../main/policy/words.ts";

it.each([
  ["linux", false, false, { act: "hide", tell: true }],
  ["win32", false, false, { act: "hide", tell: true }],
  ["linux", false, true, { act: "hide", tell: false }],
  ["darwin", false, false, { act: "hide", tell: false }],
  ["linux", true, false, { act: "close", tell: false }],
  ["darwin", true, true, { act: "close", tell: false }],
] as const)("on %s, quitting %s, told %s: %j", (platform, isQuitting, wasTold, expected) => {
  expect(closeDecision({ platform, isQuitting, wasTold })).toStrictEqual(expected);
});

it("tells where clients still find it", () => {
  expect(trayNotice("http://127.0.0.1:6174", english).body).toContain("http://127.0.0.1:6174");
});
