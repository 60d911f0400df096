import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axeFindings, copied, focused, sidewaysScroll } from "./browser.ts";
import { responses, message, usePlaygroundBench } from "./playground-bench.ts";

/** Conversations on a real Postern whose models are the sandbox's. */
const bench = usePlaygroundBench();

async function ask(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await page.keyboard.press("Control+Enter");
}

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

  it("says what it will cost before anything is sent, by both models together, and forgets it when that changes", async () => {
    const page = await bench.open("?model=gpt-5.4-mini");
    const price = page.getByRole("form", { name: "Next question" }).getByText("$", { exact: false });
    const cost = page.getByRole("button", { name: "Estimate cost" });
    await page.getByLabel("Max tokens").fill("100");
    await message(page).fill("Say something short.");
    await cost.click();
    await page.getByText("At most", { exact: true }).waitFor();
    const one = await price.textContent();
    await page.getByLabel("Compare with").selectOption("gpt-5.4-mini");
    await page.getByText("At most", { exact: true }).waitFor({ state: "detached" });
    await cost.click();
    await page.getByText("At most", { exact: true }).waitFor();
    const dollars = (text: string | null): number => Number(/[\d.]+/.exec(text ?? "")?.[0]);
    expect(dollars(await price.textContent())).toBeGreaterThan(1.5 * dollars(one));
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
    await page.getByRole("button", { name: "Put in an example" }).click();
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

  it("asks two models side by side, answers again, and takes a question back to be edited", async () => {
    const page = await bench.open("?model=gpt-5.4-mini");
    await page.getByLabel("Compare with").selectOption("gpt-5.4");
    await ask(page, "Compare yourselves.");
    await expect
      .poll(() =>
        responses(page)
          .getByText(/^took \d/)
          .count(),
      )
      .toBe(2);
    await page
      .getByRole("article", { name: "Response of gpt-5.4", exact: true })
      .getByText("in place of gpt-5.4")
      .waitFor();
    await responses(page).first().getByRole("button", { name: "Regenerate" }).click();
    await expect
      .poll(() =>
        responses(page)
          .getByText(/^took \d/)
          .count(),
      )
      .toBe(2);
    await page.getByRole("button", { name: "Edit question" }).click();
    await expect.poll(() => message(page).inputValue()).toBe("Compare yourselves.");
    expect(await responses(page).count()).toBe(0);
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
