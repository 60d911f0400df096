import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { holdFrames } from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { backups, keyProtection, serveSettings, settings } from "./fake-settings.ts";
import { useFakePages } from "./page-suite.ts";

/** The Settings page, and what it does when the gateway refuses. */
const pages = useFakePages(serveSettings);

/** The desktop app's side, whose switch remembers; `written` has what was written. */
function bridge(): void {
  let tray = true;
  const written: boolean[] = [];
  window.desktop = {
    platform: "linux",
    onDownload: () => () => undefined,
    written,
    openPages: () => Promise.reject(new Error("The address has a token.")),
    setAppearance: () => Promise.resolve(),
    autostart: () => Promise.resolve(null),
    closeToTray: () => Promise.resolve(tray),
    setCloseToTray: (on: boolean) => {
      written.push(on);
      tray = on;
      return Promise.resolve();
    },
  };
}

async function openAt(section: string): Promise<Page> {
  const page = await pages.open(`settings?section=${section}`);
  await page.getByRole("tabpanel").locator(".panel").first().waitFor();
  await expect.poll(() => page.locator("main [aria-busy=true]").count()).toBe(0);
  return page;
}

it("shows one section at a time, also before the next frame is drawn", async () => {
  const page = await openAt("general");
  const draw = await holdFrames(page);
  await page.getByRole("tab", { name: "Network" }).evaluate((tab: HTMLElement) => tab.click());
  await page.getByRole("textbox", { name: "Port" }).waitFor();
  expect(await page.getByRole("tabpanel").count()).toBe(1);
  await draw();
});

it("shows a refused value's sentence at its field, and keeps what was typed", async () => {
  const page = await openAt("network");
  pages.fake.responses.set("PATCH /control/settings", refusal(400, "The port is too small.", "invalid_value", "port"));
  const port = page.getByRole("textbox", { name: "Port" });
  await port.fill("80");
  await port.press("Enter");
  await page.getByText("The port is too small.").waitFor();
  expect(await port.inputValue()).toBe("80");
  expect(await port.getAttribute("aria-invalid")).toBe("true");
  await port.press("Escape");
  expect(await port.inputValue()).toBe("");
  expect(await page.getByText("The port is too small.").count()).toBe(0);
});

it("opens the network only after the warning, and the way back is one press", async () => {
  const page = await openAt("network");
  const lan = page.getByRole("switch", { name: "Other machines of the network" });
  await lan.click();
  await page.getByRole("alertdialog").getByText("The connection is not encrypted").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(pages.fake.seen.filter((line) => line.startsWith("PATCH"))).toEqual([]);
  pages.fake.responses.set("PATCH /control/settings", { status: 200, body: { ...settings, lan: true } });
  await lan.click();
  await page.getByRole("button", { name: "Let them in" }).click();
  await expect.poll(() => lan.getAttribute("aria-checked")).toBe("true");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => pages.fake.seen.filter((line) => line.startsWith("PATCH")).length).toBe(2);
});

it.each(["settings", "playground"])("has no scrollbar below the tabs of %s in a narrow window", async (place) => {
  const page = await pages.open(place, { width: 390, height: 800 });
  const tabs = page.locator("main").getByRole("tablist");
  await tabs.waitFor();
  const [beyond, bar] = await tabs.evaluate((list) => [
    list.scrollWidth - list.clientWidth,
    getComputedStyle(list).scrollbarWidth,
  ]);
  expect(beyond).toBeGreaterThan(0);
  expect(bar).toBe("none");
});

it("tells in a browser what only the desktop app can do", async () => {
  const page = await openAt("general");
  const autostart = page.getByRole("switch", { name: "Start at login" });
  await expect.poll(() => autostart.getAttribute("aria-disabled")).toBe("true");
  const tray = page.getByRole("switch", { name: "Keep running in the tray" });
  expect(await tray.getAttribute("aria-disabled")).toBe("true");
  expect(await page.getByText("Only the desktop app can do this.").count()).toBe(2);
  await page.getByRole("tab", { name: "Updates" }).click();
  expect(await page.getByRole("button", { name: "Check for updates" }).isDisabled()).toBe(true);
});

it("switches in the desktop app whether Postern goes on in the tray, and takes that back", async () => {
  const page = await pages.blank();
  await page.addInitScript(bridge);
  await page.goto(`${pages.url}/#token=fake-token`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await pages.go(page, "settings");
  // This one cannot start with the session.
  const autostart = page.getByRole("switch", { name: "Start at login" });
  await page.getByText("Only an installed Postern can start at login").waitFor();
  expect(await autostart.getAttribute("aria-disabled")).toBe("true");
  const tray = page.getByRole("switch", { name: "Keep running in the tray" });
  await expect.poll(() => tray.getAttribute("aria-checked")).toBe("true");
  await tray.click();
  await expect.poll(() => tray.getAttribute("aria-checked")).toBe("false");
  await page.getByText("Changed: Keep running in the tray").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => tray.getAttribute("aria-checked")).toBe("true");
  expect(await page.evaluate(() => window.desktop?.["written"])).toEqual([false, true]);
});

