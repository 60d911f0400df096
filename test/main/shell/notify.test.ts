import { beforeEach, expect, it, vi } from "vitest";
import type { PageRoute } from "../../../main/policy/page-route.ts";
import { createNotifier } from "../../../main/shell/notify.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const opened: PageRoute[] = [];
beforeEach(() => {
  electron.resetElectron();
  opened.length = 0;
});

const message = { title: "Postern is still running", body: "Clients can go on." };
const notice = { ...message, opens: { page: "overview" } };

it("shows a notice, where the system has such", () => {
  const show = createNotifier((route) => opened.push(route));
  show(notice);
  expect(electron.notifications.map((shown) => shown.options)).toStrictEqual([message]);
  electron.Notification.supported = false;
  show(notice);
  expect(electron.notifications).toHaveLength(1);
});

it("opens what a notice is about when it is clicked on", () => {
  const show = createNotifier((route) => opened.push(route));
  for (const task of ["vt_1", "vt_2"]) show({ ...notice, opens: { page: "tasks", params: { task } } });
  electron.notifications[0]?.emit("click");
  expect(opened).toStrictEqual([{ page: "tasks", params: { task: "vt_1" } }]);
});
