import { beforeEach, expect, it, vi } from "vitest";
import { notify } from "../../../main/shell/notify.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

beforeEach(() => electron.resetElectron());

const notice = { title: "Postern is still running", body: "Clients can go on." };

it("shows a notice, where the system has such", () => {
  notify(notice);
  expect(electron.notifications.map((shown) => shown.options)).toStrictEqual([notice]);
  electron.Notification.supported = false;
  notify(notice);
  expect(electron.notifications).toHaveLength(1);
});
