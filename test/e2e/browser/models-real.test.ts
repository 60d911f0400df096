import OpenAI from "openai";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { closeByEscape, copied } from "./browser.ts";
import { chat } from "./gateway.ts";
import { useGatewayPages } from "./page-suite.ts";

/** Aliases and own prices from the page to a client's call, on a real Postern with its sandbox. */
const pages = useGatewayPages();

const MODEL = "gpt-4.1-mini";

async function open(): Promise<Page> {
  const page = await pages.open(`models?q=${MODEL}`);
  await rowOf(page).waitFor();
  return page;
}

const rowOf = (page: Page) => page.locator("[data-row]").filter({ has: page.getByText(MODEL, { exact: true }) });
const choose = async (page: Page, item: string): Promise<void> => {
  await page.getByRole("button", { name: `Actions for ${MODEL}`, exact: true }).click();
  await page.getByRole("menuitem", { name: item }).click();
};

/** What the first key has spent, US cents. */
async function spentCents(): Promise<number> {
  const headers = { authorization: `Bearer ${pages.gateway.apiKey}` };
  const response = await fetch(`${pages.gateway.url}/v1/dashboard/billing/usage`, { headers });
  return ((await response.json()) as { total_usage: number }).total_usage;
}

it("gives a model a name that clients can use at once, takes it back, and gives it again", async () => {
  const page = await open();
  await choose(page, "Alias…");
  await page.getByLabel("New alias").fill("team/fast");
  await page.keyboard.press("Enter");
  await page.getByText(`team/fast stands for ${MODEL}`, { exact: true }).waitFor();
  await rowOf(page).getByText("team/fast").waitFor({ state: "attached" });

  const sdk = new OpenAI({ apiKey: pages.gateway.apiKey, baseURL: `${pages.gateway.url}/v1`, maxRetries: 0 });
  const message = await sdk.chat.completions.create({
    model: "team/fast",
    messages: [{ role: "user", content: "Hello" }],
  });
  expect(message.choices[0]?.message.content).toBeTruthy();
  expect((await sdk.models.list()).data.map(({ id }) => id)).toContain("team/fast");

  await page.getByRole("button", { name: "Undo" }).click();
  await rowOf(page).getByText("team/fast").waitFor({ state: "detached" });
  expect((await chat(pages.gateway.url, pages.gateway.apiKey, "team/fast")).status).toBe(404);
  await page.getByLabel("New alias").fill("team/fast");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove alias team/fast" }).click();
  await page.getByText("team/fast is no longer an alias").waitFor();
  await page.getByRole("button", { name: "Undo" }).first().click();
  await page.getByRole("button", { name: "Remove alias team/fast" }).waitFor();
  expect((await chat(pages.gateway.url, pages.gateway.apiKey, "team/fast")).status).toBe(200);
});

it("sets a price that the next call is billed with, and gives the listed one back", async () => {
  const page = await open();
  await choose(page, "Set price…");
  await page.getByLabel("Input, per 1M tokens", { exact: true }).fill("1000");
  await page.getByLabel("Cached input, per 1M tokens").fill("");
  await page.getByLabel("Output, per 1M tokens").fill("0");
  await page.getByRole("button", { name: "Save price" }).click();
  await rowOf(page).getByText("$1,000.00 in · $0.00 out").waitFor();
  await rowOf(page).getByText("own", { exact: true }).waitFor();

  const before = await spentCents();
  const sdk = new OpenAI({ apiKey: pages.gateway.apiKey, baseURL: `${pages.gateway.url}/v1`, maxRetries: 0 });
  const { usage } = await sdk.chat.completions.create({ model: MODEL, messages: [{ role: "user", content: "Hello" }] });
  // A thousand dollars a million are a tenth of a cent a token.
  expect((await spentCents()) - before).toBeCloseTo((usage?.prompt_tokens ?? 0) / 10, 6);

  await choose(page, "Set price…");
  await page.getByRole("button", { name: "Use the listed price" }).click();
  await page.getByText(`${MODEL} has the listed price again`).waitFor();
  await rowOf(page).getByText("$0.40 in · $1.60 out").waitFor();
  await page.getByRole("button", { name: "Undo" }).first().click();
  await rowOf(page).getByText("$1,000.00 in · $0.00 out").waitFor();
});

it("opens a model from its row, with all its terms and an example that works as it is", async () => {
  const page = await open();
  await rowOf(page).click();
  const dialog = page.getByRole("dialog", { name: "GPT-4.1 mini" });
  await dialog.getByText("/v1/chat/completions", { exact: true }).waitFor();
  await dialog.getByText("offline sandbox responds").waitFor();
  const text = await copied(page, () => dialog.getByRole("button", { name: "Copy as curl" }).click());
  expect(text).toContain(`${pages.gateway.url}/v1/chat/completions`);
  expect(text).toContain(`"model":"${MODEL}"`);
  await closeByEscape(page.getByRole("dialog"));
  expect(new URL(page.url()).hash).not.toContain("model=");
});
