import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axeFindings, copied, focused, sidewaysScroll } from "./browser.ts";
import { addModel, modelField } from "./model-picking.ts";
import { responses, message, usePlaygroundBench } from "./playground-bench.ts";

/** Conversations on a real Postern whose models are the sandbox's. */
const bench = usePlaygroundBench();

async function ask(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await page.keyboard.press("Control+Enter");
}

const responseOf = (page: Page, model: string): Locator =>
  page.getByRole("article", { name: `Response of ${model}`, exact: true });

interface KeyRow {
  readonly name: string;
}

describe("a conversation", () => {
  it("streams by keys alone, and tells tokens, cost, times and where its request is", async () => {
    const page = await bench.open("?kind=chat&model=gpt-5.4-mini");
    await message(page).focus();
    await page.keyboard.type("Say something short.");
    await page.keyboard.press("Control+Enter");
    await focused(message(page));
    const response = responses(page);
    await response.getByText("the Postern sandbox answering in place of gpt-5.4-mini").waitFor();
    await response.getByText(/tokens/).waitFor();
    await response.getByText("sandbox", { exact: true }).waitFor({ state: "attached" });
    await response.getByText(/^TTFT \d/).waitFor();
    await response.getByText(/^took \d/).waitFor();
    expect(await response.getByRole("link", { name: "Request" }).getAttribute("href")).toMatch(/^#\/requests\?id=req_/);
    await ask(page, "And another thing.");
    await expect.poll(() => responses(page).count()).toBe(2);
    await responses(page)
      .last()
      .getByText(/^took \d/)
      .waitFor();
    expect(await axeFindings(page, "main")).toEqual([]);
  });

  it("is still there after another page was looked at, and goes on meanwhile", async () => {
    const page = await bench.open();
    await ask(page, "count slowly");
    await responses(page).getByText("1", { exact: false }).first().waitFor();
    await bench.pages.go(page, "keys");
    await page.getByRole("row").filter({ hasText: "Playground" }).first().waitFor();
    await bench.pages.go(page, "playground");
    await responses(page)
      .getByText(/\b20\b/)
      .waitFor();
    expect(await responses(page).count()).toBe(1);
    await responses(page)
      .getByText(/^took \d/)
      .waitFor();
  });

  it("says what the turn may cost while it is typed, by all models together", async () => {
    const page = await bench.open("?model=gpt-5.4-mini");
    const form = page.getByRole("form", { name: "Next question" });
    const estimate = form.locator("output").filter({ hasText: "At most" });
    await page.getByLabel("Max tokens").fill("100");
    await message(page).fill("Say something short.");
    await estimate.waitFor();
    const dollars = async (): Promise<number> => Number(/[\d.]+/.exec((await estimate.textContent()) ?? "")?.[0]);
    const one = await dollars();
    await addModel(page, "gpt-5.4");
    await expect.poll(dollars).toBeGreaterThan(1.5 * one);
    expect(await responses(page).count()).toBe(0);
  });

  it("is stopped by Escape, and keeps what had come", async () => {
    const page = await bench.open();
    await ask(page, "count slowly");
    await responses(page).getByText(/\b3\b/).waitFor();
    await page.keyboard.press("Escape");
    await responses(page).getByText("Stopped. What was delivered until then is billed.").waitFor();
    await page.getByRole("button", { name: "Send" }).waitFor();
    // What the receipt says.
    await responses(page).getByText("sandbox", { exact: true }).waitFor({ state: "attached" });
    await responses(page)
      .getByText(/tokens/)
      .waitFor();
    expect(
      await responses(page)
        .getByText(/\b100\b/)
        .count(),
    ).toBe(0);
  });

  it("tells a refusal in the gateway's words, with the code and the way to the request", async () => {
    const page = await bench.open();
    await ask(page, "sandbox:error=400");
    await responses(page).getByRole("alert").getByText("The sandbox was asked to fail with status 400.").waitFor();
    await responses(page).getByRole("link", { name: "Request" }).waitFor();
    await page.getByLabel("Temperature").fill("7");
    await ask(page, "Hello");
    await responses(page).last().getByText("Failed: invalid_value").waitFor();
    await responses(page).last().getByText("from 0 to 2", { exact: false }).waitFor();
    await page.getByLabel("Temperature").fill("warm");
    await ask(page, "Hello");
    await page.getByText("Type a number.").waitFor();
    expect(await responses(page).count()).toBe(2);
  });

  it("shows calls of tools, takes what they answer, and goes on", async () => {
    const page = await bench.open();
    await page.getByRole("button", { name: "Insert an example" }).click();
    await ask(page, "What is the weather in Lisbon?");
    await responses(page).getByText("get_weather", { exact: true }).waitFor();
    const goOn = page.getByRole("button", { name: "Continue with the results" });
    await goOn.waitFor();
    expect(await goOn.isDisabled()).toBe(true);
    await page.getByLabel("Result of get_weather").fill('{"temperature": 21}');
    await page.getByRole("button", { name: "Submit result" }).click();
    await goOn.click();
    await responses(page)
      .getByText(/^took \d/)
      .nth(1)
      .waitFor();
    await responses(page).getByText("Result", { exact: true }).waitFor();
  });

  it("asks up to four models side by side, regenerates one, and goes on with the one that is kept", async () => {
    const page = await bench.open("?model=gpt-5.4-mini");
    for (const model of ["gpt-5.4", "gpt-4.1", "claude-sonnet-5"]) await addModel(page, model);
    expect(await page.getByRole("combobox", { name: "Add model" }).count()).toBe(0);
    await ask(page, "Compare yourselves.");
    const over = (): Promise<number> =>
      responses(page)
        .getByText(/^took \d/)
        .count();
    await expect.poll(over).toBe(4);
    await responseOf(page, "claude-sonnet-5").getByText("in place of claude-sonnet-5").waitFor();
    await responseOf(page, "gpt-4.1").getByRole("button", { name: "Regenerate" }).click();
    await expect.poll(over).toBe(4);
    expect(await axeFindings(page, "main")).toEqual([]);
    await page.getByRole("button", { name: "Remove gpt-4.1" }).click();
    await expect.poll(() => responses(page).count()).toBe(3);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => responses(page).count()).toBe(4);
    await page
      .getByRole("region", { name: "With gpt-5.4", exact: true })
      .getByRole("button", { name: "Keep this one" })
      .click();
    await expect.poll(() => responses(page).count()).toBe(1);
    await ask(page, "Go on.");
    await responses(page)
      .nth(1)
      .getByText(/^took \d/)
      .waitFor();
    expect(await responseOf(page, "gpt-5.4").count()).toBe(2);
  });

  it("branches where a question is edited, and leads from one branch to the other", async () => {
    const page = await bench.open("?model=gpt-5.4-mini");
    await ask(page, "First words.");
    await responses(page)
      .getByText(/^took \d/)
      .waitFor();
    await page.getByRole("button", { name: "Edit question" }).click();
    const edited = page.getByLabel("Question", { exact: true });
    await focused(edited);
    await edited.fill("Other words.");
    await edited.press("Enter");
    await page.getByText("2 of 2", { exact: true }).waitFor();
    await responses(page)
      .getByText(/^took \d/)
      .waitFor();
    expect(await responses(page).count()).toBe(1);
    await page.getByRole("button", { name: "Previous branch" }).click();
    await page.getByRole("article", { name: "You" }).getByText("First words.", { exact: true }).waitFor();
    await page.getByText("1 of 2", { exact: true }).waitFor();
    await responses(page)
      .getByText(/^took \d/)
      .waitFor();
  });

  it("breaks the line by Shift and Enter, and sends by Enter", async () => {
    const page = await bench.open();
    await message(page).focus();
    await page.keyboard.type("One line");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("and another");
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "You" }).getByText("One line\nand another").waitFor();
    expect(await message(page).inputValue()).toBe("");
  });

  it("switches the model where one failed, and shows the way to the providers", async () => {
    const page = await bench.open("?model=gpt-5.4-mini");
    await ask(page, "sandbox:error=500");
    const failed = responses(page);
    await failed.getByRole("alert").waitFor();
    expect(await failed.getByRole("link", { name: "Open Providers" }).getAttribute("href")).toBe("#/connections");
    await failed.getByRole("combobox", { name: "Switch model" }).click();
    await page.getByLabel("Search models").fill("gpt-4.1-mini");
    await page.getByRole("option").filter({ hasText: "gpt-4.1-mini" }).first().waitFor();
    await page.keyboard.press("Enter");
    await responseOf(page, "gpt-4.1-mini").getByRole("alert").waitFor();
    expect(await modelField(page).textContent()).toContain("gpt-4.1-mini");
  });

  it("sends pictures, and copies the call for programs without the key", async () => {
    const page = await bench.open();
    const file = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==",
      "base64",
    );
    await page
      .getByLabel("File: Pictures for the message")
      .setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: file });
    await page.getByRole("img", { name: "dot.png" }).waitFor();
    await message(page).fill("What is this?");
    const copyAs = (label: string): Promise<string> =>
      copied(page, async () => {
        await page.getByRole("button", { name: "Copy as" }).click();
        await page.getByRole("menuitem", { name: label, exact: true }).click();
      });
    for (const [label, part] of [
      ["curl", "Authorization: Bearer $POSTERN_API_KEY"],
      ["Python", 'os.environ["POSTERN_API_KEY"]'],
      ["TypeScript", "process.env.POSTERN_API_KEY"],
    ] as const) {
      const text = await copyAs(label);
      expect(text).toContain(part);
      expect(text).toContain("data:image/png;base64,");
      expect(text).not.toMatch(/sk-\w/);
    }
    await page.keyboard.press("Escape");
    await message(page).press("Control+Enter");
    await responses(page)
      .getByText(/^took \d/)
      .waitFor();
    await page.getByRole("article", { name: "You" }).getByRole("img", { name: "dot.png" }).waitFor();
  });

  it("fits a narrow window", async () => {
    const page = await bench.open("", { width: 360, height: 740, theme: "dark" });
    await ask(page, "Say something short.");
    await responses(page)
      .getByText(/^took \d/)
      .waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await axeFindings(page, "main")).toEqual([]);
  });

  it("leaves one key behind, however often the pages are opened", async () => {
    const page = await bench.open();
    await ask(page, "Hello");
    await responses(page)
      .getByText(/^took \d/)
      .waitFor();
    const names = (): Promise<string[]> =>
      fetchKeys(page).then((keys) => keys.map(({ name }) => name).filter((name) => name === "Playground"));
    await expect.poll(names).toEqual(["Playground"]);
  });
});

/** The keys as the Keys page shows them. */
async function fetchKeys(page: Page): Promise<readonly KeyRow[]> {
  await bench.pages.go(page, "keys");
  await page.getByRole("grid", { name: "Keys" }).locator("[data-row]").first().waitFor();
  const rows = await page.getByRole("grid", { name: "Keys" }).locator("[data-row]").allTextContents();
  return rows.map((text) => ({ name: text.startsWith("Playground") ? "Playground" : text }));
}
