import { expect, it } from "vitest";
import { closeByEscape, copied, focused } from "./browser.ts";
import { chat } from "./gateway.ts";
import { makeHome, startIn, type Home } from "./home.ts";
import { holdsFocus, press, seen, tabTo, write } from "./keys.ts";
import { startLocalProvider } from "./local-provider.ts";
import { useGatewayPages } from "./page-suite.ts";

/**
 * The three things that everybody does, on a real Postern, without a mouse. At each step the focus is where one goes on,
 * in sight and with its ring; dialogs take it in, hold it, and give it back.
 */
const CLAUDE = '{\n  "theme": "dark"\n}\n';
let home: Home;
const pages = useGatewayPages(async () => {
  home = await makeHome();
  await home.put(".claude/settings.json", CLAUDE);
  // It answers next to the provider that the first test connects.
  return startIn(home, { POSTERN_SANDBOX: "on" });
});

it("adds a connection and tests it", async () => {
  const provider = await startLocalProvider(["tiny-one"]);
  try {
    provider.accepted.add("right-key");
    const page = await pages.open();
    await page.keyboard.type("gc");
    await page.getByRole("heading", { level: 1, name: "Providers" }).waitFor();
    const add = page.locator("main").getByRole("button", { name: "Add provider" }).first();
    await press(add);
    const dialog = page.getByRole("dialog", { name: "Add a provider" });
    await dialog.waitFor();
    await holdsFocus(page);
    await tabTo(dialog.getByRole("radio", { checked: true }));
    await page.keyboard.press("ArrowUp");
    await seen(dialog.getByRole("radio", { name: "Another compatible server", checked: true }));
    await write(dialog.getByLabel("Name"), "Tiny");
    await write(dialog.getByLabel("Base URL"), provider.baseUrl);
    await write(dialog.getByLabel("Provider key"), "right-key");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    const panel = page.getByRole("region", { name: "Tiny" });
    await panel.getByText("Healthy", { exact: true }).waitFor();
    await seen(page.locator("main").getByRole("button", { name: "Add provider" }).first());

    const test = panel.getByRole("button", { name: "Test Tiny" });
    await press(test);
    await panel.getByText(/Works: responded in .* with 1 model/).waitFor();
    await seen(test);
    expect(await page.content()).not.toContain("right-key");
  } finally {
    await provider.close();
  }
});

it("makes a key and copies it", async () => {
  const page = await pages.open();
  await page.keyboard.type("gk");
  await page.getByRole("heading", { level: 1, name: "Keys" }).waitFor();
  const create = page.locator("main").getByRole("button", { name: "Create key" });
  await press(create);
  const dialog = page.getByRole("dialog", { name: "Create a key" });
  await seen(dialog.getByLabel("Name"));
  await page.keyboard.type("Keyboard key");
  await page.keyboard.press("Tab");
  await seen(dialog.getByLabel("Spend limit, USD"));
  await page.keyboard.type("0.50");
  await holdsFocus(page);
  await tabTo(dialog.getByLabel("Spend limit, USD"));
  await page.keyboard.press("Enter");

  const once = page.getByRole("dialog", { name: "Store this key now" });
  await seen(once.getByRole("button", { name: "Copy key" }));
  // What is shown this once does not go away by mistake.
  await page.keyboard.press("Escape");
  expect(await once.isVisible()).toBe(true);
  await holdsFocus(page);
  await tabTo(once.getByRole("button", { name: "Copy key" }));
  const secret = await copied(page, () => page.keyboard.press("Enter"));
  expect(secret).toMatch(/^sk-\w{48}$/);
  await press(once.getByRole("button", { name: "I have stored it" }));
  await once.waitFor({ state: "detached" });
  await page.getByRole("row").filter({ hasText: "Keyboard key" }).waitFor();
  await seen(create);
  expect((await chat(pages.gateway.url, secret, "gpt-4o-mini")).status).toBe(200);
});

it("connects a tool and undoes it", async () => {
  const page = await pages.open();
  await page.keyboard.type("ga");
  await page.getByRole("heading", { level: 1, name: "Apps" }).waitFor();
  const card = page.getByRole("region", { name: "Claude Code", exact: true });
  await press(card.getByRole("button", { name: "Connect Claude Code", exact: true }));
  const asking = page.getByRole("dialog", { name: "Connect Claude Code" });
  await asking.getByText("ANTHROPIC_AUTH_TOKEN").first().waitFor();
  await holdsFocus(page);
  await press(asking.getByRole("button", { name: "Write it" }));
  const done = page.getByRole("dialog", { name: "Claude Code is connected" });
  await done.getByText(/^Models: Works/).waitFor();
  await holdsFocus(page);
  expect(await home.read(".claude/settings.json")).toContain(pages.gateway.url);
  await press(done.getByRole("button", { name: "Done" }));
  await done.waitFor({ state: "detached" });
  await card.getByText("Connected", { exact: true }).waitFor();
  // The button that opened the dialog is gone with its state: the focus is at the card all the same.
  await focused(card.locator("*"));

  const undo = card.getByRole("button", { name: "Undo Claude Code" });
  await press(undo);
  const undoing = page.getByRole("dialog", { name: "Undo Claude Code?" });
  await undoing.waitFor();
  await holdsFocus(page);
  await closeByEscape(undoing);
  await seen(undo);
  await page.keyboard.press("Enter");
  await press(undoing.getByRole("button", { name: "Undo and revoke the key" }));
  await undoing.waitFor({ state: "detached" });
  await card.getByText("Detected").waitFor();
  await focused(card.locator("*"));
  expect(await home.read(".claude/settings.json")).toBe(CLAUDE);
});
