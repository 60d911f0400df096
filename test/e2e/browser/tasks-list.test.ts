import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { copied, focused, type WatchOptions } from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { taskRowOf } from "./task-fixtures.ts";
import { paramsOf, rows, rowWith, useTasksBench } from "./tasks-bench.ts";
import { scrollCounting } from "./scrolling.ts";

/** The list of tasks, up to a hundred thousand of them. */
const MANY = 100_000;
const bench = useTasksBench(30);

async function table(count: number, query = "", options?: WatchOptions): Promise<Page> {
  bench.fill(count);
  return bench.openTable(query, options);
}

/** Steps of a scroll through the whole list. */
const STEPS = 120;

const grid = (page: Page) => page.getByRole("grid", { name: "Tasks" });
const scrollTo = (page: Page, top: number): Promise<void> =>
  page.locator("main").evaluate((main, to) => main.scrollTo({ top: to, behavior: "instant" }), top);

describe("a hundred thousand tasks", () => {
  it("are scrolled from end to end with few rows in the page, few rows drawn in each frame, and few pages asked for", async () => {
    const page = await table(MANY);
    expect(await grid(page).getAttribute("aria-rowcount")).toBe(String(MANY + 1));
    await page.getByText("100,000 tasks").waitFor();
    const requestCount = bench.tasks.requests.length;
    // The first half like a wheel, the second like a dragged scroll bar.
    const byWheel = await scrollCounting(page, "[data-row], [aria-busy]", STEPS / 2, 240);
    const byBar = await scrollCounting(page, "[data-row], [aria-busy]", STEPS / 2, 60_000);
    expect(Math.max(byWheel.present, byBar.present)).toBeLessThan(120);
    // A window of rows, in the worst case as placeholders and as rows.
    expect(Math.max(byWheel.drawn, byBar.drawn)).toBeLessThan(130);
    await rowWith(page, "take 99999").waitFor();
    // Not one for each of the thousand pages that were passed.
    expect(bench.tasks.requests.length - requestCount).toBeLessThan(60);
  });

  it("are reached at both ends by the keyboard", async () => {
    const page = await table(MANY);
    await rows(page).first().focus();
    await page.keyboard.press("End");
    await focused(rowWith(page, "take 99999"));
    await page.keyboard.press("k");
    await focused(rowWith(page, "take 99998"));
    await page.keyboard.press("Home");
    await focused(rowWith(page, "take 0"));
    await scrollTo(page, 64_000);
    await rowWith(page, "take 2010").waitFor();
    await page.locator("body").click({ position: { x: 5, y: 5 } });
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate(() => document.activeElement?.matches("[data-row]"))).toBe(true);
  });

  it("are asked for once where one has been, and the first page never again", async () => {
    const page = await table(MANY);
    const visit = async (row: number): Promise<void> => {
      await scrollTo(page, row * 32);
      await rowWith(page, `take ${row}`).waitFor();
    };
    await visit(2_050);
    await visit(90_050);
    const requestCount = bench.tasks.requests.length;
    await visit(2_050);
    await visit(0);
    expect(bench.tasks.requests.length).toBe(requestCount);
  });

  it("change one row at a live tick, and no other", async () => {
    const page = await table(MANY, "", { still: true });
    await page.getByRole("grid").evaluate((table) => {
      const touched = new Set<string>();
      window.touched = touched;
      new MutationObserver((records) => {
        for (const { target } of records) {
          const row = (target instanceof Element ? target : target.parentElement)?.closest("[data-row]");
          touched.add(row?.getAttribute("aria-rowindex") ?? "the table");
        }
      }).observe(table, { subtree: true, childList: true, attributes: true, characterData: true });
    });
    bench.tasks.change(bench.idOf(1), { progress: 77 });
    await rowWith(page, "take 1").getByText("77%").first().waitFor();
    expect(await page.evaluate(() => [...window.touched])).toEqual(["3"]);
  });

  it("take a new task on top without moving what one reads", async () => {
    const page = await table(MANY);
    await scrollTo(page, 16_000);
    const read = rowWith(page, "take 505,").or(rowWith(page, "take 505")).first();
    await read.waitFor();
    const before = await read.boundingBox();
    bench.tasks.submit(taskRowOf(0, { id: "vt_new_1", created_at: Date.now(), prompt: "Fresh from the client" }));
    await page.getByText("100,001 tasks").waitFor();
    expect(await read.boundingBox()).toEqual(before);
    await scrollTo(page, 0);
    await rows(page).first().getByText("Fresh from the client").waitFor();
    bench.tasks.submit(taskRowOf(0, { id: "vt_new_2", created_at: Date.now() + 1, prompt: "Seen to arrive" }));
    await rows(page).first().getByText("Seen to arrive").waitFor();
    expect(await grid(page).getAttribute("aria-rowcount")).toBe(String(MANY + 3));
  });
});

