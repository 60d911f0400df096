import { expect, it } from "vitest";
import { axeInBothThemes, sidewaysScroll } from "./browser.ts";
import { useFakePages } from "./page-suite.ts";

const pages = useFakePages();

async function openDialog(width?: number) {
  const page = await pages.open("connections", width === undefined ? {} : { width });
  await page.getByRole("button", { name: "Actions for OpenAI" }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  return { page, dialog: page.getByRole("dialog", { name: "Change provider" }) };
}

it("a provider's header fields, body fields and pace are changed in its dialog", async () => {
  const { page, dialog } = await openDialog();
  await dialog.getByLabel("Requests per minute").fill("40");
  await dialog.getByLabel("At the same time").fill("2");
  await dialog.getByLabel("Header fields").fill("X-Team: one");
  await dialog.getByLabel("Body fields").fill('{"top_k": 20}');
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await dialog.getByRole("button", { name: "Save" }).click();
  const fields = { headers: "X-Team: one", body: { top_k: 20 }, rpm: 40, concurrency: 2 };
  expect((await sent).postDataJSON()).toMatchObject(fields);
});

it.each([
  ["Requests per minute", "0", /whole number/],
  ["Header fields", "Authorization: Bearer sk-x", /Name: value/],
  ["Body fields", "top_k: 20", /JSON object/],
  ["Body fields", '{"model": "x"}', /belong to the request/],
])("%s refuse %s in words", async (label, text, words) => {
  const { page, dialog } = await openDialog();
  await dialog.getByLabel(label).fill(text);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText(words).last().waitFor();
  expect(await page.getByRole("dialog", { name: "Change provider" }).count()).toBe(1);
});

it("axe finds nothing in the dialog, and nothing scrolls sideways at 360 px", async () => {
  const { page, dialog } = await openDialog(360);
  await dialog.getByLabel("Body fields").waitFor();
  expect(await sidewaysScroll(page)).toBe(0);
  expect(await axeInBothThemes(page)).toEqual([]);
});