it("deletes a backup after it was said what is lost, and says what a backup has not", async () => {
  const page = await openAt("data");
  await page.getByText("Not in a backup: the images, sounds and videos of the library").waitFor();
  const undo = page.getByRole("listitem").filter({ hasText: "before a restore" });
  await undo.getByRole("button", { name: /^Delete the backup/ }).click();
  await page.getByRole("alertdialog").getByText("that restore cannot be undone").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(pages.fake.seen).not.toContain("POST /control/backups/remove");
  const left = backups.data.filter(({ kind }) => kind !== "manual");
  pages.fake.responses.set("POST /control/backups/remove", { status: 200, body: { ...backups, data: left } });
  await page
    .getByRole("button", { name: /^Delete the backup/ })
    .first()
    .click();
  await page.getByRole("alertdialog").getByText("is deleted for good").waitFor();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText(/^Deleted: the backup of/).waitFor();
  await expect.poll(() => page.getByRole("button", { name: /^Restore the backup/ }).count()).toBe(2);
});

it("says which provider keys are locked and that they stay, with the way to replace them", async () => {
  const connection = {
    id: "conn_1",
    provider: "openai",
    name: "Work",
    base_url: "https://api.openai.com/v1",
    priority: 100,
    enabled: true,
    origin: "created",
    present: true,
    stands_in: true,
    prompt_caching: null,
    proxy: "default",
    own_models: [],
    headers: "",
    body: {},
    rpm: null,
    concurrency: null,
    credit_notice: null,
    allow_http: false,
    created_at: 1,
    last_success_at: null,
    learned: [],
    credentials: [
      {
        hint: "sk-ab…wxyz",
        state: "locked",
        until: null,
        since: null,
        reason: null,
        unreachable: false,
        credit: null,
        models: [],
      },
    ],
    models: { count: 0, checked_at: null, error: null },
  };
  pages.fake.responses.set("GET /control/connections", { status: 200, body: { data: [connection] } });
  const page = await openAt("data");
  await page.getByText(/cannot be opened: Work \(sk-ab…wxyz\)\. .* they stay encrypted/).waitFor();
  await page.getByRole("tabpanel").getByRole("link", { name: "Providers" }).click();
  await page.getByRole("heading", { level: 1, name: "Providers" }).waitFor();
  await expect.poll(() => page.getByText(/cannot be opened: Work \(sk-ab…wxyz\)/).count()).toBe(1);
});

it("moves the provider keys to the keychain after it was said what that means", async () => {
  const page = await openAt("data");
  const panel = page.getByRole("region", { name: "Provider keys" });
  await panel.getByText("A key file in the data folder").waitFor();
  const moved = { ...keyProtection, encrypted_by: ["gnome_libsecret"], can_move: false };
  pages.fake.responses.set("POST /control/key-protection/move", { status: 200, body: moved });
  await panel.getByRole("button", { name: "Move to the keychain" }).click();
  await page.getByRole("alertdialog").getByText("asks for the provider keys again").waitFor();
  expect(pages.fake.seen).not.toContain("POST /control/key-protection/move");
  await page.getByRole("alertdialog").getByRole("button", { name: "Move to the keychain" }).click();
  await panel.getByText("The keychain (gnome_libsecret).").waitFor();
  expect(await panel.getByRole("button").count()).toBe(0);
});

it("shows the sentence of a backup that is not whole, and what waits for the next start", async () => {
  const page = await openAt("data");
  pages.fake.responses.set(
    "POST /control/backups/restore",
    refusal(409, "This backup is not whole: a line is torn.", "conflict"),
  );
  await page
    .getByRole("button", { name: /^Restore the backup/ })
    .first()
    .click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
  await page.getByRole("alert").getByText("This backup is not whole: a line is torn.").waitFor();
  pages.fake.responses.set("POST /control/backups/restore", {
    status: 200,
    body: { ...backups, pending: backups.data[0]?.name },
  });
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
  await page.getByText("The next start restores the backup 2026-11-22T090000-000Z.").waitFor();
  expect(await page.getByRole("button", { name: "Keep the data of now" }).count()).toBe(1);
});

it("says why when the settings cannot be had, and tries again", async () => {
  pages.fake.responses.set("GET /control/settings", refusal(503, "The disk does not answer.", "storage_unavailable"));
  const page = await pages.open("settings");
  await page.getByText("The disk does not answer.").waitFor();
  serveSettings(pages.fake);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 2, name: "Appearance" }).waitFor();
  expect(pages.fake.seen.filter((line) => line === "GET /control/settings").length).toBeGreaterThan(1);
});

it("finds a setting in every section, and shows all sections again without a search", async () => {
  const page = await pages.open("settings");
  const box = page.getByRole("searchbox", { name: "Find a setting" });
  await box.fill("backup");
  await page.getByRole("heading", { level: 2, name: /Backups/ }).waitFor();
  expect(await page.getByRole("heading", { level: 2, name: "Appearance" }).isVisible()).toBe(false);
  await box.fill("no such setting");
  await page.getByText("Nothing matches this filter").waitFor();
  await page.getByRole("button", { name: "Clear filter" }).click();
  await page.getByRole("tab", { name: "General" }).waitFor();
  expect(await box.inputValue()).toBe("");
});
