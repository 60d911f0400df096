import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { ConnectionView } from "../../../gateway/contract/connection.ts";
import { focused } from "./browser.ts";
import { refusal } from "./fake-control.ts";
import { connections, keyOf } from "./fixtures.ts";
import { useFakePages } from "./page-suite.ts";
import { receiptOf } from "./receipts.ts";

/** What a real gateway does not do on demand: errors, silence, floods, a full disk. */
const pages = useFakePages();

const { open } = pages;
const rows = (page: Page) => page.locator("[data-row]");

it("says what the gateway said when a list cannot be loaded, and tries again", async () => {
  pages.fake.responses.set(
    "GET /control/keys",
    refusal(503, "The data folder cannot be read: the disk is gone.", "storage_unavailable"),
  );
  const page = await open("keys");
  await page.getByText("The data folder cannot be read: the disk is gone.").waitFor();
  pages.fake.responses.clear();
  await page.getByRole("button", { name: "Try again" }).click();
  await rows(page).first().waitFor();
  expect(await rows(page).count()).toBe(pages.fake.keys.length);
});

it("shows a line while Postern does not answer, and fresh figures when it is back", async () => {
  const page = await open();
  await rows(page).first().waitFor();
  await pages.fake.followed();
  pages.fake.silence(true);
  await page.getByText("Postern does not respond. These figures may be out of date; retrying.").waitFor();
  await page.getByText("Not responding").first().waitFor();
  pages.fake.state = { ...pages.fake.state, month: { ...pages.fake.state.month, nano: 42_420_000_000 } };
  pages.fake.silence(false);
  await page.getByText("$42.42", { exact: true }).waitFor();
  await expect.poll(() => page.getByText("Postern does not respond").count()).toBe(0);
});

it("shows a line while the machine is offline", async () => {
  const page = await open();
  await page.context().setOffline(true);
  await page.getByText("This machine is offline.").waitFor();
  await page.context().setOffline(false);
  await page.getByText("This machine is offline.").waitFor({ state: "detached" });
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Overview");
});

