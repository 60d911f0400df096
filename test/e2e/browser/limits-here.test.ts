import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeInBothThemes } from "./browser.ts";
import { budgetOf } from "./fake-budgets.ts";
import { addSessions, LONG_SESSION } from "./fake-sessions.ts";
import { serveSettings } from "./fake-settings.ts";
import { useFakePages } from "./page-suite.ts";

/** Limits of apps, projects and keys, set where their spend is seen. */
const pages = useFakePages((fake) => {
  addSessions(fake);
  serveSettings(fake);
  fake.responses.set("GET /control/clients", { status: 200, body: { data: [], machine: "/home/me", loops: [] } });
});

const dialogOf = (page: Page) => page.locator("[role=dialog]:not([aria-modal=false])");
const stored = () =>
  pages.fake.budgets.map(({ scope, reset, limit_usd }) => [scope.kind, scope.name, reset, limit_usd].join(" "));

async function choose(page: Page, button: string, item: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).first().click();
  await page.getByRole("menuitem", { name: item }).click();
}

async function setLimit(page: Page, usd: string): Promise<void> {
  const dialog = dialogOf(page);
  await dialog.getByLabel("Budget, USD").fill(usd);
  await dialog.getByRole("button", { name: "Set budget" }).click();
  await dialog.waitFor({ state: "detached" });
}

it.each([
  ["overview", "Actions for Codex", "Limit this app…", "client Codex daily 3"],
  ["usage?by=client", "Actions for Codex", "Limit this app…", "client Codex daily 3"],
  ["clients", "Actions for Codex", "Limit this app…", "client Codex daily 3"],
  [`sessions?id=${LONG_SESSION}`, "Actions for this session", "Limit this app…", "client Claude Code daily 3"],
  [`sessions?id=${LONG_SESSION}`, "Actions for this session", "Limit this project…", "project shop daily 3"],
])("%s: %s, %s", async (place, button, item, budget) => {
  pages.fake.budgets = [];
  const page = await pages.open(place);
  await choose(page, button, item);
  await setLimit(page, "3");
  expect(stored()).toEqual([budget]);
  expect(page.url()).toContain(`#/${place.split("?")[0] ?? ""}`);
});

it("changes the amount of a budget that is there", async () => {
  pages.fake.budgets = [budgetOf({ limit_usd: 7 })];
  const page = await pages.open("overview");
  await choose(page, "Actions for Claude Code", "Limit this app…");
  const dialog = dialogOf(page);
  await dialog.getByText("App Claude Code, daily (UTC)").waitFor();
  expect(await dialog.getByLabel("Budget, USD").inputValue()).toBe("7");
  await setLimit(page, "9");
  expect(stored()).toEqual(["client Claude Code daily 9"]);
});

it("limits the app, the project and the key of a request, from its row and from its panel", async () => {
  pages.fake.budgets = [];
  const page = await pages.open("requests?project=shop");
  const row = page.locator("[data-row]").first();
  await row.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Limit this key…" }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel("Limit, USD").waitFor();
  await page.keyboard.press("Escape");
  await row.click();
  await choose(page, "Limit…", "Limit this project…");
  await dialog.getByLabel("Name").waitFor();
  expect(await dialog.getByLabel("Name").inputValue()).toBe("shop");
  expect(await axeInBothThemes(page, "[role=dialog]:not([aria-modal=false])")).toEqual([]);
});

it("shows the apps that were seen with spend, limit and last request", async () => {
  pages.fake.budgets = [budgetOf({ spent_nano: 1_204_000_000 })];
  const page = await pages.open("clients");
  const seen = page.getByRole("region", { name: "Apps seen this month" });
  const row = seen.getByRole("row").filter({ hasText: "Claude Code" });
  await row.getByText("$1.20 of $5 a day").waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);
  await row.click();
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
  expect(new URL(page.url()).hash).toMatch(/client=Claude(\+|%20)Code/);
});

it("says where a budget's name is one that no request of the month has", async () => {
  pages.fake.budgets = [budgetOf({ scope: { kind: "client", name: "Claud Code" }, seen: false })];
  const page = await pages.open("settings?section=budget");
  const row = page.getByRole("listitem").filter({ hasText: "Claud Code" });
  expect(await row.innerText()).toContain("No request of this month is from an app of this name.");
});
