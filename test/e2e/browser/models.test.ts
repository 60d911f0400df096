import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import {
  axeFindings,
  closeAll,
  focused,
  listening,
  sidewaysScroll,
  startBrowser,
  watchedPage,
  type Watched,
  type WatchOptions,
} from "./browser.ts";
import { refusal, startFakeControl, type FakeControl } from "./fake-control.ts";
import { fakeModel, manyModels, someModels } from "./fake-models.ts";

/** The Models page on a fake control server: many models, each dress, refusals. */
let browser: Browser;
let fake: FakeControl;
const opened: Watched[] = [];
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  fake = await startFakeControl();
  show(someModels);
});
afterEach(async () => {
  await closeAll(opened);
  await fake.close();
});

const show = (models: readonly ModelView[]): void => {
  fake.answers.set("GET /control/models", { status: 200, body: { data: models } });
};

async function open(query = "", options: WatchOptions = {}): Promise<Page> {
  const watched = await watchedPage(browser, fake.url, options);
  opened.push(watched);
  const { page } = watched;
  await page.goto(fake.ui);
  await listening(page);
  await page.goto(`${fake.url}/#/models${query}`);
  await page.getByRole("heading", { level: 1, name: "Models" }).waitFor();
  await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
  return page;
}

const rows = (page: Page) => page.getByRole("grid", { name: "Models" }).locator("[data-row]");
const rowOf = (page: Page, id: string) => rows(page).filter({ has: page.getByText(id, { exact: true }) });

