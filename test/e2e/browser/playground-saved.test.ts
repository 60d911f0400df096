import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeFindings } from "./browser.ts";
import { addModel } from "./model-picking.ts";
import { message, responses, usePlaygroundBench } from "./playground-bench.ts";

/** Conversations that are kept in the browser, on a real Postern whose models are the sandbox's. */
const bench = usePlaygroundBench();

async function ask(page: Page, text: string): Promise<void> {
  const before = await responses(page)
    .getByText(/^took \d/)
    .count();
  await message(page).fill(text);
  await message(page).press("Enter");
  await expect
    .poll(() =>
      responses(page)
        .getByText(/^took \d/)
        .count(),
    )
    .toBeGreaterThan(before);
}

const list = (page: Page) => page.getByRole("region", { name: "Conversations" });
const entry = (page: Page, title: string) => list(page).getByRole("button", { name: new RegExp(`^${title}`) });

it("survive a restart, with their models, pictures and branches", async () => {
  const first = await bench.open("?model=gpt-5.4-mini");
  await addModel(first, "gpt-5.4");
  const file = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==",
    "base64",
  );
  await first
    .getByLabel("File: Pictures for the message")
    .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: file });
  await ask(first, "What is a postern?");
  await entry(first, "What is a postern").waitFor();
  await first.getByRole("button", { name: "New conversation" }).click();
  await expect.poll(() => responses(first).count()).toBe(0);

  const second = await bench.open("?model=gpt-4.1");
  expect(await responses(second).count()).toBe(0);
  await entry(second, "What is a postern").click();
  await expect.poll(() => responses(second).count()).toBe(2);
  // In each column.
  expect(await second.getByRole("article", { name: "You" }).getByRole("img", { name: "dot.png" }).count()).toBe(2);
  await second.getByRole("combobox", { name: "Model 2 gpt-5.4" }).waitFor();
  await ask(second, "Tell me more.");
  await expect.poll(() => responses(second).count()).toBe(4);
});

it("are searched, renamed, and deleted with a way back", async () => {
  const page = await bench.open();
  await ask(page, "Herons and egrets");
  await page.getByRole("button", { name: "New conversation" }).click();
  await ask(page, "Gates and doors");
  await entry(page, "Gates and doors").waitFor();
  await page.getByRole("searchbox", { name: "Search conversations" }).fill("egret");
  await expect.poll(() => entry(page, "Gates and doors").count()).toBe(0);
  await entry(page, "Herons and egrets").waitFor();
  expect(await axeFindings(page, "main")).toEqual([]);

  await page.getByRole("button", { name: "Actions for Herons and egrets" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Birds");
  await page.getByRole("dialog").getByRole("button", { name: "Save changes" }).click();
  await entry(page, "Birds").waitFor();

  await page.getByRole("button", { name: "Actions for Birds" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await entry(page, "Birds").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await entry(page, "Birds").click();
  await page.getByRole("article", { name: "You" }).getByText("Herons and egrets").waitFor();
});

it("go on while another one is shown", async () => {
  const page = await bench.open("?model=gpt-5.4-mini");
  await message(page).fill("count slowly");
  await message(page).press("Enter");
  await responses(page).getByText(/\b2\b/).waitFor();
  await page.getByRole("button", { name: "New conversation" }).click();
  await expect.poll(() => responses(page).count()).toBe(0);
  await entry(page, "count slowly").getByText("Running").waitFor();
  await entry(page, "count slowly").getByText("Running").waitFor({ state: "detached" });
  await entry(page, "count slowly").click();
  await responses(page)
    .getByText(/\b20\b/)
    .waitFor();
});

it("are in a list of their own in a narrow window", async () => {
  const page = await bench.open("", { width: 360, height: 740, theme: "dark" });
  await ask(page, "Narrow questions");
  await page.getByRole("button", { name: "Conversations" }).click();
  const dialog = page.getByRole("dialog", { name: "Conversations" });
  await dialog.getByRole("button", { name: /^Narrow questions/ }).waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
});

/** All that the browser's database holds, as text. */
const everything = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open("postern.playground");
      request.addEventListener("success", () => resolve(request.result));
      request.addEventListener("error", () => reject(request.error));
    });
    const texts: string[] = [];
    for (const name of database.objectStoreNames) {
      const rows = await new Promise<object[]>((resolve) => {
        const request = database.transaction(name).objectStore(name).getAll() as IDBRequest<object[]>;
        request.addEventListener("success", () => resolve(request.result));
      });
      const texted = rows.map((row) =>
        JSON.stringify(row, (_key, value: unknown) =>
          value instanceof ArrayBuffer ? String.fromCharCode(...new Uint8Array(value)) : value,
        ),
      );
      texts.push(...texted);
    }
    database.close();
    return texts.join("\n");
  });

it("are nothing to another program at the same address, and what lay open before is encrypted", async () => {
  const page = await bench.open();
  await ask(page, "My private question");
  await entry(page, "My private question").waitFor();
  await expect.poll(() => everything(page)).toContain("sealed");
  expect(await everything(page)).not.toMatch(/private|question/i);

  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open("postern.playground");
      request.addEventListener("success", () => resolve(request.result));
    });
    const lane = { model: "gpt-4.1", steps: [] };
    const turns = [{ id: "t1", text: "Said in the open", pictures: [], lanes: [lane] }];
    const chat = { version: 1, id: "old", title: "", models: ["gpt-4.1"], settings: {}, turns };
    const summary = { id: "old", title: "Said in the open", at: 1, bytes: 1, words: "said in the open" };
    const transaction = database.transaction(["chats", "summaries"], "readwrite");
    transaction.objectStore("chats").put(chat);
    transaction.objectStore("summaries").put(summary);
    await new Promise((resolve) => transaction.addEventListener("complete", resolve));
    database.close();
  });
  const later = await bench.open();
  await entry(later, "Said in the open").waitFor();
  await expect.poll(() => everything(later)).not.toMatch(/said in the open/i);
});
