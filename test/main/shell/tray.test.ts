import { beforeEach, describe, expect, it, vi } from "vitest";
import type { TrayFacts } from "../../../main/policy/tray-model.ts";
import { english } from "../../../main/policy/words.ts";
import { showTray } from "../../../main/shell/tray.ts";
import * as electron from "../fakes/electron.ts";
import { needs } from "../../support/needs.ts";

vi.mock("electron", () => import("../fakes/electron.ts"));

let facts: TrayFacts;
let acted: string[] = [];
const show = () => showTray({ words: english, facts: () => facts, act: (action) => acted.push(action) });
const tray = (): electron.Tray => electron.trays[0]!;
const entry = (label: string) =>
  tray()
    .menus.at(-1)
    ?.template.find((item) => item.label === label);

beforeEach(() => {
  electron.resetElectron();
  acted = [];
  facts = {
    url: "http://127.0.0.1:6174",
    status: "running",
    todayNano: 0,
    budget: null,
    inFlight: 0,
    videos: 0,
    notifications: true,
    autostart: false,
    update: null,
  };
});

describe("the tray", () => {
  it("shows the model as a menu whose entries act", () => {
    show();
    expect(tray().tooltip).toBe("Postern: Running on 6174");
    expect(entry("Running on 6174")?.enabled).toBe(false);
    for (const label of ["Open Postern", "Copy base URL", "Quit Postern"]) entry(label)?.click?.();
    expect(acted).toStrictEqual(["open", "copy-base-url", "quit"]);
  });

  it("replaces the menu when something changed, and only then", () => {
    const view = show();
    view.refresh();
    view.refresh();
    expect(tray().menus).toHaveLength(1);
    facts = { ...facts, inFlight: 1 };
    view.refresh();
    expect(tray().menus).toHaveLength(2);
    expect(entry("1 request in flight")).toBeDefined();
    expect(view.model()?.items).toContainEqual({ kind: "text", label: "1 request in flight" });
  });

  it("puts its icon there again, with the menu of now, and lets the old one go", () => {
    const view = show();
    facts = { ...facts, inFlight: 1 };
    view.renew();
    expect(electron.trays.map(({ isDestroyed }) => isDestroyed)).toStrictEqual([true, false]);
    const renewed = electron.trays[1]!;
    expect(renewed.tooltip).toBe("Postern: Running on 6174");
    expect(renewed.menus.at(-1)?.template.map(({ label }) => label)).toContain("1 request in flight");
    renewed.emit("click");
    expect(acted).toStrictEqual(process.platform === "darwin" ? [] : ["open"]);
    electron.nativeTheme.emit("updated");
    expect(renewed.image).toBeDefined();
  });

  it("puts a tick right that the system set by itself when the action did not succeed", () => {
    const view = show();
    expect(entry("Start at login")).toMatchObject({ type: "checkbox", checked: false });
    entry("Start at login")?.click?.();
    expect(acted).toStrictEqual(["toggle-autostart"]);
    view.refresh();
    expect(tray().menus).toHaveLength(2);
    expect(entry("Start at login")?.checked).toBe(false);
  });

  it.runIf(process.platform !== "darwin")("opens the window by a click", needs("a tray that takes clicks"), () => {
    show();
    tray().emit("click");
    expect(acted).toStrictEqual(["open"]);
  });

  it("has a sharp icon at every common scale, and renews it with the theme", () => {
    show();
    const image = tray().image as electron.FakeImage;
    expect(
      image.representations.map(({ scaleFactor, width, height, buffer }) => [
        scaleFactor,
        width,
        height,
        buffer.length,
      ]),
    ).toStrictEqual([
      [1, 16, 16, 1024],
      [1.25, 20, 20, 1600],
      [1.5, 24, 24, 2304],
      [2, 32, 32, 4096],
      [3, 48, 48, 9216],
    ]);
    expect(image.isTemplate).toBe(process.platform === "darwin");
    electron.nativeTheme.emit("updated");
    expect(tray().image).not.toBe(image);
  });
});
