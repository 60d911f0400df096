import { beforeEach, expect, it, vi } from "vitest";
import { claimLinks, collectLinks } from "../../../main/shell/links.ts";
import * as electron from "../fakes/electron.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

const followed: string[] = [];
beforeEach(() => {
  electron.resetElectron();
  followed.length = 0;
});
const follow = (link: string): void => void followed.push(link);

it("keeps what comes before anybody can follow it, and then hands on what comes", () => {
  const links = collectLinks(["postern", "--", "postern://key"]);
  electron.app.emit("open-url", new electron.FakeEvent(), "postern://open?page=keys");
  links.setFollower(follow);
  expect(followed).toStrictEqual(["postern://open?page=keys"]);
  links.take("postern://key");
  expect(followed).toStrictEqual(["postern://open?page=keys", "postern://key"]);
});

it("follows the link of a cold start", () => {
  collectLinks(["postern", "--", "postern://key"]).setFollower(follow);
  collectLinks(["postern"]).setFollower(follow);
  expect(followed).toStrictEqual(["postern://key"]);
});

it("claims the scheme for an installed app only, with the options ended before the link", () => {
  claimLinks();
  expect(electron.app.protocols).toStrictEqual([]);
  electron.app.isPackaged = true;
  claimLinks();
  expect(electron.app.protocols).toStrictEqual([["postern", process.execPath, ["--"]]]);
});
