import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { axeFindings, closeByEscape, copied, focused } from "./browser.ts";
import { chat } from "./gateway.ts";
import { makeHome, startIn, type Home } from "./home.ts";
import { press } from "./keys.ts";
import { useGatewayPages } from "./page-suite.ts";

/** From nothing to a first response, on a real Postern in the home folder of no one, without a mouse. */
let home: Home;
const pages = useGatewayPages(async () => {
  home = await makeHome();
  return startIn(home, { GROQ_API_KEY: "gsk-found-in-the-environment-0001" });
});

const guide = (page: Page): Locator => page.getByRole("region", { name: "Get started" });
const step = (page: Page, name: string): Locator => guide(page).getByRole("region", { name, exact: true });

const header = (page: Page, name: string): Locator =>
  guide(page)
    .getByRole("heading", { name: new RegExp(name) })
    .getByRole("button");

it("answers in place, names what lies in the environment, and connects Claude Code, all by keys", async () => {
  const page = await pages.open();
  await guide(page).getByText("Use GROQ_API_KEY").waitFor();
  expect(await page.content()).not.toContain("gsk-found");
  expect(await axeFindings(page, "main")).toEqual([]);
  // One step is open; nothing is counted yet.
  expect(await guide(page).locator("[aria-expanded=true]").count()).toBe(1);
  expect(await page.getByText("Provider health").count()).toBe(0);

  await press(header(page, "Try it"));
  await press(step(page, "Try it").getByRole("button", { name: "Send" }));
  await step(page, "Try it").getByText("This is the Postern sandbox").waitFor();
  await step(page, "Try it").getByText("Done", { exact: true }).waitFor();
  // Made up: the guide stays, and so does what is left to do.
  await step(page, "Connect a provider").getByRole("button", { name: "Skip: Connect a provider" }).waitFor();
  expect(await page.getByRole("status", { name: "First real response" }).count()).toBe(0);

  await press(header(page, "Connect an app"));
  await press(step(page, "Connect an app").getByRole("button", { name: "Connect Claude Code" }));
  const dialog = page.getByRole("dialog", { name: "Connect Claude Code" });
  await dialog.getByText("ANTHROPIC_AUTH_TOKEN").first().waitFor();
  await press(dialog.getByRole("button", { name: "Write it" }));
  await expect
    .poll(() => home.read(".claude/settings.json").catch(() => ""))
    .toContain(`"ANTHROPIC_BASE_URL": "${pages.gateway.url}"`);
  const done = page.getByRole("dialog", { name: "Claude Code is connected" });
  await done.getByText(/^Tools \(MCP\): Works/).waitFor();
  expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
  await closeByEscape(page.getByRole("dialog"));
  // Still on the overview: what is next stands there, and the button that is gone leaves the focus to its neighbour.
  await step(page, "Connect an app").getByText("Connected: Claude Code").waitFor();
  await step(page, "Connect an app").getByText('claude -p "Say hello"').waitFor();
  await focused(step(page, "Connect an app").getByRole("link", { name: "All apps" }));
});

it("shows the first key until an app has used it: it works as it stands in the examples", async () => {
  const page = await pages.open();
  const card = page.getByRole("region", { name: "Connect your app" });
  const example = (): Promise<string> => copied(page, () => card.getByRole("button", { name: "Copy example" }).click());
  await card.getByText("Shown until an app has used it or Postern stops.").waitFor();
  const secret = (await card.locator("[data-secret]").textContent()) ?? "";
  expect(secret).toMatch(/^sk-[A-Za-z0-9]{48}$/);
  await page.reload();
  await card.getByRole("button", { name: "Copy key" }).waitFor();
  expect(await card.locator("[data-secret]").textContent()).toBe(secret);
  expect(await example()).toContain(`Bearer ${secret}`);
  await card.getByRole("tab", { name: "Claude Code" }).click();
  expect(await example()).toContain(`export ANTHROPIC_AUTH_TOKEN=${secret}`);
  expect(await axeFindings(page, "main")).toEqual([]);
  expect((await chat(pages.gateway.url, secret, "gpt-4o-mini")).status).toBe(200);
  await pages.go(page, "keys");
  await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
  await pages.go(page, "overview");
  await card.getByRole("button", { name: "Create key and fill it in" }).waitFor();
  expect(await page.content()).not.toContain(secret);
});

