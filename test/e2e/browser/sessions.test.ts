import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { findFaults, sidewaysScroll, type WatchOptions } from "./browser.ts";
import { addSessions, LONG_SESSION } from "./fake-sessions.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** The list of sessions, and one of them with its requests and what was said. */
let recordings = { on: true, bytes: 1_000, oldest_at: 0 as number | null, lost: 0 };
const pages = useFakePages((fake) => {
  recordings = { on: true, bytes: 1_000, oldest_at: 0, lost: 0 };
  addSessions(fake);
  fake.responses.set("GET /control/recordings", { status: 200, body: recordings });
});

const rows = (page: Page) => page.getByRole("grid", { name: "Sessions" }).locator("[data-row]");
const requests = (page: Page) => page.getByRole("region", { name: "Requests in order" });
const openLong = (more = "", options?: WatchOptions) => pages.open(`sessions?id=${LONG_SESSION}${more}`, options);

/** What is not in sight is not drawn, and what is drawn moves what follows. */
async function readRequest(page: Page, number: number): Promise<string> {
  const item = requests(page)
    .getByRole("listitem")
    .nth(number - 1);
  let text = "";
  await expect
    .poll(async () => {
      await item.scrollIntoViewIfNeeded();
      return (text = (await item.innerText()).replace(/\s+/g, " "));
    })
    .not.toBe("");
  return text;
}

it("lists sessions, finds one by its project, and opens it and goes back", async () => {
  const page = await pages.open("sessions");
  await expect.poll(() => rows(page).count()).toBe(13);
  await page.getByRole("searchbox").fill("shop");
  await expect.poll(() => rows(page).count()).toBe(1);
  const text = (await rows(page).first().innerText()).replace(/\s+/g, " ");
  expect(text).toMatch(/shop Claude Code claude-opus-5-5 \+1 30 1 \$0\.58\d* /);
  await rows(page).first().click();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/sessions?id=${LONG_SESSION}`);
  await page.getByRole("heading", { name: "shop" }).waitFor();
  await page.getByRole("link", { name: "All sessions" }).click();
  await expect.poll(() => rows(page).count()).toBe(13);
});

it("is reached by its letter and by a request of it", async () => {
  const page = await pages.open("overview");
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await expect.poll(() => rows(page).count()).toBe(13);
  await pages.go(page, `requests?session=${LONG_SESSION}&id=${receiptOf(171).id}`);
  const panel = page.getByRole("dialog", { name: "Request" });
  await panel.getByRole("link", { name: "Open session" }).click();
  await page.getByRole("heading", { name: "shop" }).waitFor();
});

it("shows the requests in order: sub-agents, the slowest, what failed and why, tokens and money", async () => {
  const page = await openLong();
  const list = requests(page).getByRole("listitem");
  await expect.poll(() => list.count()).toBe(30);
  const message = (number: number): Promise<string> => readRequest(page, number);
  expect(await message(1)).toMatch(/^#1 claude-haiku-4-5 Title 200 /);
  expect(await message(2)).toMatch(/601 input|12\.6k?|13k input/);
  expect(await message(8)).toContain("Sub-agent a1a79b16d833…");
  expect(await message(13)).toContain("Slowest");
  expect(await message(21)).toContain("The provider is overloaded.");
  expect(await requests(page).getByText("Slowest").count()).toBe(1);
  expect(await message(30)).toMatch(/\d+% cached first token 800 ms 6\.4 s \$0\.02/);
  const cells = page.locator("dl > div");
  await cells.filter({ hasText: "Requests" }).getByText("1 failed").waitFor();
  await cells.filter({ hasText: "Requests" }).getByText("1 sub-agent").waitFor();
});

it("shows what each request repeats of the one before, what was read again, why, and what that cost", async () => {
  const page = await openLong();
  const list = requests(page).getByRole("listitem");
  await expect.poll(() => list.count()).toBe(30);
  const message = (number: number): Promise<string> => readRequest(page, number);
  expect(await message(2)).not.toContain("Unchanged");
  expect(await message(4)).toContain("Unchanged: tools, instructions, messages 1 to 6");
  expect(await message(4)).not.toContain("read again");
  expect(await message(10)).toContain(
    "Unchanged: tools 11,009 tokens read again, $0.0495 more: instructions changed, message 13 changed",
  );
  expect(await message(11)).toContain(
    "11,010 tokens read again, $0.0495 more: the cache lasts 5 minutes, 12 min had passed",
  );
  expect(await message(12)).toContain("9,000 tokens read again, at an unknown price: message 7 removed");
  await requests(page).getByRole("button", { name: "Details of request 10" }).click();
  const dialog = page.getByRole("dialog", { name: "claude-opus-5-5" });
  await dialog.getByText("instructions changed, message 13 changed").waitFor();
  expect(await dialog.getByRole("link", { name: "Request before" }).getAttribute("href")).toBe(
    `#/requests?id=${receiptOf(192).id}`,
  );
});

