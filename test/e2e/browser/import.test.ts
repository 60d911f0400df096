import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeEach, expect, it } from "vitest";
import { axeFindings } from "./browser.ts";
import { makeHome, startIn, type Home } from "./home.ts";
import { startLocalProvider, type LocalProvider } from "./local-provider.ts";
import { useGatewayPages } from "./page-suite.ts";

/** Taking over other programs' set-ups on a real Postern, in the home folder of no one. */
const GOOD = "sk-good-0123456789abcdef";
const REFUSED = "sk-refused-0123456789abcdef";

let home: Home;
let provider: LocalProvider;
let page: Page;
const pages = useGatewayPages(async () => {
  provider = await startLocalProvider(["tiny-one", "tiny-two"]);
  provider.accepted.add(GOOD);
  home = await makeHome();
  const router = {
    PORT: 3456,
    Providers: [
      { name: "mine", api_base_url: `${provider.baseUrl}/chat/completions`, api_key: GOOD, models: ["tiny-one"] },
      { name: "second", api_base_url: `${provider.baseUrl}/chat/completions`, api_key: REFUSED, models: ["tiny-two"] },
    ],
    Router: { default: "mine,tiny-one", background: "mine,tiny-two" },
    LOG: true,
  };
  await home.put(".claude-code-router/config.json", JSON.stringify(router));
  return startIn(home);
});
afterAll(() => provider.close());
beforeEach(async () => {
  page = await pages.open("import");
});

const dialog = (): Locator => page.getByRole("dialog");
const button = (name: string): Locator => page.getByRole("button", { name, exact: true });

it("shows every field before anything changes, takes what works, and undoes it as a whole", async () => {
  const before = await readdir(join(home.path, ".claude-code-router"));
  await page.getByText(".claude-code-router/config.json").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await button("Preview Claude Code Router").click();
  await dialog().getByText("Providers[0].name").waitFor();
  // Secrets are never whole on a page.
  expect(await page.content()).not.toMatch(/0123456789abcdef/);
  await dialog().getByText("LOG", { exact: true }).waitFor();
  await dialog().getByText("Postern has nothing like it").first().waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);

  await dialog().getByRole("button", { name: "Import", exact: true }).click();
  await dialog()
    .getByText(/^Imported: \d+ changes$/)
    .waitFor();
  await dialog().getByText("Works", { exact: true }).waitFor();
  await dialog().getByText("Not saved", { exact: true }).waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await dialog().getByRole("button", { name: "Close", exact: true }).last().click();
  await page.getByText("Imported", { exact: true }).first().waitFor();
  expect(await readdir(join(home.path, ".claude-code-router"))).toEqual(before);

  await pages.go(page, "connections");
  await page.getByText("mine", { exact: true }).first().waitFor();
  await pages.go(page, "import");
  await button("Preview Claude Code Router").click();
  // What is left to be taken is the key that was refused.
  await dialog().getByRole("heading", { name: "1 change" }).waitFor();
  await dialog().getByRole("checkbox", { name: "second" }).waitFor();
  expect(await dialog().getByRole("checkbox").count()).toBe(1);
  await page.keyboard.press("Escape");

  await button("Undo the import of Claude Code Router").click();
  await dialog().getByText("Removed", { exact: true }).first().waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await dialog().getByRole("button", { name: "Undo", exact: true }).click();
  await dialog().waitFor({ state: "detached" });
  await pages.go(page, "connections");
  await expect.poll(() => page.getByText("mine", { exact: true }).count()).toBe(0);
});

it("reads a text that is pasted", async () => {
  await page.getByRole("combobox", { name: "Program" }).selectOption("env");
  await page.getByRole("radio", { name: "Text or link" }).check();
  await page.getByRole("button", { name: "Preview", exact: true }).last().click();
  await page.getByText("Paste the text or the link.").waitFor();
  await page.getByRole("textbox", { name: "Text or link" }).fill("OPENAI_API_KEY=sk-proj-aaaaaaaaaaaaaaaaaaaa\n");
  await page.getByRole("button", { name: "Preview", exact: true }).last().click();
  await dialog().getByRole("checkbox", { name: "OpenAI" }).waitFor();
  await dialog().getByRole("button", { name: "Cancel" }).click();
  await pages.go(page, "connections");
  // Nothing is imported without a press.
  expect(await page.getByText("OpenAI", { exact: true }).count()).toBe(0);
});

it("asks before a name that is served is taken over, and takes a corrected address", async () => {
  const paste = async (name: string, address: string): Promise<void> => {
    await page.getByRole("combobox", { name: "Program" }).selectOption("litellm");
    await page.getByRole("radio", { name: "Text or link" }).check();
    const params = `{model: openai/tiny-one, api_base: "${address}", api_key: ${GOOD}}`;
    const text = `model_list: [{model_name: ${name}, litellm_params: ${params}}]`;
    await page.getByRole("textbox", { name: "Text or link" }).fill(text);
    await page.getByRole("button", { name: "Preview", exact: true }).last().click();
  };
  const take = async (): Promise<void> => {
    await dialog().getByRole("button", { name: "Import", exact: true }).click();
    await dialog()
      .getByText(/^Imported: /)
      .waitFor();
    await dialog().getByRole("button", { name: "Close", exact: true }).last().click();
  };
  await paste("first", provider.baseUrl);
  await take();

  await paste("tiny-one", "https://wrong.example/v1");
  const address = dialog().getByRole("textbox", { name: "openai", exact: true });
  await address.fill(provider.baseUrl);
  await address.blur();
  await dialog()
    .getByText(/serves this name now/)
    .waitFor();
  await dialog().getByRole("heading", { name: "0 changes" }).waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await dialog().getByRole("checkbox", { name: "tiny-one" }).check();
  await take();
  await pages.go(page, "routes");
  await page.getByText("tiny-one", { exact: true }).first().waitFor();
});

it("opens the program that an address names", async () => {
  await pages.go(page, "import?program=claude-code-router");
  await page.getByRole("dialog", { name: "Import from Claude Code Router" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.url()).not.toContain("program=");
});
