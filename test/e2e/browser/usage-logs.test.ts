import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  claudeLine,
  claudePath,
  codexCount,
  codexMeta,
  codexPath,
  codexTurn,
  writeLogs,
} from "../../support/agent-logs.ts";
import { axeInBothThemes, sidewaysScroll } from "./browser.ts";
import { serveHistory, someHistory } from "./fake-history.ts";
import { refusal } from "./fake-control.ts";
import { startGateway } from "./gateway.ts";
import { useFakePages, useGatewayPages } from "./page-suite.ts";

const cell = (page: Page, term: string): Locator =>
  page.locator("dl > div").filter({ has: page.locator("dt", { hasText: new RegExp(`^${term}$`) }) });
const row = (page: Page, text: string): Locator => page.locator("[data-row]").filter({ hasText: text });

describe("on a real Postern", () => {
  let home = "";
  const pages = useGatewayPages(async () => {
    home = await mkdtemp(join(tmpdir(), "postern-home-"));
    return startGateway({ HOME: home, POSTERN_SANDBOX: "on" });
  });
  beforeAll(async () => {
    const usage = { input_tokens: 1_000, cache_read_input_tokens: 10_000, output_tokens: 1_000 };
    await writeLogs(home, {
      [claudePath("a")]: [
        claudeLine({ usage, model: "claude-opus-4-6" }),
        claudeLine({ usage, model: "claude-opus-4-6", id: "msg_2", request: "r2", at: "2026-10-13T10:00:00.000Z" }),
      ],
      [claudePath("a/subagents/agent-1")]: [
        claudeLine({ usage, model: "claude-haiku-4-5", id: "msg_3", request: "r3", sidechain: true }),
      ],
      [codexPath("rollout-a")]: [
        codexMeta("codex-session"),
        codexTurn("gpt-5.4"),
        codexCount("2026-10-14T10:00:00.000Z", [11_000, 10_000, 1_000, 0], null),
      ],
    });
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it("shows what logs have, imports it, and says what it would have cost on another model", async () => {
    const page = await pages.open("history?from=2026-10-01&to=2026-10-31");
    await page.getByText("No earlier usage").waitFor();
    await page.getByRole("button", { name: "Find logs" }).click();
    const dialog = page.getByRole("dialog", { name: "Import usage from logs" });
    await dialog.getByText("New: 4 requests, 48K tokens").waitFor();
    await dialog.getByText(join(home, ".codex")).waitFor();
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("Imported 4 requests").waitFor();
    await dialog.waitFor({ state: "detached" });
    // Two at $0.035, one at $0.007, and $0.02 of Codex.
    await cell(page, "Spend").getByText("$0.097", { exact: true }).waitFor();
    await row(page, "claude-opus-4-6").getByText("$0.07", { exact: true }).waitFor();
    await page.locator(".plot canvas").first().waitFor();
    await page.getByRole("button", { name: "App", exact: true }).click();
    await page.getByRole("button", { name: "Actions for Codex" }).click();
    await page.getByRole("menuitem", { name: "Show only this" }).click();
    await cell(page, "Requests").getByText("1", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Project", exact: true }).click();
    await row(page, "api").getByText("$0.02", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Remove filter App: Codex" }).click();
    await cell(page, "Requests").getByText("4", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Postern", exact: true }).click();
    await page.getByText("Nothing was used in this time").waitFor();
    await page.getByRole("button", { name: "Both", exact: true }).click();
    await cell(page, "Requests").getByText("4", { exact: true }).waitFor();

    await page.getByLabel("Model", { exact: true }).fill("claude-opus-4-8");
    await page.getByRole("button", { name: "Calculate" }).click();
    await page.getByText("Estimate with the same number of tokens", { exact: false }).waitFor();
    await page.getByText("$0.097 →").waitFor();
    expect(page.url()).toContain("on=claude-opus-4-8");

    await page.getByLabel("Model", { exact: true }).fill("gpt-9000");
    await page.getByRole("button", { name: "Calculate" }).click();
    await page.getByText("Nothing is known of a model gpt-9000").waitFor();
  });

  it("says that there is nothing new, where there is nothing, and forgets all of it", async () => {
    const page = await pages.open("usage?source=logs");
    await page.getByRole("button", { name: "Find logs" }).click();
    const dialog = page.getByRole("dialog", { name: "Import usage from logs" });
    await dialog.getByText("Nothing new since the last import.").waitFor();
    expect(await dialog.getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel("Another folder").fill("/no/such/folder");
    await dialog.getByRole("button", { name: "Look there" }).click();
    await dialog.getByText("There are no logs of agents in /no/such/folder").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Remove imported usage" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove imported usage" }).click();
    await page.getByText("No earlier usage").waitFor();
  });
});

describe("with everything that is known", () => {
  const pages = useFakePages(serveHistory);

  it("says what is left out, unpriced, damaged and not exact", async () => {
    const page = await pages.open("history?on=gpt-5.5");
    await page.getByText("2 lines of what was imported are damaged").waitFor();
    await page.getByText("$5.00 less (20%)").waitFor();
    await page
      .getByText("because the other model sells none. 2 prompts are longer than the other model takes.")
      .waitFor();
    expect(await page.locator("dl dt").allTextContents()).toEqual(["Spend", "Requests", "Tokens"]);
    await page.getByRole("button", { name: "Find logs" }).click();
    await page.getByText("1 log could not be read:").waitFor();
    expect(await page.getByText("2 more went through Postern").isVisible()).toBe(true);
  });

  it("shows how far a reading is", async () => {
    const page = await pages.open("usage?source=logs");
    await cell(page, "Requests").waitFor();
    const running = { what: "preview", logs: 40, logs_done: 12, bytes: 9_000_000, bytes_done: 4_000_000 };
    pages.fake.responses.set("GET /control/history", { status: 200, body: { ...someHistory, running } });
    pages.fake.responses.delete("POST /control/history/preview");
    const { promise: reading, resolve: read } = Promise.withResolvers<void>();
    pages.fake.serve = async (incoming) => {
      if (incoming.url === "/control/history/preview") await reading;
      return false;
    };
    await page.getByRole("button", { name: "Find logs" }).click();
    await page.getByRole("dialog").getByText("12 of 40 logs").waitFor();
    serveHistory(pages.fake);
    read();
    await page.getByRole("dialog").getByText("New: 88 requests").waitFor();
    expect(await page.getByText("12 of 40 logs").count()).toBe(0);
  });

  it("says what went wrong with an import, and leaves what was found in sight", async () => {
    const page = await pages.open("usage?source=logs");
    pages.fake.responses.set(
      "POST /control/history/import",
      refusal(503, "The imported usage cannot be written (ENOSPC).", "storage_unavailable"),
    );
    await page.getByRole("button", { name: "Find logs" }).click();
    const dialog = page.getByRole("dialog", { name: "Import usage from logs" });
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("The imported usage cannot be written (ENOSPC).").first().waitFor();
    expect(await dialog.getByText("New: 88 requests").isVisible()).toBe(true);
  });

  it("is accessible in both themes, in Chinese, and in a narrow window", async () => {
    const page = await pages.open("history?on=gpt-5.5");
    await page.getByText("$5.00 less (20%)").waitFor();
    expect(await axeInBothThemes(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => sidewaysScroll(page)).toBe(0);
    await page.evaluate(() => localStorage.setItem("postern.language", "zh"));
    await page.reload();
    await page.getByText("导入的数据有 2 行损坏").waitFor();
  });
});
