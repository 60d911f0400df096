import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeFindings, copied, focused } from "./browser.ts";
import { chooseModel } from "./model-picking.ts";
import { useGatewayPages } from "./page-suite.ts";

/** The Requests page against a real Postern whose sandbox answers. */
const pages = useGatewayPages();

async function openRequests(): Promise<Page> {
  const page = await pages.open("requests");
  await page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
  return page;
}

async function ask(body: object): Promise<string> {
  const response = await fetch(`${pages.gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${pages.gateway.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.text();
  return response.headers.get("x-request-id") ?? "";
}

const message = (content: string) => ({ model: "gpt-4.1", messages: [{ role: "user", content }] });
const rows = (page: Page) => page.getByRole("grid", { name: "Requests" }).locator("[data-row]");
const dialog = (page: Page) => page.getByRole("dialog");

it("says that nothing is recorded, and switches recording on from there", async () => {
  const page = await openRequests();
  await page.getByText("No request yet").waitFor();
  await ask(message("Before it was on"));
  await rows(page).first().waitFor();
  await page.keyboard.press("j");
  await focused(rows(page).first());
  await page.keyboard.press("Enter");
  await dialog(page).getByText("Nothing was recorded").waitFor();
  await dialog(page).getByRole("tab", { name: "Cost" }).click();
  await dialog(page).getByRole("region", { name: "Receipt" }).getByText("Input tokens").waitFor();
  await dialog(page).getByRole("tab", { name: "Response" }).click();
  await dialog(page).getByRole("button", { name: "Switch recording on" }).click();
  await dialog(page).getByText("This request was made before recording was switched on").waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await page.keyboard.press("Escape");
  await focused(rows(page).first());
  await page.getByRole("button", { name: "Recording", exact: true }).waitFor();
});

it("shows a chat and a stream as they were, its chunks over time, and sends them again", async () => {
  const page = await openRequests();
  const chat = await ask(message("It's a 'quoted' prompt; $HOME `id` \\n"));
  const stream = await ask({ ...message("Tell me of the gate"), stream: true });
  await pages.go(page, `requests?id=${stream}&tab=request`);
  const tab = (name: string) => dialog(page).getByRole("tab", { name }).click();
  const request = dialog(page).getByRole("region", { name: "Request", exact: true });
  const response = dialog(page).getByRole("region", { name: "Response", exact: true });
  await request.getByText("Tell me of the gate").waitFor();
  await tab("Response");
  await response.getByRole("img", { name: /chunks over time/ }).waitFor();
  await response.getByText(/chunks as a table/).click();
  await response.getByRole("cell", { name: /data: \[DONE\]/ }).waitFor();
  expect(await response.getByRole("region", { name: "Chunks" }).locator("tbody tr").count()).toBeGreaterThan(3);
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);

  await tab("Overview");
  await dialog(page).getByRole("button", { name: "Replay" }).click();
  const asking = page.getByRole("alertdialog");
  await asking.getByText("The sandbox served it").waitFor();
  await asking.getByRole("button", { name: "Replay" }).click();
  await asking.waitFor({ state: "detached" });
  await expect.poll(() => page.url()).not.toContain(stream);
  await dialog(page).getByText("Postern", { exact: true }).waitFor();
  await tab("Request");
  await request.getByText("Tell me of the gate").waitFor();

  await pages.go(page, `requests?id=${chat}`);
  await tab("Request");
  await request.getByText("It's a 'quoted' prompt").waitFor();
  await tab("Overview");
  await dialog(page).getByRole("button", { name: "Send to another model" }).click();
  const other = dialog(page).filter({ has: page.getByRole("heading", { name: "Send to another model" }) });
  await chooseModel(other, "Model", "claude-sonnet-5");
  await other.getByRole("button", { name: "Send", exact: true }).click();
  await dialog(page).getByRole("heading", { name: "claude-sonnet-5", level: 2 }).waitFor();
  await tab("Request");
  await request.getByText("It's a 'quoted' prompt").waitFor();
});

it("copies a request as a command that a shell runs, whatever is in it", async () => {
  const page = await openRequests();
  const content = "It's a 'quoted' prompt; $HOME `id` \\ \"double\" 门\nnext line";
  const id = await ask(message(content));
  await pages.go(page, `requests?id=${id}`);
  const command = await copied(page, () => dialog(page).getByRole("button", { name: "Copy as curl" }).click());
  await dialog(page).getByText("Copied").first().waitFor();
  expect(command).toContain("Bearer sk-…");
  expect(command).not.toContain(pages.gateway.apiKey);
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", command.replace("sk-…", pages.gateway.apiKey)]);
  expect(JSON.parse(stdout)).toMatchObject({ object: "chat.completion" });
  await pages.go(page, `requests?client=curl`);
  await rows(page).first().click();
  await dialog(page).getByRole("tab", { name: "Request" }).click();
  await dialog(page).getByText("next line").first().waitFor();
  await dialog(page).getByText("As JSON", { exact: true }).first().click();
  const body = dialog(page).getByRole("region", { name: "Request body" });
  expect(JSON.parse((await body.textContent()) ?? "")).toEqual(message(content));
});

it("shows a request live that only what was recorded of it can say a search finds", async () => {
  const page = await pages.open("requests?q=heron");
  await page.getByText("Nothing matches").waitFor();
  const id = await ask(message("Where does the heron sleep?"));
  await page.locator(`[data-key="${id}"]`).waitFor();
  await ask(message("Where does the otter sleep?"));
  const second = await ask(message("And a second heron?"));
  await page.locator(`[data-key="${second}"]`).waitFor();
  expect(await rows(page).count()).toBe(2);
});

it("keeps filters in the address, and deletes what was recorded", async () => {
  const page = await openRequests();
  await ask({ ...message("refused"), model: "no-such-model" });
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("menuitemradio", { name: "4xx, refused" }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe("#/requests?status=4xx");
  await expect.poll(() => rows(page).count()).toBe(1);
  await ask(message("does not match"));
  await ask({ ...message("refused again"), model: "no-such-model" });
  await expect.poll(() => rows(page).count()).toBe(2);
  await pages.go(page, `keys`);
  await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
  await page.goBack();
  await expect.poll(() => rows(page).count()).toBe(2);

  await page.getByRole("button", { name: "Recording", exact: true }).click();
  await dialog(page).getByRole("button", { name: "Delete all recordings" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete all recordings" }).click();
  await dialog(page).getByText("0 B").waitFor();
  await dialog(page).getByRole("button", { name: "Switch recording off" }).click();
  await dialog(page).getByText("Off: nothing is recorded").waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Not recording" }).waitFor();
});
