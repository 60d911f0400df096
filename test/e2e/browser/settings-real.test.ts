import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { chooseModel, modelField } from "./model-picking.ts";
import { useGatewayPages } from "./page-suite.ts";

/** The Settings page over a real Postern: pausing it, and a backup that is restored over a restart and undone again. */
const pages = useGatewayPages();

const models = (): Promise<Response> =>
  fetch(`${pages.gateway.url}/v1/models`, { headers: { authorization: `Bearer ${pages.gateway.apiKey}` } });

async function show(page: Page, section: string): Promise<void> {
  await pages.go(page, `settings?section=${section}`);
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
}

it("sends clients away while it is paused, and takes that back", async () => {
  const page = await pages.open();
  await show(page, "network");
  await page.getByRole("switch", { name: "Paused" }).click();
  await page.getByText("Postern is paused").waitFor();
  expect((await models()).status).toBe(503);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(async () => (await models()).status).toBe(200);
});

it("switches the sandbox off, which takes its models out of every page, and on again", async () => {
  const page = await pages.open("playground");
  const model = page.getByLabel("Model", { exact: true });
  await model.waitFor();
  const served = async (): Promise<number> => ((await (await models()).json()) as { data: unknown[] }).data.length;
  await show(page, "general");
  const sandbox = page.getByLabel("When it responds", { exact: true });
  expect(await sandbox.inputValue()).toBe("auto");
  await sandbox.selectOption({ label: "Never" });
  await expect.poll(served).toBe(0);
  await pages.go(page, "playground");
  await page.getByText("No model can do this").waitFor();
  await show(page, "general");
  await sandbox.selectOption({ label: "While no provider is connected" });
  await expect.poll(served).toBeGreaterThan(0);
  await pages.go(page, "playground");
  await model.waitFor();
});

it("keeps a changed figure, and shows the gateway's sentence about another one at its field", async () => {
  const page = await pages.open();
  await show(page, "budget");
  const budget = page.getByRole("textbox", { name: "Budget, USD" });
  await budget.fill("12.5");
  await budget.press("Enter");
  await page.getByText("Changed: Budget, USD").waitFor();
  await page.getByText("of $12.50").waitFor();
  await show(page, "network");
  const port = page.getByRole("textbox", { name: "Port" });
  await port.fill("80");
  await port.blur();
  await expect.poll(() => port.getAttribute("aria-invalid")).toBe("true");
  expect(await page.getByText(/1024/).count()).toBeGreaterThan(0);
});

it("has pictures described by a model that is chosen, and no more once it is taken away", async () => {
  const page = await pages.open();
  await show(page, "general");
  await chooseModel(page, "Described by", "gpt-4.1-mini");
  await page.getByText("Changed: Described by").waitFor();
  const words = page.getByRole("switch", { name: "Replace pictures by a note" });
  await words.click();
  await page.getByText("Changed: Replace pictures by a note").waitFor();
  await page.reload();
  await expect.poll(() => modelField(page, "Described by").textContent()).toContain("gpt-4.1-mini");
  await expect.poll(() => words.getAttribute("aria-checked")).toBe("true");
  await page.getByRole("button", { name: "No model" }).click();
  await expect.poll(() => modelField(page, "Described by").textContent()).toContain("No model");
  expect(await page.getByRole("button", { name: "No model" }).count()).toBe(0);
  await words.click();
  await expect.poll(() => words.getAttribute("aria-checked")).toBe("false");
});

it("restores a backup over a restart, opens itself again, and undoes that", async () => {
  const page = await pages.open();
  const names = page.getByRole("row");
  const rename = async (name: string): Promise<void> => {
    await pages.go(page, "keys");
    await page.getByRole("button", { name: "Create key" }).first().click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await names.filter({ hasText: name }).waitFor();
  };
  await rename("Kept");
  await show(page, "data");
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText(/^Backed up:/).waitFor();
  await rename("Made since");

  await restoreNewest(page);
  await pages.go(page, "keys");
  await names.filter({ hasText: "Kept" }).waitFor();
  expect(await names.filter({ hasText: "Made since" }).count()).toBe(0);

  await show(page, "data");
  await page.getByText("before a restore").waitFor();
  await restoreNewest(page);
  await pages.go(page, "keys");
  await names.filter({ hasText: "Made since" }).waitFor();
});

/** Restores the backup on top of the list, and waits until the pages are there again after the restart. */
async function restoreNewest(page: Page): Promise<void> {
  await show(page, "data");
  await page
    .getByRole("button", { name: /^Restore the backup/ })
    .first()
    .click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
  await page.getByRole("button", { name: "Restart now" }).click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
}

it("saves diagnostics", async () => {
  const page = await pages.open();
  await show(page, "about");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save diagnostics" }).click();
  expect((await saving).suggestedFilename()).toMatch(/^postern-diagnostics-.*\.zip$/);
  await page.getByRole("button", { name: "Licences" }).click();
  await page.getByRole("dialog").getByText("MIT").first().waitFor();
});