describe.each(["light", "dark"] as const)("in %s", (theme) => {
  it.each([1280, 360])("axe finds nothing at %i px, in the list and in each dialog", async (width) => {
    const page = await open("", { theme, width, height: 740 });
    expect(await axeFindings(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await rowOf(page, "sora-2-pro").click();
    const dialog = page.getByRole("dialog", { name: "Sora 2 Pro" });
    await dialog.getByText("$0.30 per second").waitFor();
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
    await dialog.getByRole("button", { name: "Set price…" }).click();
    await page.getByLabel("Each second of video").waitFor();
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByLabel("Each second of video").waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Alias…" }).click();
    await page.getByLabel("New alias").waitFor();
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  });
});

it("draws a few of six hundred models, scrolls to the last, and finds one among them", async () => {
  show(manyModels);
  const page = await open();
  await page.getByText("607 models").waitFor();
  expect(await rows(page).count()).toBeLessThan(100);
  await rows(page).first().focus();
  await page.keyboard.press("End");
  await focused(rowOf(page, "model-of-tomorrow"));
  expect(await rows(page).count()).toBeLessThan(100);
  await page.keyboard.press("/");
  await page.keyboard.type("openrouter 599");
  await page.getByText("1 model", { exact: true }).waitFor();
  await rowOf(page, "maker-19/model-599").waitFor();
  expect(new URL(page.url()).hash).toContain("q=openrouter");
});

it("closes a group, remembers it, and opens all for a filter", async () => {
  const page = await open();
  await page.getByRole("button", { name: "Hide the models of OpenAI (5 models)" }).click();
  await rowOf(page, "gpt-5.4").waitFor({ state: "detached" });
  await page.reload();
  await page.goto(fake.ui);
  await page.goto(`${fake.url}/#/models`);
  await page.getByRole("button", { name: "Show the models of OpenAI (5 models)" }).waitFor();
  await page.getByRole("button", { name: "Videos" }).click();
  await rowOf(page, "sora-2-pro").waitFor();
  expect(await rows(page).count()).toBe(2);
  await page.getByRole("button", { name: "Videos" }).click();
  await rows(page).first().focus();
  await page.keyboard.press("Enter");
  await rowOf(page, "gpt-5.4").waitFor();
});

it("filters by price, and says when nothing fits", async () => {
  const page = await open();
  await page.getByRole("button", { name: "Price", exact: true }).click();
  await page.getByRole("menuitemradio", { name: "Unpriced" }).click();
  await rowOf(page, "deepseek/deepseek-r2").waitFor();
  await expect.poll(() => rows(page).count()).toBe(4);
  await page.getByRole("button", { name: "Images", exact: true }).click();
  await page.getByText("Nothing matches this filter").waitFor();
  await page.getByRole("button", { name: "Clear filter" }).click();
  await rowOf(page, "gpt-5.4").waitFor();
});

it("leads to the playground, the requests and the usage of a model, and copies its id", async () => {
  const page = await open();
  const choose = async (item: string): Promise<void> => {
    await page.getByRole("button", { name: "Actions for gpt-image-1" }).click();
    await page.getByRole("menuitem", { name: item, exact: true }).click();
  };
  await rowOf(page, "gpt-image-1").getByRole("button", { name: "Copy gpt-image-1" }).click();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("gpt-image-1");
  for (const [item, hash] of [
    ["Try it", "#/playground?model=gpt-image-1&kind=image"],
    ["Show requests", "#/requests?model=gpt-image-1"],
    ["Show usage", "#/usage?model=gpt-image-1"],
  ] as const) {
    await choose(item);
    await expect.poll(() => new URL(page.url()).hash).toBe(hash);
    await page.goto(`${fake.url}/#/models`);
    await rowOf(page, "gpt-image-1").waitFor();
  }
});

it("marks what the sandbox answers, what is not served, and a name that is taken", async () => {
  show([
    fakeModel({ id: "claude-x", group: "Anthropic", vendor: "sandbox", connections: ["Sandbox"], sandbox: true }),
    fakeModel({ id: "house", hidden_by: "gpt-5.4" }),
    ...someModels,
  ]);
  const page = await open();
  await rows(page).filter({ hasText: "Anthropic" }).getByText("sandbox").waitFor();
  await rowOf(page, "house").getByText("name taken").waitFor();
  await rows(page).filter({ hasText: "Not served now" }).waitFor();
  await rowOf(page, "model-of-tomorrow").click();
  await page.getByRole("dialog").getByText("No enabled connection serves this model now.").waitFor();
  expect(await page.getByRole("dialog").getByRole("button", { name: "Try it" }).count()).toBe(0);
});

it("says at its field what a price or a name is refused for", async () => {
  const sentence = "The model converses, which is billed by input tokens and output tokens: give those a price.";
  fake.answers.set("POST /control/models/price", refusal(400, sentence, "invalid_value", "rates"));
  fake.answers.set(
    "POST /control/models/alias",
    refusal(400, "“gpt-5.4” is the id of a model already.", "invalid_value", "name"),
  );
  const page = await open();
  await page.getByRole("button", { name: "unpriced. Set a price for deepseek/deepseek-r2" }).click();
  await page.getByLabel("Input, per 1M tokens", { exact: true }).fill("a lot");
  await page.keyboard.press("Enter");
  await page.getByText("An amount in USD, such as 2.50, with at most nine decimals").waitFor();
  await focused(page.getByLabel("Input, per 1M tokens", { exact: true }));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("2.5");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText(sentence).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Actions for gpt-5.4-mini" }).click();
  await page.getByRole("menuitem", { name: "Alias…" }).click();
  await page.getByLabel("New alias").fill("my model");
  await page.keyboard.press("Enter");
  await page.getByText("1 to 100 letters, digits").waitFor();
  await page.getByLabel("New alias").fill("team/fast");
  await page.getByText("team/fast stands for gpt-5.4 now. It will move here.").waitFor();
  await page.getByLabel("New alias").fill("gpt-5.4");
  await page.keyboard.press("Enter");
  await page.getByText("“gpt-5.4” is the id of a model already.").waitFor();
  expect(await page.getByLabel("New alias").getAttribute("aria-invalid")).toBe("true");
});

it("says what to do without models, and what went wrong without an answer", async () => {
  show([]);
  const page = await open();
  await page.getByText("No model is served").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Connect a vendor" }).click();
  await page.getByRole("heading", { level: 1, name: "Connections" }).waitFor();
  fake.answers.set("GET /control/models", refusal(500, "The disk is full."));
  const other = await open();
  await other.getByText("The disk is full.").waitFor();
  show(someModels);
  await other.getByRole("button", { name: "Try again" }).click();
  await rowOf(other, "gpt-5.4").waitFor();
});
