import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { ModelView } from "../../../gateway/contract/model-view.ts";
import {
  axeFindings,
  axeInBothThemes,
  closeByEscape,
  copied,
  focused,
  shownTab,
  type WatchOptions,
} from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { fakeModel, manyModels, serveModels, someModels } from "./fake-models.ts";
import { useFakePages } from "./page-suite.ts";

/** The Models page on a fake control server: many models, each dress, refusals. */
const pages = useFakePages((fake) => {
  serveModels(fake, someModels);
});

const show = (models: readonly ModelView[]): void => serveModels(pages.fake, models);

async function open(query = "", options: WatchOptions = {}): Promise<Page> {
  const page = await pages.open(`models${query}`, options);
  await shownTab(page, "Models").waitFor();
  await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
  return page;
}

const rows = (page: Page) => page.getByRole("grid", { name: "Models" }).locator("[data-row]");
const rowOf = (page: Page, id: string) => rows(page).filter({ has: page.getByText(id, { exact: true }) });

it.each([1280, 360])("axe finds nothing in the dialogs at %i px, in both themes", async (width) => {
  const page = await open("?model=sora-2-pro", { width, height: 740 });
  const dialog = page.getByRole("dialog", { name: "Sora 2 Pro" });
  await dialog.getByText("$0.30 per second").waitFor();
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
  await dialog.getByRole("button", { name: "Set price…" }).click();
  await page.getByLabel("Each second of video").waitFor();
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByLabel("Each second of video").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Alias…" }).click();
  await page.getByLabel("New alias").waitFor();
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
});

it("draws a few of six hundred models, scrolls to the last, and finds one among them", async () => {
  show(manyModels);
  const page = await open();
  await page.getByText("606 models · 1 not served").waitFor();
  expect(await rows(page).count()).toBeLessThan(100);
  await rows(page).first().focus();
  await page.keyboard.press("End");
  await focused(rowOf(page, "model-of-tomorrow"));
  expect(await rows(page).count()).toBeLessThan(100);
  await page.keyboard.press("/");
  await focused(page.getByRole("searchbox"));
  await page.keyboard.type("openrouter 599");
  await page.locator("output").getByText("1 model", { exact: true }).waitFor();
  await rowOf(page, "maker-19/model-599").waitFor();
  expect(new URL(page.url()).hash).toContain("q=openrouter");
});

it("closes a group, remembers it, and opens all for a filter", async () => {
  const page = await open();
  await page.getByRole("button", { name: "OpenAI 5 models", expanded: true }).click();
  await rowOf(page, "gpt-5.4").waitFor({ state: "detached" });
  const later = await open();
  await later.getByRole("button", { name: "OpenAI 5 models", expanded: false }).waitFor();
  await later.getByRole("button", { name: "Videos" }).click();
  await rowOf(later, "sora-2-pro").waitFor();
  await expect.poll(() => rows(later).count()).toBe(2);
  await later.getByRole("button", { name: "Videos" }).click();
  await rowOf(later, "sora-2-pro").waitFor({ state: "detached" });
  await rows(later).first().focus();
  await later.keyboard.press("Enter");
  await rowOf(later, "gpt-5.4").waitFor();
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
  const copy = rowOf(page, "gpt-image-1").getByRole("button", { name: "Copy gpt-image-1" });
  expect(await copied(page, () => copy.click())).toBe("gpt-image-1");
  for (const [item, hash] of [
    ["Try it", "#/playground?model=gpt-image-1&kind=image"],
    ["Show requests", "#/requests?model=gpt-image-1"],
    ["Show usage", "#/usage?model=gpt-image-1"],
  ] as const) {
    await choose(item);
    await expect.poll(() => new URL(page.url()).hash).toBe(hash);
    await pages.go(page, "models");
    await rowOf(page, "gpt-image-1").waitFor();
  }
});

