import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { closeByEscape, findFaults, openPalette, type WatchOptions } from "./browser.ts";
import { furnishRoutes, someRoutes } from "./fake-routes.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** What other pages say of routes: a request and its list, a key's models, the palette, the models. */
const pages = useFakePages((fake) => {
  furnishRoutes(fake);
  fake.routes = [...someRoutes];
  fake.receipts[0] = receiptOf(0, {
    model: "gpt-5.4",
    kinds: ["background", "web_search"],
    route: {
      name: "keep-working",
      rule: 2,
      passed: [
        {
          model: "claude-opus-5-5",
          reason: "failed",
          provider: "anthropic",
          status: 529,
          code: "upstream_overloaded",
          nano: 1_200_000,
        },
        { model: "gone-away", reason: "not_served" },
        { model: "qwen3:8b", reason: "context" },
        { model: "other", reason: "failed", provider: "xai", status: 502, code: "odd_code" },
      ],
    },
  });
  fake.receipts[1] = receiptOf(1, { route: { name: "straight", passed: [] } });
});

const rows = (page: Page) => page.getByRole("grid", { name: "Requests" }).locator("[data-row]");
const panel = (page: Page) => page.getByRole("dialog", { name: "Request" });
const openFirst = (options?: WatchOptions) => pages.open(`requests?id=${receiptOf(0).id}`, options);

it("tells the route, its rule, the kinds, and each model that was passed over with reason and cost", async () => {
  const page = await openFirst();
  const facts = panel(page).getByRole("region", { name: "Facts" });
  await facts.getByRole("button", { name: "keep-working, rule 2" }).waitFor();
  for (const kind of ["Background", "Web search"]) await facts.getByText(kind, { exact: true }).waitFor();
  expect(await facts.getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringMatching(/^claude-opus-5-5\s+failed at anthropic: 529\s+\$0\.0012\s+The provider is overloaded\.$/),
    expect.stringMatching(/^gone-away\s+not served$/),
    expect.stringMatching(/^qwen3:8b\s+context too small$/),
    expect.stringMatching(/^other\s+failed at xai: 502 odd_code$/),
  ]);
});

it("marks calls in the list that passed someone over, and no others", async () => {
  const page = await pages.open("requests");
  const mark = page.getByText(/models? (was|were) passed over/);
  await rows(page).first().getByText("keep-working: 4 models were passed over").waitFor({ state: "attached" });
  expect(await mark.count()).toBe(1);
});

it("finds requests by their route, from the panel and from the route", async () => {
  const page = await openFirst();
  await panel(page).getByRole("button", { name: "keep-working, rule 2" }).click();
  await expect.poll(() => rows(page).count()).toBe(1);
  expect(new URL(page.url()).hash).toContain("q=keep-working");
  await pages.go(page, "routes");
  await page.getByRole("button", { name: "Actions for keep-working" }).click();
  await page.getByRole("menuitem", { name: "Show requests" }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe("#/requests?q=keep-working");
});

it("speaks Chinese", async () => {
  const page = await openFirst();
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByRole("menuitemradio", { name: "中文" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "keep-working，规则 2" }).waitFor();
  const facts = page.getByRole("dialog", { name: "请求" }).getByRole("region").first();
  expect(await facts.getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringContaining("在 anthropic 失败：529"),
    expect.stringContaining("不可用"),
    expect.stringContaining("上下文太小"),
    expect.stringContaining("在 xai 失败：502 odd_code"),
  ]);
});

it.each([1280, 360])("axe finds nothing at %i px, in both themes", async (width) => {
  const page = await openFirst({ width, height: 740 });
  await panel(page).getByText("context too small").waitFor();
  expect(await findFaults(page, "[role=dialog]")).toEqual([]);
});

it("offers the names of routes to keys, and finds them in the palette", async () => {
  const page = await pages.open("keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const field = page.getByRole("dialog").getByLabel("Models", { exact: true });
  const offered = page.getByRole("dialog").getByRole("group", { name: "Routes" });
  await offered.getByRole("button", { name: "keep-working" }).click();
  await offered.getByRole("button", { name: "gpt-5.4-mini" }).click();
  expect(await field.inputValue()).toBe("keep-working, gpt-5.4-mini");
  // What is written by hand counts too, and a press takes it away again.
  await field.fill("claude-*, keep-working");
  expect(await offered.getByRole("button", { pressed: true }).allTextContents()).toEqual(["keep-working"]);
  await offered.getByRole("button", { name: "keep-working" }).click();
  expect(await field.inputValue()).toBe("claude-*");
  await closeByEscape(page.getByRole("dialog"));
  await openPalette(page);
  await page.keyboard.type("keep-work");
  await page.getByRole("option", { name: "keep-working" }).first().click();
  await page.getByRole("dialog", { name: "Route keep-working" }).waitFor();
});

it("is a page of its own letter, with a command that begins a route", async () => {
  const page = await pages.open("overview");
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.getByRole("region", { name: "keep-working" }).waitFor();
  expect(new URL(page.url()).hash).toBe("#/routes");
  await openPalette(page);
  await page.keyboard.type("New route");
  await page.getByRole("option", { name: "New route" }).first().click();
  await page.getByRole("dialog", { name: "New route" }).waitFor();
});
