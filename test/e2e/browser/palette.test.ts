import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeInBothThemes, closeByEscape, copied, openPalette, runCommand } from "./browser.ts";
import { serveModels, someModels } from "./fake-models.ts";
import { useFakePages } from "./page-suite.ts";

/** The palette acts: what can be done and what was used lately comes before the pages. */
const pages = useFakePages((fake) => serveModels(fake, someModels));

async function palette(page: Page, text = ""): Promise<void> {
  await openPalette(page);
  if (text !== "") await page.keyboard.type(text);
}

const groups = (page: Page): Promise<string[]> =>
  page
    .getByRole("listbox")
    .getByRole("group")
    .evaluateAll((all) =>
      all.map((group) => document.getElementById(group.getAttribute("aria-labelledby") ?? "")?.textContent ?? ""),
    );

it("shows actions before pages, and what was visited before both", async () => {
  const page = await pages.open();
  await palette(page);
  await expect.poll(() => groups(page)).toEqual(["Actions", "Pages"]);
  await page.keyboard.press("Escape");
  const newest = pages.fake.receipts[0]?.id ?? "";
  await pages.go(page, `requests?id=${newest}`);
  await page.getByRole("dialog").waitFor();
  await pages.go(page, "overview");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await palette(page);
  await expect.poll(() => groups(page)).toEqual(["Recent", "Actions", "Pages"]);
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain(`requests?id=${newest}`);
});

it("tests all providers that are on and says which do not work", async () => {
  const on = pages.fake.connections.filter(({ enabled, present }) => enabled && present);
  const [broken] = on;
  if (broken === undefined) throw new Error("There is no connection.");
  const works = { ok: true, message: "Works.", problem: null, said: null, ms: 12, models: 3 };
  for (const { id } of on) {
    const body = id === broken.id ? { ...works, ok: false, problem: "refused" } : works;
    pages.fake.responses.set(`POST /control/connections/${id}/test`, { status: 200, body });
  }
  const page = await pages.open();
  await palette(page, "test all");
  await runCommand(page, "Test all providers");
  await page.getByRole("region", { name: "Notifications" }).getByText(`Not working: ${broken.name}`).waitFor();
  const tests = pages.fake.seen.filter((request) => request.endsWith("/test"));
  expect(tests).toHaveLength(on.length);
});

it("asks a model, opens the newest request, and copies the hint of a key", async () => {
  const page = await pages.open();
  const model = someModels.find(({ provider }) => provider !== "")?.id ?? "";
  await palette(page, `ask ${model}`);
  await page.getByRole("option", { name: `Ask ${model} in the playground` }).click();
  await expect.poll(() => page.url()).toContain(`#/playground?model=${encodeURIComponent(model)}`);

  await palette(page, "newest");
  await runCommand(page, "Open newest request");
  await expect.poll(() => page.url()).toContain(`#/requests?id=${pages.fake.receipts[0]?.id}`);
  await page.getByRole("dialog").getByRole("tab", { name: "Cost" }).waitFor();
  await closeByEscape(page.getByRole("dialog"));

  const [key] = pages.fake.keys;
  const text = await copied(page, async () => {
    await palette(page, `copy hint of ${key?.name}`);
    await runCommand(page, `Copy hint of ${key?.name}`);
  });
  expect(text).toBe(key?.hint);
});
