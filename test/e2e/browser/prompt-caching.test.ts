import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { axeInBothThemes, sidewaysScroll } from "./browser.ts";
import { usageResponse } from "./fake-usage.ts";
import { startLocalProvider } from "./local-provider.ts";
import { useFakePages, useGatewayPages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** Whether prompts are marked for a provider's cache, and what that came to. */

describe("the owner's choice, on a real Postern", () => {
  const pages = useGatewayPages();
  const panelOf = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

  async function add(page: Page, name: string, baseUrl: string): Promise<void> {
    await page.locator("main").getByRole("button", { name: "Add provider" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add a provider" });
    await dialog.getByRole("radio", { name: "Another compatible server" }).click();
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Base URL").fill(baseUrl);
    await dialog.getByLabel("Provider key").fill("any-key");
    await dialog.getByRole("button", { name: "Add provider" }).click();
    await panelOf(page, name).getByText("Healthy", { exact: true }).waitFor();
  }

  async function change(page: Page, name: string): Promise<Locator> {
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Change" }).click();
    return page.getByRole("dialog", { name: "Change provider" });
  }

  it("is made in the connection's form, kept, and taken back", async () => {
    const provider = await startLocalProvider(["anthropic/claude-sonnet-5"]);
    try {
      const page = await pages.open("connections");
      await add(page, "Router", provider.baseUrl);
      let dialog = await change(page, "Router");
      const box = () => dialog.getByRole("checkbox", { name: "Mark prompts for the cache" });
      expect(await box().isChecked()).toBe(false);
      await box().check();
      expect(await axeInBothThemes(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      dialog = await change(page, "Router");
      expect(await box().isChecked()).toBe(true);
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Undo" }).last().click();
      await expect
        .poll(async () => {
          dialog = await change(page, "Router");
          const isChecked = await box().isChecked();
          await dialog.getByRole("button", { name: "Cancel" }).click();
          await dialog.waitFor({ state: "detached" });
          return isChecked;
        })
        .toBe(false);
    } finally {
      await provider.close();
    }
  });

  it("is not offered where nothing can be marked", async () => {
    const provider = await startLocalProvider(["tiny"]);
    try {
      const page = await pages.open("connections");
      await add(page, "House", provider.baseUrl);
      const dialog = await change(page, "House");
      await dialog.getByLabel("Priority").waitFor();
      expect(await dialog.getByRole("checkbox").count()).toBe(0);
    } finally {
      await provider.close();
    }
  });
});

describe("what it came to", () => {
  const input = { unit: "input", quantity: 40, nano_per_million: 3_000_000_000, nano: 120_000 } as const;
  const read = { unit: "cached_input", quantity: 5_000, nano_per_million: 300_000_000, nano: 1_500_000 } as const;
  const written = { unit: "cache_write", quantity: 4_000, nano_per_million: 3_750_000_000, nano: 15_000_000 } as const;
  const pages = useFakePages((fake) => {
    fake.receipts = [
      receiptOf(0, { terms: [input, read], nano: 1_620_000 }),
      receiptOf(1, { terms: [input, written], nano: 15_120_000 }),
      receiptOf(2),
    ];
  });
  const costOf = async (page: Page, index: number): Promise<string> => {
    await pages.go(page, `requests?id=${receiptOf(index).id}&tab=cost`);
    const cost = page.getByRole("dialog", { name: "Request" }).getByRole("region", { name: "Receipt" });
    await cost.getByText("Total").waitFor();
    return cost.innerText();
  };

  it("stands in the Cost tab of a request", async () => {
    const page = await pages.open("requests");
    expect(await costOf(page, 0)).toContain("Prompt cache saved $0.0135");
    expect(await axeInBothThemes(page)).toEqual([]);
    expect(await costOf(page, 1)).toContain("Prompt cache cost $0.003 more");
    expect(await costOf(page, 2)).not.toContain("Prompt cache");
  });

  it.each([1_280, 360])("stands next to the spend, at a width of %i", async (width) => {
    const page = await pages.open("overview", { width });
    await page.getByText(/^Prompt cache saved \$/).waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    await pages.go(page, "usage");
    await page.getByText(/^Prompt cache saved \$/).waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
  });

  it("says so where more was written than read, and nothing where nothing was cached", async () => {
    let saved = -42_000_000;
    pages.fake.serve = (_incoming, outgoing, address) => {
      if (address.pathname !== "/control/usage/series") return false;
      const reported = usageResponse(address) as { total: object };
      const body = { ...reported, total: { ...reported.total, cache_saved_nano: saved } };
      outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      return true;
    };
    const page = await pages.open("overview");
    await page.getByText("Prompt cache cost $0.042 more").waitFor();
    saved = 0;
    const other = await pages.open("overview?range=7d");
    await other.getByText(/estimated$/).waitFor();
    expect(await other.getByText(/^Prompt cache/).count()).toBe(0);
  });

  it("is offered with a new provider that has one, and with no other", async () => {
    const page = await pages.open("connections");
    await page.getByRole("button", { name: "Add provider" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add a provider" });
    const caching = dialog.getByRole("checkbox", { name: "Mark prompts for the cache" });
    await dialog.getByRole("radio", { name: "OpenAI" }).waitFor();
    expect(await caching.count()).toBe(0);
    await dialog.getByRole("radio", { name: "OpenRouter" }).click();
    await caching.check();
    await dialog.getByLabel("Provider key").first().fill("sk-or-1");
    const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/connection"));
    await dialog.getByRole("button", { name: "Add provider" }).click();
    expect((await sent).postDataJSON()).toMatchObject({ name: "OpenRouter", prompt_caching: true });
  });

  it("leaves a choice that the form does not offer as it is", async () => {
    const isOpenAI = ({ provider }: ConnectionView): boolean => provider === "openai";
    expect(pages.fake.connections.find(isOpenAI)?.prompt_caching).toBeNull();
    const page = await pages.open("connections");
    await page.getByRole("button", { name: "Actions for OpenAI" }).click();
    await page.getByRole("menuitem", { name: "Change" }).click();
    const dialog = page.getByRole("dialog", { name: "Change provider" });
    await dialog.getByLabel("Name").fill("Work");
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await dialog.getByRole("button", { name: "Save" }).click();
    expect((await sent).postDataJSON()).not.toHaveProperty("prompt_caching");
  });
});
