import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Recording, RequestDetail } from "../../../gateway/contract/requests.ts";
import { axeInBothThemes, sidewaysScroll } from "./browser.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** The app's side of a translated request next to the provider's, and the bundle for a bug report. */
const lack = { bytes: 300, cut: false, redacted: false, omitted: 0 };
const receipt = receiptOf(0, { endpoint: "messages", model: "gpt-5.5", attempts: 2 });
const turns = Array.from({ length: 12 }, (_, index) => ({
  role: index % 2 ? "assistant" : "user",
  content: `Turn ${index}`,
}));
const json = (value: object) => ({
  ...lack,
  type: "application/json",
  count: 1,
  chunks: [{ ms: 9, bytes: 9, text: JSON.stringify(value) }],
});
const sent = JSON.stringify({
  model: "gpt-5.5",
  messages: [{ role: "system", content: "Be brief." }, ...turns],
  max_completion_tokens: 50,
});
const recording: Recording = {
  id: receipt.id,
  at: receipt.at,
  path: "/v1/messages",
  headers: {},
  request: {
    ...lack,
    form: false,
    text: JSON.stringify({ model: "gpt-5.5", max_tokens: 50, system: "Be brief.", messages: turns }),
  },
  status: 200,
  response: json({ type: "message", content: [{ type: "text", text: "Hello there" }] }),
  attempts: [
    {
      ms: 1,
      url: "https://one.example/v1/chat/completions",
      request: { ...lack, text: sent },
      status: 500,
      response: json({ error: { message: "It broke." } }),
      passed: false,
      error: null,
    },
    {
      ms: 20,
      url: "https://two.example/v1/chat/completions",
      request: { ...lack, text: sent },
      status: 200,
      response: json({ choices: [{ message: { role: "assistant", content: "Hello there" } }] }),
      passed: false,
      error: null,
    },
  ],
};

const pages = useFakePages((fake) => {
  fake.receipts.unshift(receipt);
  const body: RequestDetail = {
    receipt,
    recording,
    recording_on: true,
    resend_obstacle: null,
    media: [],
    task: null,
  };
  fake.responses.set(`GET /control/requests/${receipt.id}`, { status: 200, body });
});
const ADDRESS = `requests?id=${receipt.id}&tab=sides`;
const panel = (page: Page) => page.getByRole("dialog", { name: "Request" });

it("shows what a translation removed, added and changed, and each attempt", async () => {
  const page = await pages.open(ADDRESS);
  const request = panel(page).getByRole("region", { name: "Request" });
  await panel(page)
    .getByText("Removed: max_tokens, system · Added: max_completion_tokens · Changed: messages")
    .waitFor();
  await request.getByText('− "system": "Be brief.",').waitFor();
  await request.getByText('"content": "Be brief.",').waitFor();
  await panel(page).getByText("https://two.example/v1/chat/completions").waitFor();
  const folded = request.getByRole("button", { name: /\d+ equal lines/ });
  expect(await request.getByText('"content": "Turn 6",').count()).toBe(0);
  await folded.last().click();
  await request.getByText('"content": "Turn 6",').first().waitFor();
  await panel(page).getByRole("button", { name: "Attempt 1: 500" }).click();
  await panel(page).getByText('"message": "It broke.",').waitFor();
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
});

it("puts both sides next to each other where there is room, and one above the other in a narrow window", async () => {
  const wide = await pages.open(ADDRESS, { width: 1280, height: 800 });
  await panel(wide).getByRole("button", { name: "Open wide" }).click();
  const dialog = wide.getByRole("dialog", { name: "Both sides" });
  const place = async (page: Page, name: string) => {
    const box = await page.getByText(name, { exact: true }).last().boundingBox();
    return [Math.round(box?.x ?? 0), Math.round(box?.y ?? 0)] as const;
  };
  await dialog.getByText("+ Provider").first().waitFor();
  const [left, right] = [await place(wide, "− App"), await place(wide, "+ Provider")];
  expect(right[0]).toBeGreaterThan(left[0] + 300);
  expect(right[1]).toBe(left[1]);
  const narrow = await pages.open(ADDRESS, { width: 360, height: 740 });
  await narrow.getByText("+ Provider").first().waitFor();
  const [above, below] = [await place(narrow, "− App"), await place(narrow, "+ Provider")];
  expect(below[0]).toBe(above[0]);
  expect(below[1]).toBeGreaterThan(above[1]);
  expect(await sidewaysScroll(narrow)).toBe(0);
});

it("saves a bundle as it was shown: without texts, or with them if ticked", async () => {
  const page = await pages.open(ADDRESS);
  await panel(page).getByRole("button", { name: "Bug report…" }).click();
  const dialog = page.getByRole("dialog", { name: "Bundle for a bug report" });
  const preview = dialog.getByRole("region", { name: "Preview" });
  await preview.getByText('"postern-bug-report"').waitFor();
  expect(await preview.innerText()).not.toContain("Be brief.");
  expect(await axeInBothThemes(page, "[role=dialog]")).toEqual([]);
  await dialog.getByRole("checkbox").check();
  await expect.poll(() => preview.innerText()).toContain("Be brief.");
  await dialog.getByRole("checkbox").uncheck();
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Save" }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^postern-report-.*\.json$/);
  const text = await readFile((await saved.path()) ?? "", "utf8");
  expect(JSON.parse(text)).toMatchObject({ kind: "postern-bug-report", texts: false, attempts: [{ status: 500 }, {}] });
  expect(text).not.toContain("Turn 6");
  await dialog.waitFor({ state: "hidden" });
});

it("speaks Chinese", async () => {
  const first = await pages.open("overview");
  await first.evaluate(() => localStorage.setItem("postern.language", "zh"));
  const page = await pages.open(ADDRESS);
  await page
    .getByText(/^移除：max_tokens/)
    .first()
    .waitFor();
  expect(await page.getByText(/Removed|Attempt|Open wide/).count()).toBe(0);
});
