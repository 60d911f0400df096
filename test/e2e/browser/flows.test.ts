import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { copied, quiet, sidewaysScroll } from "./browser.ts";
import { chat } from "./gateway.ts";
import { startLocalProvider } from "./local-provider.ts";
import { useGatewayPages } from "./page-suite.ts";

/** The pages against a real Postern: what a person does on the first day. */
const pages = useGatewayPages();

const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

/** Makes a key by the dialog and returns its secret, which is shown this once. */
async function createKey(page: Page, name: string, limit: string): Promise<string> {
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a key" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Spend limit, USD").fill(limit);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const secret = await page.locator("[data-secret]").textContent();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return secret ?? "";
}

describe("opening the pages", () => {
  it("takes the one-time token out of the address and opens", async () => {
    const page = await pages.blank();
    await page.goto(await pages.gateway.freshAddress());
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(page.url()).not.toContain("token");
    const stored = await page.evaluate(() => document.cookie + JSON.stringify(localStorage));
    expect(stored).toBe("{}");
  });

  it("stays open over a reload of its tab, and opens in another tab of the browser", async () => {
    const page = await pages.open("keys");
    await page.reload();
    await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Usage" }).click({ modifiers: ["Control"] });
    const other = await opened;
    await other.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    await page.close();
    await other.reload();
    await other.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    expect(await other.evaluate(() => document.cookie + JSON.stringify(localStorage))).not.toContain("bearer");
    const alone = await pages.blank();
    await alone.goto(pages.url);
    await alone.getByRole("heading", { name: "Open the pages again" }).waitFor();
    expect(await alone.evaluate(() => sessionStorage.length)).toBe(0);
    await other.close();
  });

  it("is closed by a bearer that is refused, and stays so after a reload", async () => {
    const page = await pages.open();
    await page.evaluate(() => sessionStorage.setItem("postern.bearer", "of-an-earlier-start"));
    for (const text of ["This session has ended.", "This address has no one-time token"]) {
      await page.reload();
      await page.getByText(text).waitFor();
    }
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it("explains how to come back without a session, and takes a pasted address", async () => {
    const page = await pages.blank();
    await page.goto(pages.url);
    await page.getByRole("heading", { name: "Open the pages again" }).waitFor();
    expect(await copied(page, () => page.getByRole("button", { name: "Copy" }).click())).toMatch(
      /^npm run postern -- open --data-dir \S+$/,
    );
    await page.getByLabel("Or paste the address here").fill(await pages.gateway.freshAddress());
    await page.getByRole("button", { name: "Open pages" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(page.url()).not.toContain("token");
  });

  it("says so when a token was used before", async () => {
    const address = await pages.gateway.freshAddress();
    const first = await pages.blank();
    await first.goto(address);
    await first.getByRole("heading", { name: "Overview" }).waitFor();
    const second = await pages.blank();
    await second.goto(address);
    await second.getByRole("heading", { name: "Open the pages again" }).waitFor();
    expect(second.url()).not.toContain("token");
  });
});

it("copies the base URL, and an example that works as it is, but for the key", async () => {
  const page = await pages.open();
  // A press on what moves while the page loads hits nothing.
  await quiet(page);
  const copy = (name: string): Promise<string> => copied(page, () => page.getByRole("button", { name }).click());
  expect(await copy("Copy base URL")).toBe(`${pages.gateway.url}/v1`);
  const model = /"model":"([^"]+)"/.exec(await copy("Copy example"))?.[1] ?? "";
  expect((await chat(pages.gateway.url, pages.gateway.apiKey, model)).status).toBe(200);
});

describe("keys", () => {
  it("shows a key once, meters it live, and lets it go", async () => {
    const page = await pages.open();
    const secret = await createKey(page, "Live key", "2");
    expect(secret).toMatch(/^sk-[A-Za-z0-9]{48}$/);
    expect(await page.content()).not.toContain(secret);

    const watching = await pages.open("keys");
    const quota = rowOf(watching, "Live key").getByRole("meter");
    await quota.waitFor();
    await expect.poll(() => quota.getAttribute("aria-valuetext")).toBe("$0.00 of $2");

    expect((await chat(pages.gateway.url, secret, "gpt-4o-mini")).status).toBe(200);
    await rowOf(page, "e2e-client").filter({ hasText: "Live key" }).waitFor();
    // The sandbox's money is shown next to the sum.
    await rowOf(watching, "Live key").getByText("Sandbox", { exact: false }).first().waitFor();

    await watching.getByRole("button", { name: "Actions for Live key" }).click();
    await watching.getByRole("menuitem", { name: "Revoke" }).click();
    const asking = watching.getByRole("alertdialog");
    await asking.getByRole("button", { name: "Revoke" }).click();
    // The dialog goes when the key is revoked. Behind it, rows cannot be found by their role.
    await asking.waitFor({ state: "detached" });
    await rowOf(watching, "Live key").waitFor({ state: "detached" });
    expect((await chat(pages.gateway.url, secret, "gpt-4o-mini")).status).toBe(401);
  });

  it("disables at once and can be taken back", async () => {
    const page = await pages.open();
    const secret = await createKey(page, "Paused key", "");
    await page.getByRole("link", { name: "Keys", exact: true }).click();
    await page.getByRole("button", { name: "Actions for Paused key" }).click();
    await page.getByRole("menuitem", { name: "Disable" }).click();
    await rowOf(page, "Paused key").getByText("Disabled").waitFor();
    await page.getByText("“Paused key” is disabled").waitFor();
    expect((await chat(pages.gateway.url, secret, "gpt-4o-mini")).status).toBe(401);
    await page.getByRole("button", { name: "Undo" }).click();
    await rowOf(page, "Paused key").getByText("Active").waitFor();
    await expect.poll(async () => (await chat(pages.gateway.url, secret, "gpt-4o-mini")).status).toBe(200);
  });
});

describe("connections", () => {
  it("are added, tested, seen ill and well, and removed", async () => {
    const provider = await startLocalProvider(["tiny-one", "tiny-two"]);
    try {
      provider.accepted.add("right-key");
      const page = await pages.open();
      await page.getByRole("link", { name: "Providers", exact: true }).click();
      await page.getByRole("button", { name: "Add provider" }).first().click();
      const dialog = page.getByRole("dialog", { name: "Add a provider" });
      await dialog.getByRole("radio", { name: "Another compatible server" }).click();
      await dialog.getByLabel("Name").fill("Tiny");
      await dialog.getByLabel("Base URL").fill(provider.baseUrl);
      await dialog.getByLabel("Provider key").fill("wrong-key");
      await dialog.getByRole("button", { name: "Add provider" }).click();
      await dialog.getByRole("button", { name: "Save anyway" }).click();
      const panel = page.getByRole("region", { name: "Tiny" });
      await panel.getByText("Invalid key", { exact: true }).waitFor();

      await panel.getByRole("button", { name: "Actions for Tiny" }).click();
      await page.getByRole("menuitem", { name: "Replace key" }).click();
      const replacing = page.getByRole("dialog", { name: "Replace the key of “Tiny”" });
      await replacing.getByLabel("Provider key").fill("right-key");
      await replacing.getByRole("button", { name: "Replace key" }).click();
      await replacing.waitFor({ state: "detached" });
      await panel.getByRole("button", { name: "Test Tiny" }).click();
      await panel.getByText(/Works: responded in .* with 2 models/).waitFor();
      await panel.getByText("Healthy", { exact: true }).waitFor();
      expect(await page.content()).not.toContain("right-key");

      await panel.getByRole("switch", { name: "Tiny is used" }).click();
      await panel.getByText("Off", { exact: true }).waitFor();
      await page.getByText("“Tiny” is disabled").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await panel.getByText("Off", { exact: true }).waitFor({ state: "detached" });

      await panel.getByRole("button", { name: "Actions for Tiny" }).click();
      await page.getByRole("menuitem", { name: "Remove" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
      await panel.waitFor({ state: "detached" });
    } finally {
      await provider.close();
    }
  });
});

describe("narrow windows", () => {
  it("have the pages at the bottom and never scroll sideways", async () => {
    const page = await pages.open("overview", { width: 360 });
    for (const name of ["Requests", "Usage", "Media", "Keys", "Providers", "Overview"]) {
      const link = page.getByRole("link", { name, exact: true });
      if (name !== "Providers") await link.click();
      else {
        // There is room for a few: this entry is in the menu next to them.
        await page.getByRole("button", { name: "More" }).click();
        await page.getByRole("menuitem", { name }).click();
      }
      await page.getByRole("heading", { level: 1, name }).waitFor();
      expect(await sidewaysScroll(page)).toBe(0);
    }
  });
});
