import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeInBothThemes, closeByEscape, focused, openPalette, shownTab, sidewaysScroll } from "./browser.ts";
import { addLibrary } from "./fake-library.ts";
import { addMcp } from "./fake-mcp.ts";
import { serveModels, someModels } from "./fake-models.ts";
import { addFakeTasks } from "./fake-tasks.ts";
import { useFakePages } from "./page-suite.ts";

/** Nine entries in groups; several pages of one entry are its tabs. */
const pages = useFakePages((fake) => {
  addLibrary(fake, 12);
  addFakeTasks(fake, 10);
  addMcp(fake);
  serveModels(fake, someModels);
});

const title = (page: Page): Promise<string | null> => page.locator("main h1").textContent();
const tabs = (page: Page): Promise<string[]> => page.locator("main header nav a").allTextContents();

it("lists nine entries, those of one kind under a label", async () => {
  const page = await pages.open();
  const sidebar = page.getByRole("navigation", { name: "Pages" });
  expect(await sidebar.getByRole("link").allTextContents()).toEqual([
    "Overview",
    "Playground",
    "Requests",
    "Usage",
    "Media",
    "Providers",
    "Keys",
    "Apps",
    "Settings",
  ]);
  expect(await sidebar.getByRole("list", { name: "Activity" }).getByRole("link").count()).toBe(3);
  expect(await sidebar.getByRole("list", { name: "Setup" }).getByRole("link").count()).toBe(3);
});

it.each([
  ["media", "Media", "Library"],
  ["library", "Media", "Library"],
  ["tasks", "Media", "Tasks"],
  ["providers", "Providers", "Connections"],
  ["connections", "Providers", "Connections"],
  ["models", "Providers", "Models"],
  ["apps", "Apps", "Apps"],
  ["clients", "Apps", "Apps"],
  ["mcp", "Apps", "MCP"],
])("#/%s leads to %s with the tab %s", async (place, entry, tab) => {
  const page = await pages.open(place);
  await shownTab(page, tab).waitFor();
  expect(await title(page)).toBe(entry);
  expect(await page.title()).toBe(`${entry === tab ? tab : `${entry} › ${tab}`} · Postern`);
  const current = page.getByRole("navigation", { name: "Pages" }).locator("[aria-current]");
  expect(await current.allTextContents()).toEqual([entry]);
});

it("goes from tab to tab by the keyboard, at the same place, and back by the history", async () => {
  const page = await pages.open("library");
  await page.getByRole("option").first().waitFor();
  expect(await tabs(page)).toEqual(["Library", "Tasks"]);
  const strip = page.getByRole("navigation", { name: "Media" });
  const before = await strip.boundingBox();
  await strip.getByRole("link", { name: "Tasks" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("grid", { name: "Tasks" }).waitFor();
  await focused(strip.getByRole("link", { name: "Tasks" }));
  expect(await strip.boundingBox()).toEqual(before);
  await page.goBack();
  await shownTab(page, "Library").waitFor();
});

it("gives the focus to the tab of a page that comes late", async () => {
  const page = await pages.open("library");
  const strip = page.getByRole("navigation", { name: "Media" });
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/tasks-page-*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.reload();
  await strip.getByRole("link", { name: "Tasks" }).focus();
  await page.keyboard.press("Enter");
  await shownTab(page, "Tasks").waitFor();
  release();
  await page.getByRole("grid", { name: "Tasks" }).waitFor();
  await focused(strip.getByRole("link", { name: "Tasks" }));
  expect(await tabs(page)).toEqual(["Library", "Tasks"]);
});

it("keeps the strip of tabs at one place on all entries", async () => {
  const page = await pages.open("library");
  const places = new Set<string>();
  for (const place of ["library", "tasks", "connections", "models", "clients", "mcp"]) {
    await pages.go(page, place);
    await expect.poll(() => page.locator("main header nav [aria-current]").getAttribute("href")).toBe(`#/${place}`);
    await expect.poll(() => page.locator("main [aria-busy]").count()).toBe(0);
    places.add(JSON.stringify(await page.locator("main header nav").boundingBox()));
  }
  expect([...places]).toHaveLength(1);
});

it("names each page by its entry in the list of keys and in the palette, and goes to all by g and a letter", async () => {
  const page = await pages.open();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const name of [
    "Go to Media › Tasks",
    "Go to Providers › Models",
    "Go to Apps",
    "Go to Requests",
    "Go to Requests › Sessions",
  ]) {
    await dialog.getByText(name, { exact: true }).waitFor();
  }
  await closeByEscape(dialog);
  for (const [keys, tab] of [
    ["gt", "Tasks"],
    ["gd", "Models"],
    ["ga", "Apps"],
    ["gm", "MCP"],
    ["gi", "Sessions"],
  ] as const) {
    await page.keyboard.type(keys);
    await shownTab(page, tab).waitFor();
  }
  await openPalette(page);
  await page.keyboard.type("library");
  await page.getByRole("option", { name: "Media › Library" }).click();
  await shownTab(page, "Library").waitFor();
  expect(await title(page)).toBe("Media");
});

it("has Requests at hand in a narrow window, and the other entries in the menu next to it", async () => {
  const page = await pages.open("overview", { width: 360, height: 740 });
  const bar = page.getByRole("navigation", { name: "Pages" });
  await bar.getByRole("link", { name: "Requests" }).click();
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
  const inBar = await bar.getByRole("link").allTextContents();
  await bar.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem").first().waitFor();
  const inMenu = await page.getByRole("menuitem").allTextContents();
  expect([...inBar, ...inMenu]).toEqual(
    expect.arrayContaining(["Overview", "Usage", "Media", "Keys", "Playground", "Providers", "Apps", "Settings"]),
  );
  await page.getByRole("menuitem", { name: "Apps" }).click();
  await shownTab(page, "Apps").waitFor();
  await page.getByRole("link", { name: "MCP", exact: true }).click();
  await shownTab(page, "MCP").waitFor();
  expect(await sidewaysScroll(page)).toBe(0);
  expect(await axeInBothThemes(page, "nav")).toEqual([]);
});

it("marks Providers with a dot while one is degraded or down, and names it", async () => {
  const [first] = pages.fake.connections;
  if (first === undefined) throw new Error("There is no connection.");
  const [credential] = first.credentials;
  if (credential === undefined) throw new Error("It has no key.");
  const withStates = (name: string, ...states: (typeof credential.state)[]) => ({
    ...first,
    id: name,
    name,
    credentials: states.map((state) => ({ ...credential, state })),
  });
  pages.fake.connections = [withStates("Fine", "ready"), { ...withStates("Off", "refused"), enabled: false }];
  const page = await pages.open();
  const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Providers", exact: true });
  await expect.poll(() => pages.fake.seen).toContain("GET /control/connections");
  expect(await link.getAttribute("title")).toBeNull();

  pages.fake.connections = [withStates("Half", "ready", "cooling"), withStates("Fine", "ready")];
  const second = await pages.open();
  await second.getByTitle("Degraded: Half", { exact: true }).getByText("Providers").waitFor();
  // It is a description: the name stays.
  await second
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Providers", exact: true })
    .waitFor();

  pages.fake.connections = [withStates("Half", "ready", "cooling"), withStates("Gone", "refused")];
  const third = await pages.open("overview", { width: 360, height: 740 });
  const more = third.getByRole("button", { name: "More", exact: true });
  await expect.poll(() => more.getAttribute("title")).toBe("Down: Gone · Degraded: Half");
  expect(await axeInBothThemes(third, "nav")).toEqual([]);
});
