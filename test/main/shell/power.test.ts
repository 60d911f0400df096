import { beforeEach, expect, it, vi } from "vitest";
import { passOnResume } from "../../../main/shell/power.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

beforeEach(() => electron.resetElectron());

it("passes on each time that the machine wakes up, and nothing else", () => {
  const resumed = vi.fn<() => void>();
  passOnResume(resumed);
  for (const event of ["suspend", "resume", "lock-screen", "unlock-screen", "on-battery", "resume"])
    electron.powerMonitor.emit(event);
  expect(resumed).toHaveBeenCalledTimes(2);
});
