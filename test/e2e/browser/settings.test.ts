import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { refusal } from "./fake-control.ts";
import { backups, serveSettings, settings } from "./fake-settings.ts";
import { useFakePages } from "./page-suite.ts";

/** The Settings page, and what it does when the gateway refuses. */
const pages = useFakePages(serveSettings);

async function openAt(section: string): Promise<Page> {
  const page = await pages.open(`settings?section=${section}`);
  await page.getByRole("tabpanel").locator(".panel").first().waitFor();
  await expect.poll(() => page.locator("main [aria-busy=true]").count()).toBe(0);
  return page;
}

it("shows a refused value's sentence at its field, and keeps what was typed", async () => {
  const page = await openAt("network");
  pages.fake.answers.set("PATCH /control/settings", refusal(400, "The port is too small.", "invalid_value", "port"));
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
  pages.fake.answers.set("PATCH /control/settings", { status: 200, body: { ...settings, lan: true } });
  await lan.click();
  await page.getByRole("button", { name: "Let them in" }).click();
  await expect.poll(() => lan.getAttribute("aria-checked")).toBe("true");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => pages.fake.seen.filter((line) => line.startsWith("PATCH")).length).toBe(2);
});

it("tells in a browser what only the desktop app can do", async () => {
  const page = await openAt("general");
  const autostart = page.getByRole("switch", { name: "Start with the session" });
  expect(await autostart.getAttribute("aria-disabled")).toBe("true");
  await page.getByText("Only the desktop app can do this.").waitFor();
  await page.getByRole("tab", { name: "Updates" }).click();
  expect(await page.getByRole("button", { name: "Look for updates" }).isDisabled()).toBe(true);
});

it("shows the sentence of a backup that is not whole, and what waits for the next start", async () => {
  const page = await openAt("data");
  pages.fake.answers.set(
    "POST /control/backups/restore",
    refusal(409, "This backup is not whole: a line is torn.", "conflict"),
  );
  await page
    .getByRole("button", { name: /^Restore the backup/ })
    .first()
    .click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
  await page.getByRole("alert").getByText("This backup is not whole: a line is torn.").waitFor();
  pages.fake.answers.set("POST /control/backups/restore", {
    status: 200,
    body: { ...backups, pending: backups.data[0]?.name },
  });
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
  await page.getByText("The next start restores the backup 2026-11-22T090000-000Z.").waitFor();
  expect(await page.getByRole("button", { name: "Keep the data of now" }).count()).toBe(1);
});

it("says why when the settings cannot be had, and tries again", async () => {
  pages.fake.answers.set("GET /control/settings", refusal(503, "The disk does not answer.", "storage_unavailable"));
  const page = await pages.open("settings");
  await page.getByText("The disk does not answer.").waitFor();
  serveSettings(pages.fake);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 2, name: "Appearance" }).waitFor();
  expect(pages.fake.seen.filter((line) => line === "GET /control/settings").length).toBeGreaterThan(1);
});