it("shows what filled the context of each request of the main agent, and of one that is chosen", async () => {
  const page = await openLong();
  const context = page.getByRole("region", { name: "Context" });
  await context.locator("canvas").waitFor();
  const slider = context.getByRole("slider");
  // Without the title's neighbours: three of the sub-agent, and one that failed.
  expect(await slider.getAttribute("aria-valuemax")).toBe("26");
  expect(await slider.getAttribute("aria-valuetext")).toMatch(
    /^Request 30, .*: Total 24,229, Results and files 11,629, Tools 8,000, System 3,000, Messages 1,600$/,
  );
  await requests(page).getByRole("button", { name: "All agents" }).click();
  await page.getByRole("menuitemradio", { name: "a1a79b16d833…" }).click();
  await expect.poll(() => requests(page).getByRole("listitem").count()).toBe(3);
  await expect.poll(() => context.getByRole("slider").getAttribute("aria-valuemax")).toBe("3");
});

it("shows what was said where it was recorded, long texts folded; hides it on demand", async () => {
  const page = await openLong();
  const second = requests(page).getByRole("listitem").nth(1);
  await second.getByText(`Look at ${receiptOf(199).id}`).waitFor();
  await second.getByText("Calls Read", { exact: true }).waitFor();
  expect(await second.getByText("line 29").isVisible()).toBe(false);
  await second.getByText("line 0", { exact: true }).click();
  await second.getByText("1,234 more characters").waitFor();
  await second.getByText("Show less").filter({ visible: true }).click();
  await second.getByText("1,234 more characters").waitFor({ state: "hidden" });
  await requests(page).getByRole("button", { name: "Conversation" }).click();
  await expect.poll(() => requests(page).getByText("Calls Read").count()).toBe(0);
});

it("says that nothing was recorded, asks for nothing, and switches recording on", async () => {
  pages.fake.responses.set("GET /control/recordings", {
    status: 200,
    body: { ...recordings, on: false, oldest_at: null },
  });
  const page = await openLong();
  await requests(page).getByText("What was said is not recorded").waitFor();
  expect(pages.fake.seen.filter((each) => each.endsWith("/turn"))).toEqual([]);
  pages.fake.responses.set("PATCH /control/settings", { status: 200, body: {} });
  await requests(page).getByRole("button", { name: "Switch recording on" }).click();
  await expect.poll(() => pages.fake.seen).toContain("PATCH /control/settings");
});

it("opens a request of it with all that is known", async () => {
  const page = await openLong();
  await requests(page).getByRole("button", { name: "Details of request 21" }).click();
  const dialog = page.getByRole("dialog", { name: "claude-opus-5-5" });
  await dialog.getByRole("tab", { name: "Cost" }).click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(new URL(page.url()).hash).toBe(`#/sessions?id=${LONG_SESSION}`);
});

it("says so where none exist, and where one is not known", async () => {
  pages.fake.receipts = [];
  const page = await pages.open("sessions");
  await page.getByText("No session yet").waitFor();
  await pages.go(page, "sessions?id=unknown");
  await page.getByRole("alert").waitFor();
  expect(await page.getByText("No session yet").count()).toBe(0);
});

it.each([1280, 360])(
  "one session: axe finds nothing in light and dark, and nothing scrolls sideways (%i px)",
  async (width) => {
    const page = await openLong("", { width, height: 740 });
    await requests(page).getByRole("listitem").first().scrollIntoViewIfNeeded();
    await requests(page).getByRole("listitem").first().getByText("Calls Read", { exact: true }).waitFor();
    await expect.poll(() => page.locator("main [aria-busy=true]").count()).toBe(0);
    expect(await findFaults(page)).toEqual([]);
  },
);

it.each([1280, 360])(
  "in Chinese nothing is cut off or scrolls sideways, in the list and in one (%i px)",
  async (width) => {
    const first = await pages.open("overview", { width, height: 740 });
    await first.evaluate(() => localStorage.setItem("postern.language", "zh"));
    const page = await pages.open("sessions", { width, height: 740 });
    await page.getByRole("grid", { name: "会话" }).locator("[data-row]").first().waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    await pages.go(page, `sessions?id=${LONG_SESSION}`);
    await page.getByRole("region", { name: "按顺序的请求" }).getByRole("listitem").first().waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await page.locator("main").innerText()).not.toMatch(/Cost|Requests|Tokens\b|Slowest/);
  },
);
