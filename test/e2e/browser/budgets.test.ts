import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { getSpan } from "../../../gateway/contract/pace.ts";
import { axeInBothThemes } from "./browser.ts";
import { budgetOf, budgets } from "./fake-budgets.ts";
import { refusal, type FakeControl } from "./fake-control.ts";
import { serveSettings } from "./fake-settings.ts";
import { useFakePages } from "./page-suite.ts";

/** Budgets of apps and projects, in the settings, and where money ends at this pace. */
const pages = useFakePages((fake: FakeControl) => serveSettings(fake));

const panelOf = (page: Page) => page.getByRole("region", { name: "Budgets of apps and projects" });
/** The one dialog; messages that come are dialogs too, and bar nothing. */
const dialogOf = (page: Page) => page.locator("[role=dialog]:not([aria-modal=false])");
const stored = () =>
  pages.fake.budgets.map(({ scope, reset, limit_usd }) => [scope.kind, scope.name, reset, limit_usd].join(" "));

async function open(): Promise<Page> {
  const page = await pages.open("settings?section=budget");
  await panelOf(page).getByRole("listitem").first().waitFor();
  return page;
}

it("shows what is spent, held and left of each, and when it ends", async () => {
  const page = await open();
  const rows = panelOf(page).getByRole("listitem");
  const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
  expect(texts[0]).toBe("Claude Code App $1.20 of $5 a day $3.49 left");
  expect(texts[1]).toBe("site Project $33.12 of $40 a month ends on the 24th $6.88 left");
  expect(texts[2]).toMatch(/^nightly-evaluation-\* App \$2\.50 of \$2\.50 a month spent, resets \w+ \d+, \d\d:\d\d$/);
  const meter = rows.nth(0).getByRole("meter", { name: "App Claude Code" });
  expect(await meter.getAttribute("aria-valuetext")).toBe("$1.20 of $5 a day · $0.31 held by running requests");
  expect(await rows.nth(1).getByText("ends on the 24th").getAttribute("title")).toBe(
    "At this pace it ends on the 24th",
  );
  expect(await axeInBothThemes(page)).toEqual([]);
});

it("makes a budget for an app or a project, by names that are known", async () => {
  pages.fake.budgets = [];
  const page = await pages.open("settings?section=budget");
  await panelOf(page).getByText("No app and no project has a budget of its own.").waitFor();
  await panelOf(page).getByRole("button", { name: "Add budget" }).click();
  const dialog = dialogOf(page);
  await expect.poll(() => dialog.locator("datalist option").count()).toBeGreaterThan(0);
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
  await dialog.getByRole("button", { name: "Set budget" }).click();
  await dialog.getByText("Type a name of at most 100 characters, or a pattern with *.").waitFor();
  await dialog.getByLabel("Name").fill("claude-*");
  await dialog.getByLabel("Budget, USD").fill("a lot");
  await page.keyboard.press("Enter");
  await dialog.getByText("Type an amount in USD up to 9,000,000, such as 5 or 0.50.").waitFor();
  await dialog.getByLabel("Budget, USD").fill("$0.50");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await panelOf(page).getByText("claude-*").waitFor();
  await panelOf(page).getByRole("button", { name: "Add budget" }).click();
  await dialog.getByLabel("For", { exact: true }).selectOption("project");
  await dialog.getByLabel("Name").fill("site");
  await dialog.getByLabel("Budget, USD").fill("40");
  await dialog.getByLabel("Resets").selectOption("monthly");
  await dialog.getByRole("button", { name: "Set budget" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(stored()).toEqual(["client claude-* daily 0.5", "project site monthly 40"]);
});

it("changes the amount of one, and says why when that is refused", async () => {
  const page = await open();
  await page.getByRole("button", { name: "Actions for site, monthly (UTC)" }).click();
  await page.getByRole("menuitem", { name: "Change…" }).click();
  const dialog = dialogOf(page);
  await dialog.getByText("Project site, monthly (UTC)").waitFor();
  expect(await dialog.getByRole("combobox").count()).toBe(0);
  expect(await dialog.getByLabel("Budget, USD").inputValue()).toBe("40");
  pages.fake.responses.set("POST /control/budgets", refusal(503, "The disk refuses it.", "storage_unavailable"));
  await dialog.getByLabel("Budget, USD").fill("60");
  await page.keyboard.press("Enter");
  await page.getByText("The disk refuses it.").first().waitFor();
  pages.fake.responses.delete("POST /control/budgets");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(stored()).toContain("project site monthly 60");
  await panelOf(page).getByText("$33.12 of $60 a month").waitFor();
});

it("removes one, and takes that back", async () => {
  const page = await open();
  await page.getByRole("button", { name: "Actions for Claude Code, daily (UTC)" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await expect.poll(stored).toHaveLength(2);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(stored).toContain("client Claude Code daily 5");
});

it("leads to the requests of an app or project, where a name says which", async () => {
  const page = await open();
  await page.getByRole("button", { name: "Actions for nightly-evaluation-*, monthly (UTC)" }).click();
  await page.getByRole("menuitem", { name: "Change…" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Show requests" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Actions for site, monthly (UTC)" }).click();
  await page.getByRole("menuitem", { name: "Show requests" }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe("#/requests?project=site");
});

it("is brought up to date when budgets change elsewhere", async () => {
  const page = await open();
  await pages.fake.followed();
  pages.fake.budgets = [...budgets, budgetOf({ scope: { kind: "client", name: "zed" } })];
  pages.fake.emit({ type: "budgets.changed" });
  await expect.poll(() => panelOf(page).getByText("zed").count()).toBe(1);
});

it("says on the overview, in the settings and of keys when money ends at this pace, in both languages", async () => {
  const endsAt = getSpan("monthly", Date.now()).from + 23.5 * 86_400_000;
  pages.fake.state = { ...pages.fake.state, monthly_budget_ends_at: endsAt };
  pages.fake.keys = pages.fake.keys.map((key) => (key.id === "key_3" ? { ...key, ends_at: endsAt } : key));
  const page = await pages.open("settings?section=budget");
  await page.getByText("At this pace the month’s budget ends on the 24th.").waitFor();
  await pages.go(page, "keys");
  const row = page.getByRole("row", { name: /Nightly evaluation/ });
  expect(await row.getByText("ends 24th").getAttribute("title")).toBe("At this pace it ends on the 24th");
  await pages.go(page, "overview");
  const note = page.getByText("ends on the 24th");
  await note.waitFor();
  expect(await note.getAttribute("title")).toBe("At this pace the month’s budget ends on the 24th.");
  await page.evaluate(() => localStorage.setItem("postern.language", "zh"));
  const chinese = await pages.open("settings?section=budget");
  await chinese.getByText("按此速度，本月预算将于 24 日用完。").waitFor();
  await chinese.getByText("24 日用完", { exact: true }).waitFor();
});