describe("filters", () => {
  it("live in the address, are asked of the gateway, and go away one by one or all at once", async () => {
    const page = await table(2_000);
    await page.getByRole("button", { name: "Status" }).click();
    await page.getByRole("menuitemradio", { name: "Failed" }).click();
    await expect.poll(() => paramsOf(page)).toBe("?status=failed");
    await expect.poll(() => rows(page).filter({ hasNotText: "Failed" }).count()).toBe(0);
    await page.getByRole("menu").waitFor({ state: "detached" });

    const requestCount = bench.tasks.requests.length;
    await page.keyboard.press("/");
    await focused(page.getByRole("searchbox"));
    await page.keyboard.type("harbour 11");
    await expect.poll(() => paramsOf(page)).toBe("?status=failed&q=harbour+11");
    // A letter more is no search more.
    expect(bench.tasks.requests.length - requestCount).toBeLessThan(6);

    await page.getByRole("button", { name: "Remove filter Status: Failed" }).click();
    await expect.poll(() => paramsOf(page)).toBe("?q=harbour+11");
    await focused(page.getByRole("button", { name: "Status", exact: true }));
    await page.getByRole("searchbox").fill("nothing like this");
    await page.getByText("Nothing matches this filter").waitFor();
    await page.getByRole("button", { name: "Clear filter" }).click();
    await page.getByText("2,000 tasks").waitFor();
    expect(paramsOf(page)).toBe("");
    expect(await page.getByRole("searchbox").inputValue()).toBe("");
  });

  it("are taken from an address, days and amounts too", async () => {
    const page = await table(2_000, "?model=alpha2.6-t2v&key=key_2&range=24h");
    await page.getByRole("button", { name: "Created: Last 24 hours", exact: true }).waitFor();
    await page.getByRole("button", { name: "Key: Claude Code", exact: true }).waitFor();
    const query = new URLSearchParams(bench.tasks.requests.at(-1));
    expect([query.get("model"), query.get("key")]).toEqual(["alpha2.6-t2v", "key_2"]);
    expect(Math.abs(Number(query.get("since")) - (Date.now() - 86_400_000))).toBeLessThan(120_000);

    await page.getByRole("button", { name: "Created: Last 24 hours", exact: true }).click();
    await page.getByRole("menuitem", { name: "Choose days" }).click();
    const days = page.getByRole("dialog", { name: "Show tasks of these days" });
    await days.getByRole("button", { name: "Show" }).click();
    await days.getByText("Choose at least one day").waitFor();
    await days.getByLabel("From").fill("2026-01-02");
    await days.getByRole("button", { name: "Show" }).click();
    await days.waitFor({ state: "detached" });
    expect(paramsOf(page)).toContain("from=2026-01-02");
    expect(paramsOf(page)).not.toContain("range");

    await page.getByRole("button", { name: "Cost", exact: true }).first().click();
    await page.getByRole("menuitem", { name: "Another amount" }).click();
    await page.getByRole("dialog").getByLabel("Amount, USD").fill("0.25");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Cost: At least $0.25", exact: true }).waitFor();
    await expect.poll(() => new URLSearchParams(bench.tasks.requests.at(-1)).get("min_nano")).toBe("250000000");
  });

  it("sort by the headings", async () => {
    const page = await table(2_000);
    const heading = page.getByRole("columnheader", { name: "Cost" });
    await heading.getByRole("button").click();
    await expect.poll(() => heading.getAttribute("aria-sort")).toBe("descending");
    await heading.getByRole("button").click();
    await expect.poll(() => paramsOf(page)).toBe("?sort=cost&order=asc");
    await expect.poll(() => bench.tasks.requests.at(-1)).toContain("sort=nano&order=asc");
    expect(await page.getByRole("button", { name: "Sort: Cheapest first" }).count()).toBe(1);
  });
});

