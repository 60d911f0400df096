import type { Page } from "playwright-core";
import { beforeEach, expect, it } from "vitest";
import { findFaults } from "./browser.ts";
import { addLibrary, resultOf, type FakeLibrary } from "./fake-library.ts";
import { addFakeTasks, type FakeTasks } from "./fake-tasks.ts";
import { dialog } from "./library-pages.ts";
import { useFakePages } from "./page-suite.ts";
import { taskRowOf } from "./task-fixtures.ts";

/** Films that are being made, above the wall. */
let library: FakeLibrary;
let tasks: FakeTasks;
const pages = useFakePages((fake) => {
  library = addLibrary(fake, 60);
  tasks = addFakeTasks(fake, 0);
}, "library");

const job = { model: "alpha2.6-t2v", seconds: 5, resolution: "720p", priced: true, sandbox: false } as const;
const running = taskRowOf(1, { ...job, status: "running", progress: 42, prompt: "A fox over fresh snow" });
const earlier = [4, 5, 7].map((index) => taskRowOf(index, { ...job, status: "succeeded" }));

beforeEach(() => {
  tasks.rows = [running, ...earlier];
});

const cards = (page: Page) => page.getByRole("region", { name: "In progress" }).getByRole("listitem");

it("show how far they are, how long it usually takes, and what is held, and lead to their tasks", async () => {
  tasks.change(running.id, { created_at: Date.now() - 35_000 });
  const page = await pages.open();
  const card = cards(page);
  await card.getByText("Running").waitFor();
  await card.getByRole("progressbar", { name: "Progress of A fox over fresh snow" }).waitFor();
  await card.getByText("42%").waitFor();
  // Each of the earlier ones took 95 s.
  await card.getByText(/^0:3\d/).waitFor();
  await card.getByText(/about (1:00|0:5\d) left/).waitFor();
  expect(await card.getByRole("link", { name: "Held $0.25" }).getAttribute("href")).toBe(
    `#/tasks?task=${encodeURIComponent(running.id)}`,
  );
  tasks.change(running.id, { progress: 77 });
  await card.getByText("77%").waitFor();
});

it("omit unknown values", async () => {
  tasks.rows = [{ ...running, progress: null }];
  const page = await pages.open();
  await cards(page).getByText("Running").waitFor();
  await cards(page)
    .getByText(/^\d+:\d\d$/)
    .waitFor();
  expect(await cards(page).getByRole("progressbar").count()).toBe(0);
  expect(await page.getByText(/ left$|longer than usual/).count()).toBe(0);
});

it("become the film in their place, which plays and is opened there", async () => {
  const page = await pages.open();
  await cards(page).getByText("42%").waitFor();
  await pages.fake.followed();
  const box = await cards(page).boundingBox();
  library.views.unshift(resultOf(63));
  pages.fake.emit({ type: "media.changed" });
  tasks.change(running.id, {
    status: "succeeded",
    progress: 100,
    finished_at: Date.now(),
    media: "med_63",
    nano: 250_000_000,
  });
  const film = cards(page).getByRole("button", { name: "Video: A fox over fresh snow" });
  await film.waitFor();
  expect(await cards(page).boundingBox()).toEqual(box);
  await cards(page).getByText("$0.25").waitFor();
  await film.click();
  await dialog(page).locator("video").waitFor();
  await page.keyboard.press("Escape");
  await cards(page).getByRole("button", { name: "Dismiss" }).click();
  await expect.poll(() => cards(page).count()).toBe(0);
});

it("say why none exists", async () => {
  const page = await pages.open();
  await cards(page).getByText("42%").waitFor();
  await pages.fake.followed();
  const error = { code: "InvalidParameter", message: "The prompt was refused by the provider." };
  tasks.change(running.id, { status: "failed", finished_at: Date.now(), error });
  await cards(page).getByText("Failed").waitFor();
  await cards(page).getByText("The prompt was refused by the provider.").waitFor();
  expect(await cards(page).count()).toBe(1);
});

it("are cancelled after a question", async () => {
  const page = await pages.open();
  await cards(page).getByRole("button", { name: "Cancel task" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByText("What is held for it ($0.25)").waitFor();
  await question.getByRole("button", { name: "Cancel task" }).click();
  await expect.poll(() => tasks.posted.map(({ what }) => what)).toEqual([`cancel ${running.id}`]);
});

it("stay away where another filter is on", async () => {
  const page = await pages.open("library?kind=video");
  await cards(page).waitFor();
  await pages.go(page, "library?kind=image");
  await expect.poll(() => cards(page).count()).toBe(0);
});

it.each([1280, 360])("are clean for axe at %i px", async (width) => {
  tasks.rows = [running, taskRowOf(0, { ...job, status: "submitted" }), ...earlier];
  const page = await pages.open("library", { width, height: 740 });
  await expect.poll(() => cards(page).count()).toBe(2);
  await cards(page).first().getByRole("button", { name: "Cancel task" }).waitFor();
  expect(await findFaults(page)).toEqual([]);
});