it("marks what the sandbox answers, what is not served, a name that is taken, one of a route, and a model that has ended", async () => {
  show([
    fakeModel({ id: "claude-x", group: "Anthropic", provider: "sandbox", connections: ["Sandbox"], sandbox: true }),
    fakeModel({ id: "house", hidden_by: "gpt-5.4" }),
    fakeModel({ id: "insisted", hidden_by: "insisted" }),
    fakeModel({ id: "outlived", ends: { on: "2020-01-01", successor: "gpt-5.4", apps: 2 } }),
    ...someModels,
  ]);
  const page = await open();
  await rows(page).filter({ hasText: "Anthropic" }).getByText("sandbox").waitFor();
  await rowOf(page, "house").getByText("name taken").waitFor();
  await rowOf(page, "insisted").getByText("route", { exact: true }).waitFor();
  await rowOf(page, "outlived")
    .getByTitle("has ended; 2 apps use it. From 2020-01-01 on, use gpt-5.4")
    .getByText("ended")
    .waitFor();
  await rows(page).filter({ hasText: "Not served now" }).waitFor();
  await rowOf(page, "model-of-tomorrow").click();
  await page.getByRole("dialog").getByText("No enabled provider serves this model now.").waitFor();
  expect(await page.getByRole("dialog").getByRole("button", { name: "Try it" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await rowOf(page, "insisted").click();
  await page.getByRole("dialog").getByText("go along the route of the same name").waitFor();
});

it("opens the price of a model by its address, and leaves no trace of it", async () => {
  const page = await open("?model=deepseek/deepseek-r2&price");
  const dialog = page.getByRole("dialog", { name: "Price of deepseek/deepseek-r2" });
  await dialog.getByLabel("Output, per 1M tokens").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(1);
  await closeByEscape(dialog);
  expect(new URL(page.url()).hash).toBe("#/models");
  await rowOf(page, "gpt-5.4").waitFor();
});

it.each([
  ["beside others", someModels],
  ["where there is none", []],
])("sets the price of a model in no list, %s", async (_, models) => {
  serveModels(pages.fake, models);
  const page = await pages.open("models?model=private/llama-9&price=set");
  const sent: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/control/models/price")) sent.push(request.postDataJSON());
  });
  pages.fake.responses.set("POST /control/models/price", { status: 200, body: someModels[0] });
  const dialog = page.getByRole("dialog", { name: "Price of private/llama-9" });
  await dialog.getByLabel("Input, per 1M tokens", { exact: true }).fill("0.5");
  await dialog.getByLabel("Output, per 1M tokens", { exact: true }).fill("2");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(sent).toEqual([{ model: "private/llama-9", rates: { input: 500_000_000, output: 2_000_000_000 } }]);
  expect(new URL(page.url()).hash).toBe("#/models");
});

it("sets the prices of all models that have none in one dialog, and takes them back", async () => {
  show([...someModels, fakeModel({ id: "other/film", capabilities: ["video"], group: "OpenRouter" })]);
  const sent: unknown[] = [];
  const page = await open();
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/control/models/price")) sent.push([pathname.split("/").at(-1), request.postDataJSON()]);
  });
  pages.fake.responses.set("POST /control/models/price", { status: 200, body: someModels[0] });
  pages.fake.responses.set("POST /control/models/price/remove", { status: 200, body: { ok: true } });
  await page.getByRole("button", { name: "Set 2 prices" }).click();
  const dialog = page.getByRole("dialog", { name: "Prices of unpriced models" });
  await dialog.getByLabel("Paste a list").fill("deepseek/deepseek-r2\t0.55\t2.19\nnobody 1 2");
  await dialog.getByText("1 filled in. Not known here: nobody").waitFor();
  await dialog.getByLabel("other/film: Each second of video").fill("0.3");
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
  await dialog.getByRole("button", { name: "Save 2 prices" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(sent).toEqual([
    ["price", { model: "deepseek/deepseek-r2", rates: { input: 550_000_000, output: 2_190_000_000 } }],
    ["price", { model: "other/film", rates: { second: 300_000_000_000_000 } }],
  ]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => sent.length).toBe(4);
  expect(sent.at(-1)).toEqual(["remove", { model: "other/film" }]);
  expect(new URL(page.url()).hash).toBe("#/models");
});

it("sorts by price without headings, and goes back to them", async () => {
  const page = await open();
  const heading = page.getByRole("columnheader", { name: "Price, tokens per 1M" });
  const ids = async (): Promise<string[]> => rows(page).locator("code").allTextContents();
  await heading.getByRole("button").click();
  await expect.poll(() => heading.getAttribute("aria-sort")).toBe("ascending");
  await expect.poll(async () => (await ids())[0]).toBe("text-embedding-3-small");
  expect(await rows(page).getByRole("button", { expanded: true }).count()).toBe(0);
  await heading.getByRole("button").click();
  await expect.poll(async () => (await ids())[0]).toBe("gpt-image-1");
  await heading.getByRole("button").click();
  await rows(page)
    .getByRole("button", { name: /^OpenAI/, expanded: true })
    .waitFor();
});

it("says at its field what a price or a name is refused for", async () => {
  const sentence = "The model converses, which is billed by input tokens and output tokens: give those a price.";
  pages.fake.responses.set("POST /control/models/price", refusal(400, sentence, "invalid_value", "rates"));
  pages.fake.responses.set(
    "POST /control/models/alias",
    refusal(400, "“gpt-5.4” is the id of a model already.", "invalid_value", "name"),
  );
  const page = await open();
  await page.getByRole("button", { name: "unpriced. Set a price for deepseek/deepseek-r2" }).click();
  await page.getByLabel("Input, per 1M tokens", { exact: true }).fill("a lot");
  await page.keyboard.press("Enter");
  await page.getByText("An amount in USD up to 9,000, such as 2.50, with at most nine decimals").waitFor();
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

it("says what to do without models, and what went wrong without a response", async () => {
  show([]);
  const page = await open();
  await page.getByText("No model is served").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Connect a provider" }).click();
  await page.getByRole("heading", { level: 1, name: "Providers" }).waitFor();
  pages.fake.responses.set("GET /control/models", refusal(500, "The disk is full."));
  const other = await open();
  await other.getByText("The disk is full.").waitFor();
  show(someModels);
  await other.getByRole("button", { name: "Try again" }).click();
  await rowOf(other, "gpt-5.4").waitFor();
});

it("takes what the user says of a provider's models, in its form", async () => {
  const page = await pages.open("connections");
  await page.getByRole("button", { name: "Actions for OpenAI" }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  const dialog = page.getByRole("dialog", { name: "Change provider" });
  await dialog.getByLabel("Models").fill("my-vectors = vectors");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Write an id, or an id and what it is for").waitFor();
  await dialog.getByLabel("Models").fill("my-vectors = embedding\n\n by/hand ");
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await dialog.getByRole("button", { name: "Save" }).click();
  const models = [{ id: "my-vectors", kind: "embedding" }, { id: "by/hand" }];
  expect((await sent).postDataJSON()).toMatchObject({ models });
});