describe("states", () => {
  it("say what to do when there is no task", async () => {
    bench.fill(0);
    const page = await bench.open();
    await page.getByText("No video task yet").waitFor();
    bench.tasks.submit(taskRowOf(0, { prompt: "The very first" }));
    await rows(page).first().getByText("The very first").waitFor();
    expect(await page.getByText("No video task yet").count()).toBe(0);
  });

  it("show that rows are coming, and what the gateway said when they do not", async () => {
    let release = (): void => undefined;
    bench.tasks.ready = new Promise<void>((resolve) => (release = resolve));
    const page = await bench.open();
    await page.locator("main [aria-busy]").waitFor();
    release();
    await rows(page).first().waitFor();
    bench.pages.fake.responses.set(
      "GET /control/tasks",
      refusal(503, "The archive cannot be read.", "storage_unavailable"),
    );
    await bench.pages.go(page, "tasks?status=unknown");
    await page.getByText("The archive cannot be read.").waitFor();
    bench.pages.fake.responses.clear();
    await page.getByRole("button", { name: "Try again" }).click();
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBe(1);
  });

  it("name the reason of a failure in its row", async () => {
    const page = await table(30);
    const failed = rows(page).filter({ hasText: "Failed" }).first();
    const reason = failed.getByRole("gridcell").getByText("The prompt was refused by the provider.").last();
    await reason.waitFor();
    expect(await reason.getAttribute("class")).toContain("text-danger-text");
  });

  it("never write an unknown cost as a number, nor sandbox money plain", async () => {
    const page = await table(30);
    await rowWith(page, "take 13").getByText("unpriced").waitFor();
    await rowWith(page, "take 7").first().getByText("sandbox").waitFor({ state: "attached" });
    expect(await rows(page).getByText("$0.00", { exact: true }).count()).toBe(0);
  });
});

it("shows progress in forced colours", async () => {
  const page = await table(30);
  await page.emulateMedia({ forcedColors: "active" });
  const bar = page.locator("[data-row] [aria-hidden].origin-left").first();
  const ground = await bar.evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(ground).not.toMatch(/rgba?\(0, 0, 0(, 0)?\)/);
});

it("copies the rows of the whole list, not only those in sight", async () => {
  const page = await table(3_000);
  const text = await copied(page, async () => {
    await page.getByRole("button", { name: "Columns of Tasks" }).click();
    await page.getByRole("menuitem", { name: "Copy as TSV" }).click();
    await page.getByText("Copied the first 2,000 of 3,000 rows").waitFor();
  });
  const lines = text.split("\n");
  expect([lines.length, lines[0]?.split("\t")[1]]).toEqual([2_001, "Prompt"]);
});

it("copies one task as curl, as JSON and as a row, from its menu and by its key", async () => {
  const page = await table(3);
  const row = rows(page).nth(1);
  const chosen = bench.tasks.rows[1]!;
  const menu = async (item: string): Promise<void> => {
    await row.getByRole("button", { name: `Actions for ${chosen.model}`, exact: true }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const curl = await copied(page, () => menu("Copy as curl"));
  expect(curl).toContain("/v1/videos/generations");
  expect(curl).toContain(chosen.model);
  expect(JSON.parse(await copied(page, () => menu("Copy as JSON")))).toMatchObject({
    id: chosen.id,
    full_prompt: expect.any(String),
  });
  const [names, cells, ...more] = (await copied(page, () => menu("Copy as TSV"))).trimEnd().split("\n");
  expect([names?.split("\t")[0], cells, more.length]).toEqual(["Status", expect.stringContaining(chosen.model), 0]);
  await row.focus();
  expect(await copied(page, () => page.keyboard.press("c"))).toBe(curl);
});