it("closes when the bearer is refused, and keeps nothing of it", async () => {
  const page = await open("keys");
  await rows(page).first().waitFor();
  pages.fake.responses.set(
    "PATCH /control/keys/key_2",
    refusal(401, "The session has ended.", "invalid_control_token"),
  );
  await page.getByRole("button", { name: "Actions for Claude Code" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByRole("heading", { name: "Open the pages again" }).waitFor();
  expect(await page.content()).not.toContain("fake-bearer");
});

it("takes an optimistic edit back when the gateway refuses it", async () => {
  const page = await open("keys");
  pages.fake.responses.set(
    "PATCH /control/keys/key_2",
    refusal(503, "The disk refuses writes.", "storage_unavailable"),
  );
  await page.getByRole("button", { name: "Actions for Claude Code" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByText("The disk refuses writes.").first().waitFor();
  const row = rows(page).filter({ hasText: "Claude Code" });
  await row.getByText("Active").waitFor();
  expect(await row.getByText("Disabled").count()).toBe(0);
});

it("adds one row for one settled request and leaves the others alone", async () => {
  const page = await open();
  // Rows are drawn again when the names of the keys arrive; those have to be there before anything is counted.
  await rows(page).first().getByText("First key").waitFor();
  await pages.fake.followed();
  await page.evaluate(() => {
    const changes = { added: 0, touched: 0 };
    window.changes = changes;
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if (target instanceof Element && target.closest("[data-row]")) changes.touched += 1;
        for (const node of addedNodes) if (node instanceof Element && node.matches("[data-row]")) changes.added += 1;
      }
    }).observe(document.querySelector("[role=grid]")!, { subtree: true, childList: true, attributes: true });
  });
  pages.fake.emit({ type: "request.settled", receipt: receiptOf(900, { at: Date.now(), model: "brand-new-model" }) });
  await rows(page).filter({ hasText: "brand-new-model" }).waitFor();
  expect(await page.evaluate(() => window.changes)).toEqual({ added: 1, touched: 0 });
});

it("stays a list of fifty under a flood of requests", async () => {
  const page = await open();
  await rows(page).first().waitFor();
  await pages.fake.followed();
  const states = (): number => pages.fake.seen.filter((route) => route === "GET /control/state").length;
  const [requestCount, began] = [states(), performance.now()];
  for (let index = 0; index < 2_000; index += 1) {
    pages.fake.emit({
      type: "request.settled",
      receipt: receiptOf(1_000 + index, { at: Date.now(), model: `model-${index}` }),
    });
  }
  await rows(page).filter({ hasText: "model-1999" }).waitFor();
  expect(await rows(page).count()).toBe(50);
  // One at once, one for each second that it took, and what was under way: nothing like one for each request.
  expect(states() - requestCount).toBeLessThanOrEqual(3 + (performance.now() - began) / 1_000);
});

it("draws a part of ten thousand keys, and reaches the last one by the keyboard", async () => {
  pages.fake.keys = Array.from({ length: 10_000 }, (_, index) => keyOf(index));
  const page = await open("keys");
  await rows(page).first().waitFor();
  expect(await rows(page).count()).toBeLessThan(120);
  expect(await page.getByRole("grid").getAttribute("aria-rowcount")).toBe("10001");
  await rows(page).first().focus();
  await page.keyboard.press("End");
  await focused(rows(page).filter({ hasText: "Key 9999" }));
  await page.keyboard.press("k");
  await focused(rows(page).filter({ hasText: "Key 9998" }));
  expect(await rows(page).count()).toBeLessThan(120);
});

it("shows notices until they are dismissed, and a disk that refuses until it takes writes", async () => {
  pages.fake.state = {
    ...pages.fake.state,
    status: "storage",
    notices: [{ id: "n1", level: "warning", message: "One damaged file was moved to quarantine.", at: Date.now() }],
  };
  const page = await open();
  await page.getByText("Not saving").waitFor();
  await page.getByText("The disk refuses writes.").waitFor();
  await page.getByRole("button", { name: "Dismiss this notice" }).click();
  await page.getByText("One damaged file was moved to quarantine.").waitFor({ state: "detached" });
  await expect
    .poll(() => pages.fake.seen.filter((route) => route.startsWith("DELETE")))
    .toEqual(["DELETE /control/notices/n1"]);
});

it("never writes a cost that is not zero as $0.00, nor an unknown one as a number", async () => {
  pages.fake.receipts = [
    receiptOf(1, { nano: 7, model: "cheap" }),
    receiptOf(2, { nano: null, model: "unknown-price" }),
  ];
  const page = await open();
  await rows(page).filter({ hasText: "cheap" }).getByText("$0.000000007").waitFor();
  await rows(page).filter({ hasText: "unknown-price" }).getByText("unpriced").waitFor();
  expect(await rows(page).getByText("$0.00", { exact: true }).count()).toBe(0);
});

it("keeps the frame when a page breaks", async () => {
  // A moment that no calendar has: it passes the contract and breaks what writes dates.
  pages.fake.state = { ...pages.fake.state, started_at: 9_000_000_000_000_000 };
  const page = await open();
  await page.getByText("This page broke").waitFor();
  await page.getByRole("link", { name: "Keys" }).click();
  await rows(page).first().waitFor();
  await pages.fake.followed();
  // The status in the frame tells when the state that can be drawn has arrived.
  pages.fake.state = { ...pages.fake.state, started_at: Date.now(), status: "storage" };
  pages.fake.emit({ type: "settings.changed" });
  await page.getByText("Disk refuses writes").first().waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  await rows(page).first().waitFor();
  await page.getByText("This page broke").waitFor({ state: "detached" });
  expect(pages.takeFaults().length).toBeGreaterThan(0);
});

it("says what images and characters were used, and that a provider without a list was not asked", async () => {
  const page = await open();
  await rows(page).filter({ hasText: "epsilon-2" }).getByText("2 images").waitFor();
  await rows(page).filter({ hasText: "tts-1" }).getByText("1,284 characters").waitFor();
  pages.fake.responses.set("POST /control/connections/con_4/test", {
    status: 200,
    body: { ok: true, message: "", problem: null, said: null, ms: 0, models: 0 },
  });
  await pages.go(page, "connections");
  const panel = page.getByRole("region", { name: "Voyage AI" });
  await panel.getByText("lists no models").waitFor();
  await panel.getByRole("button", { name: "Test Voyage AI" }).click();
  await panel.getByText("It has no list of models to test with").waitFor();
  expect(await panel.getByText(/0 models/).count()).toBe(0);
});

it("offers no change to what the environment decides; of a found program, whether it is used", async () => {
  const named = connections.map((each): ConnectionView =>
    each.name === "OpenAI" ? { ...each, origin: "environment" } : each,
  );
  pages.fake.responses.set("GET /control/connections", { status: 200, body: { data: named } });
  const page = await open("connections");
  const found = page.getByRole("region", { name: "Ollama" });
  await found.getByText("Here as long as its server runs").waitFor();
  expect(await found.getByRole("switch").count()).toBe(1);
  const environment = page.getByRole("region", { name: "OpenAI" });
  await environment.getByRole("button", { name: "Try again: OpenAI" }).waitFor();
  await environment.getByRole("button", { name: "Actions for OpenAI" }).click();
  await expect.poll(() => page.getByRole("menuitem").allTextContents()).toEqual(["Test", "Show requests"]);
  await page.keyboard.press("Escape");
  expect(await environment.getByRole("switch").count()).toBe(0);
});
