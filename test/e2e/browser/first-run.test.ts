import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { axeFindings, closeAll, focused, listening, startBrowser, watchedPage, type Watched } from "./browser.ts";
import { startGateway, type RunningGateway } from "./gateway.ts";
import { startLocalVendor } from "./local-vendor.ts";

/** From nothing to a first answer, on a real Postern in the home folder of nobody, without a mouse. */
let browser: Browser;
let gateway: RunningGateway;
let home: string;
const opened: Watched[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "postern-home-"));
  browser = await startBrowser();
  gateway = await startGateway({
    HOME: home,
    XDG_CONFIG_HOME: "",
    CLAUDE_CONFIG_DIR: "",
    CODEX_HOME: "",
    GROQ_API_KEY: "gsk-found-in-the-environment-0001",
  });
});
afterEach(() => closeAll(opened));
afterAll(async () => {
  await browser.close();
  await gateway.stop();
  await rm(home, { recursive: true, force: true });
});

async function open(): Promise<Page> {
  const watched = await watchedPage(browser, gateway.url);
  opened.push(watched);
  await watched.page.goto(await gateway.freshAddress());
  await listening(watched.page);
  return watched.page;
}

const guide = (page: Page): Locator => page.getByRole("region", { name: "Get started" });
const step = (page: Page, name: string): Locator => guide(page).getByRole("region", { name, exact: true });

/** Presses Tab until the control has the focus: it can be reached by keys alone. */
async function tabTo(control: Locator): Promise<void> {
  await control.waitFor();
  const page = control.page();
  const here = (): Promise<boolean> => control.evaluate((element) => element === element.ownerDocument.activeElement);
  for (let presses = 0; presses < 80; presses += 1) {
    if (await here()) return;
    await page.keyboard.press("Tab");
  }
  expect(await here()).toBe(true);
}

async function press(control: Locator): Promise<void> {
  await tabTo(control);
  await control.page().keyboard.press("Enter");
}

it("answers in place, names what lies in the environment, and connects Claude Code, all by keys", async () => {
  const page = await open();
  await guide(page).getByText("Use GROQ_API_KEY").waitFor();
  expect(await page.content()).not.toContain("gsk-found");
  expect(await axeFindings(page, "main")).toEqual([]);

  await press(step(page, "Try it").getByRole("button", { name: "Send" }));
  await step(page, "Try it").getByText("This is the Postern sandbox").waitFor();
  await step(page, "Try it").getByText("Done", { exact: true }).waitFor();
  // Made up: the guide stays, and so does what is left to do.
  await step(page, "Connect a vendor").getByRole("button", { name: "Skip: Connect a vendor" }).waitFor();

  await press(step(page, "Connect a tool").getByRole("button", { name: "Connect Claude Code" }));
  const dialog = page.getByRole("dialog", { name: "Connect Claude Code" });
  await dialog.getByText("ANTHROPIC_AUTH_TOKEN").first().waitFor();
  await press(dialog.getByRole("button", { name: "Write it" }));
  await expect
    .poll(async () => readFile(join(home, ".claude/settings.json"), "utf8").catch(() => ""))
    .toContain(`"ANTHROPIC_BASE_URL": "${gateway.url}"`);
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.type("go");
  await step(page, "Connect a tool").getByText("Connected: Claude Code").waitFor();
});

it("adds a connection by keys alone, and the focus comes back", async () => {
  const vendor = await startLocalVendor(["tiny-one"]);
  try {
    vendor.accepted.add("right-key");
    const page = await open();
    await page.keyboard.type("gc");
    await page.getByRole("heading", { level: 1, name: "Connections" }).waitFor();
    const add = page.locator("main").getByRole("button", { name: "Add connection" }).first();
    await press(add);
    const dialog = page.getByRole("dialog", { name: "Add a connection" });
    await tabTo(dialog.getByRole("radio").first());
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => dialog.getByRole("radio", { name: "Another compatible server" }).isChecked()).toBe(true);
    await tabTo(dialog.getByLabel("Name"));
    await page.keyboard.type("Tiny");
    await page.keyboard.press("Tab");
    await page.keyboard.type(vendor.baseUrl);
    await tabTo(dialog.getByLabel("Vendor key"));
    await page.keyboard.type("right-key");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("region", { name: "Tiny" }).getByText("Ready", { exact: true }).waitFor();
    await focused(page.locator("main").getByRole("button", { name: "Add connection" }).first());
  } finally {
    await vendor.close();
  }
});

it("fills in what a link asks for, in full, and does nothing by itself", async () => {
  const page = await open();
  const address = `https://vendor.example/${"a-long-path/".repeat(12)}v1`;
  const query = new URLSearchParams({
    link: "connect",
    vendor: "openai-compatible",
    base_url: address,
    name: "From afar",
  });
  await page.goto(`${gateway.url}/#/connections?${query.toString()}`);
  const dialog = page.getByRole("dialog", { name: "Add a connection" });
  await dialog.getByText(address).waitFor();
  expect(await dialog.getByLabel("Name").inputValue()).toBe("From afar");
  expect(await dialog.getByRole("radio", { name: "Another compatible server" }).isChecked()).toBe(true);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(page.url()).not.toContain("link=");
  expect(await page.getByRole("region", { name: "From afar" }).count()).toBe(0);

  await page.goto(`${gateway.url}/#/keys?link=key&name=Editor`);
  const key = page.getByRole("dialog", { name: "Create a key" });
  expect(await key.getByLabel("Name").inputValue()).toBe("Editor");
  await page.keyboard.press("Escape");
  await key.waitFor({ state: "detached" });
  expect(await page.getByRole("row").filter({ hasText: "Editor" }).count()).toBe(0);
});

it("is put away for good", async () => {
  const page = await open();
  await guide(page).getByRole("button", { name: "Hide" }).click();
  await guide(page).waitFor({ state: "detached" });
  await page.goto(`${gateway.url}/?again#${new URL(await gateway.freshAddress()).hash.slice(1)}`);
  await page.getByRole("heading", { name: "Recent requests" }).waitFor();
  await page.locator("[data-row]").first().waitFor();
  expect(await guide(page).count()).toBe(0);
});
