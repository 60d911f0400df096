import { expect, it } from "vitest";
import { createWindowOptions } from "../../../main/policy/window-options.ts";

const facts = {
  preload: "/app/preload.cjs",
  icon: "/app/icon.png",
  bounds: { width: 1288, height: 832 },
  packaged: true,
  dark: false,
};

it("has exactly the safest preferences", () => {
  expect(createWindowOptions(facts)).toStrictEqual({
    width: 1288,
    height: 832,
    minWidth: 360,
    minHeight: 420,
    title: "Postern",
    icon: "/app/icon.png",
    show: false,
    autoHideMenuBar: true,
    backgroundColor: "#f5f8f8",
    webPreferences: {
      preload: "/app/preload.cjs",
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      navigateOnDragDrop: false,
      plugins: false,
      disableBlinkFeatures: "Auxclick",
      spellcheck: false,
      devTools: false,
    },
  });
});

it("has developer tools in an unpackaged app only, and nothing else differs", () => {
  const { devTools, ...rest } = createWindowOptions({ ...facts, packaged: false }).webPreferences;
  const { devTools: packagedTools, ...packagedRest } = createWindowOptions(facts).webPreferences;
  expect([devTools, packagedTools]).toStrictEqual([true, false]);
  expect(rest).toStrictEqual(packagedRest);
});

it("opens on a dark ground in a dark theme, at the given place", () => {
  const options = createWindowOptions({ ...facts, dark: true, bounds: { x: 5, y: 6, width: 700, height: 600 } });
  expect(options).toMatchObject({ x: 5, y: 6, width: 700, height: 600, backgroundColor: "#0d1111" });
});