it("makes a key that the examples have from then on, known to this page alone", async () => {
  const page = await pages.open();
  const card = page.getByRole("region", { name: "Connect your app" });
  const example = (): Promise<string> => copied(page, () => card.getByRole("button", { name: "Copy example" }).click());
  expect(await example()).toContain("Bearer sk-…");
  await card.getByRole("button", { name: "Create key and fill it in" }).click();
  await expect.poll(example).toMatch(/Bearer sk-[A-Za-z0-9]{48}/);
  const secret = /sk-[A-Za-z0-9]{48}/.exec(await example())?.[0] ?? "";
  await pages.go(page, "keys");
  await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
  await pages.go(page, "overview");
  await card.getByRole("button", { name: "Create key and fill it in" }).waitFor();
  expect(await page.content()).not.toContain(secret);
});

it("has three steps, and what was skipped stays so after a reload and from a second link", async () => {
  const page = await pages.open();
  await guide(page).getByText("Three steps to a first response").waitFor();
  expect(await guide(page).getByRole("heading", { level: 3 }).allTextContents()).toEqual([
    expect.stringContaining("Connect a provider"),
    expect.stringContaining("Connect an app"),
    expect.stringContaining("Try it"),
  ]);
  await press(guide(page).getByRole("button", { name: "Skip: Connect a provider" }));
  const skipped = (shown: Page): Locator => step(shown, "Connect a provider").getByText("Skipped", { exact: true });
  await skipped(page).waitFor();
  await page.reload();
  await skipped(page).waitFor();
  await skipped(await pages.open()).waitFor();
});

it("begins in the first field of the dialog that adds a provider", async () => {
  const page = await pages.open();
  await press(step(page, "Connect a provider").getByRole("button", { name: "Add provider" }));
  const dialog = page.getByRole("dialog", { name: "Add a provider" });
  await focused(dialog.getByRole("searchbox", { name: "Filter" }));
  await closeByEscape(dialog);
  expect(await dialog.count()).toBe(0);
});

it("is left out step by step, and goes with the last", async () => {
  const page = await pages.open();
  await guide(page).getByText("Use GROQ_API_KEY").waitFor();
  for (const name of ["Connect a provider", "Connect an app", "Try it"]) {
    const skip = guide(page).getByRole("button", { name: `Skip: ${name}` });
    if ((await skip.count()) > 0) await press(skip);
  }
  await page.getByRole("region", { name: "Provider health" }).waitFor();
  expect(await guide(page).count()).toBe(0);
});

it("fills in what a link asks for, in full, and does nothing by itself", async () => {
  const page = await pages.open();
  const address = `https://provider.example/${"a-long-path/".repeat(12)}v1`;
  const query = new URLSearchParams({
    link: "connect",
    provider: "openai-compatible",
    base_url: address,
    name: "From afar",
  });
  await pages.go(page, `connections?${query.toString()}`);
  const dialog = page.getByRole("dialog", { name: "Add a provider" });
  await dialog.getByText(address).waitFor();
  expect(await dialog.getByLabel("Name").inputValue()).toBe("From afar");
  expect(await dialog.getByRole("radio", { name: "Another compatible server" }).isChecked()).toBe(true);
  await closeByEscape(dialog);
  expect(page.url()).not.toContain("link=");
  expect(await page.getByRole("region", { name: "From afar" }).count()).toBe(0);

  await pages.go(page, "keys?link=key&name=Editor");
  const key = page.getByRole("dialog", { name: "Create a key" });
  expect(await key.getByLabel("Name").inputValue()).toBe("Editor");
  await closeByEscape(key);
  expect(await page.getByRole("row").filter({ hasText: "Editor" }).count()).toBe(0);
});

it("is put away for good", async () => {
  const page = await pages.open();
  await guide(page).getByRole("button", { name: "Hide" }).click();
  await guide(page).waitFor({ state: "detached" });
  const later = await pages.open();
  await later.getByRole("heading", { name: "Recent requests" }).waitFor();
  await later.locator("[data-row]").first().waitFor();
  expect(await guide(later).count()).toBe(0);
});
