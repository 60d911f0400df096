import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { wav } from "../../support/media-samples.ts";
import { axeFindings, axeInBothThemes, closeByEscape, copied, focused, sidewaysScroll } from "./browser.ts";
import { receiptOf } from "./receipts.ts";
import { deliveryOf } from "./task-fixtures.ts";
import { paramsOf, rows, useTasksBench } from "./tasks-bench.ts";

/** One task and what can be done with it, and the webhooks. */
const bench = useTasksBench(300);
const { openTable: table } = bench;

describe("one task", () => {
  const dialog = (page: Page) => page.getByRole("dialog");

  it("opens with Enter, closes with Escape, and gives the focus back", async () => {
    const page = await table();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await focused(rows(page).nth(1));
    await page.keyboard.press("Enter");
    await dialog(page).getByText("Timeline").waitFor();
    expect(paramsOf(page)).toBe(`?task=${bench.idOf(1)}`);
    await closeByEscape(dialog(page));
    await focused(rows(page).nth(1));
    expect(paramsOf(page)).toBe("");
  });

  it("follows its task while it is open", async () => {
    const page = await table(`?task=${bench.idOf(1)}`);
    const bar = dialog(page).getByRole("progressbar");
    await expect.poll(() => bar.getAttribute("aria-valuenow")).toBe("42");
    bench.tasks.change(bench.idOf(1), { progress: 88 });
    await expect.poll(() => bar.getAttribute("aria-valuenow")).toBe("88");
    bench.tasks.details.set(bench.idOf(1), {
      timeline: [{ at: Date.now(), status: "failed", note: "It was too dark." }],
    });
    bench.tasks.change(bench.idOf(1), {
      status: "failed",
      finished_at: Date.now(),
      error: { code: "Dark", message: "Too dark." },
    });
    await dialog(page).getByText("Too dark.", { exact: true }).waitFor();
    await dialog(page).getByText("It was too dark.").waitFor();
  });

  it.each([
    ["failed" as const, 0, "Nothing was delivered and nothing is billed."],
    ["unknown" as const, 400_000_000, "An estimate is billed here"],
  ])("that failed says of its money what its receipt says: %s", async (outcome, nano, sentence) => {
    const id = bench.idOf(1);
    const page = await table(`?task=${id}`);
    await dialog(page).getByRole("progressbar").waitFor();
    bench.tasks.details.set(id, { receipt: receiptOf(1, { outcome, nano, endpoint: "videos" }) });
    const error = { code: "expired", message: "Expired." };
    bench.tasks.change(id, { status: "failed", finished_at: Date.now(), error, nano });
    await dialog(page).getByText("Expired.", { exact: true }).first().waitFor();
    await expect.poll(() => dialog(page).innerText()).toContain(sentence);
  });

  it("plays its video from the library, and leads there", async () => {
    const page = await table();
    bench.tasks.files.set("med_4", { type: "video/mp4", bytes: wav(20) });
    bench.tasks.details.set(bench.idOf(4), {
      results: [
        {
          id: "med_4",
          at: Date.now(),
          kind: "video",
          type: "video/mp4",
          bytes: 1_000,
          sha256: "0".repeat(64),
          width: 1_920,
          height: 1_080,
          duration_ms: 10_000,
          origin: {
            request_id: "req_1",
            key: "key_1",
            endpoint: "videos",
            model: "alpha2.6-t2v",
            provider: "dashscope",
            prompt: "A bowl",
            parameters: {},
            seed: 7,
            nano: 1,
            sandbox: false,
          },
          available: true,
          link: "/media/med_4?signed=1",
          link_expires_at: Date.now() + 86_400_000,
          poster: "/media/still_4?signed=1",
          path: "/data/media/med_4.mp4",
        },
      ],
    });
    await bench.pages.go(page, `tasks?task=${bench.idOf(4)}`);
    const video = dialog(page).locator("video");
    await video.waitFor();
    expect(await video.getAttribute("src")).toBe("/media/med_4?signed=1");
    expect(await video.getAttribute("poster")).toBe("/media/still_4?signed=1");
    expect(await video.getAttribute("preload")).toBe("metadata");
    expect(await dialog(page).getByRole("link", { name: "Show in library" }).getAttribute("href")).toBe(
      "#/library?media=med_4",
    );
  });

  it("copies its submission without the key, and its bodies as they are", async () => {
    const page = await table(`?task=${bench.idOf(4)}`);
    const copy = (name: string) => copied(page, () => dialog(page).getByRole("button", { name }).click());
    const command = await copy("Copy as curl");
    expect(command).toContain("Bearer $POSTERN_API_KEY");
    expect(command).toContain(`'${bench.pages.fake.url}/v1/videos/generations'`);
    expect(await copy("Copy: Provider's response")).toContain('"task_status": "SUCCEEDED"');
    expect(await copy("Copy: Task id")).toBe(bench.idOf(4));
  });

  it("asks before it is cancelled or paid for again, and says what that does to the money", async () => {
    const page = await table(`?task=${bench.idOf(1)}`);
    await dialog(page).getByRole("button", { name: "Cancel task" }).click();
    const asking = page.getByRole("alertdialog");
    await asking.getByText("$0.50").waitFor();
    await asking.getByRole("button", { name: "Let it run" }).click();
    await asking.waitFor({ state: "detached" });
    expect(bench.tasks.posted).toEqual([]);
    await dialog(page).getByRole("button", { name: "Cancel task" }).click();
    await asking.getByRole("button", { name: "Cancel task" }).click();
    await asking.waitFor({ state: "detached" });
    await dialog(page).getByRole("button", { name: "Ask provider" }).waitFor({ state: "detached" });

    await dialog(page).getByRole("button", { name: "Regenerate" }).click();
    await asking.getByText("with the key “Claude Code”").waitFor();
    await asking.getByRole("button", { name: "Regenerate" }).click();
    await expect.poll(() => paramsOf(page)).toMatch(/_again$/);
    expect(paramsOf(page)).toBe(`?task=${bench.idOf(0)}`);
    expect(bench.tasks.posted.map(({ what }) => what.split(" ")[0])).toEqual(["cancel", "repeat"]);
  });

  it("that is unknown is settled by what its owner says", async () => {
    const page = await table(`?task=${bench.idOf(3)}`);
    const settle = page.getByRole("dialog", { name: "What became of this task?" });
    await dialog(page).getByRole("button", { name: "Say what became of it" }).click();
    await settle.getByText("until then $0.25 stays held").waitFor();
    await settle.getByRole("button", { name: "Settle task" }).click();
    await settle.getByText("Enter the provider's id of the task").waitFor();
    await settle.getByLabel("Provider's id").fill("cgt-2026-abc");
    expect(await axeFindings(page, "[role=dialog]")).toEqual([]);
    await settle.getByRole("button", { name: "Settle task" }).click();
    await settle.waitFor({ state: "detached" });
    await dialog(page).getByRole("button", { name: "Say what became of it" }).click();
    await settle.getByRole("radio", { name: "It never arrived" }).click();
    await settle.getByRole("button", { name: "Settle task" }).click();
    await settle.waitFor({ state: "detached" });
    expect(bench.tasks.posted.map(({ body }) => body)).toEqual([
      { provider_task_id: "cgt-2026-abc" },
      { never_arrived: true },
    ]);
  });

  it("shows every attempt at its callback, and sends it again", async () => {
    const page = await table(`?task=${bench.idOf(4)}`);
    const callbacks = dialog(page).getByRole("region", { name: "Webhook" });
    await callbacks.getByText("no answer within 15 s").waitFor();
    await callbacks.getByText(/Next attempt in \d min/).waitFor();
    const row = bench.tasks.rows[4];
    if (row === undefined) throw new Error("no row");
    bench.tasks.details.set(row.id, {
      deliveries: [deliveryOf(row, { state: "delivered", next_at: null, attempts: [] })],
    });
    await callbacks.getByRole("button", { name: "Resend" }).click();
    await callbacks.getByText("Delivered").waitFor();
    expect(bench.tasks.posted.map(({ what }) => what)).toEqual([`resend ${row.id}`]);
    bench.tasks.details.delete(row.id);
    bench.pages.fake.emit({ type: "webhooks.changed" });
    await callbacks.getByText("no answer within 15 s").waitFor();
  });

  it("that is not there says so", async () => {
    const page = await table(`?task=vt_gone`);
    await dialog(page).getByText("There is no task vt_gone.").waitFor();
    expect(await dialog(page).getByRole("button", { name: "Try again" }).count()).toBe(1);
  });
});

it("shows the webhook secret only when asked, rotates it, and enables a receiver", async () => {
  const page = await table();
  await page.getByRole("button", { name: "Webhooks" }).click();
  const panel = page.getByRole("dialog", { name: "Webhooks" });
  const secret = await copied(page, () => panel.getByRole("button", { name: "Copy secret" }).click());
  expect(secret).toMatch(/^whsec_MfKQ/);
  expect(await page.content()).not.toContain("whsec_MfKQ");
  await panel.getByRole("button", { name: "Show secret" }).click();
  await panel.getByText("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").waitFor();
  await panel.getByRole("button", { name: "Enable https://old.example.com/hook" }).click();
  await panel.getByText("Disabled receivers").waitFor({ state: "detached" });
  await panel.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate" }).click();
  await panel.getByText("whsec_new").waitFor();
  await panel.getByText("The earlier secret signs too until").waitFor();
  await panel
    .getByRole("button", { name: / Open task of/ })
    .first()
    .click();
  await page.getByRole("dialog", { name: "alpha2.6-t2v" }).getByText("Timeline").waitFor();
  expect(bench.tasks.posted).toEqual([
    { what: "enable", body: { url: "https://old.example.com/hook" } },
    { what: "rotate", body: {} },
  ]);
});

it.each([1_280, 360])("axe finds nothing in the dialogs at %i px, and nothing scrolls sideways", async (width) => {
  const page = await table("?model=alpha2.6-t2v", { width, height: 740 });
  for (const place of [...[0, 1, 3, 4, 5].map((index) => `task=${bench.idOf(index)}`), "panel=webhooks"]) {
    await bench.pages.go(page, `tasks?${place}`);
    await page.getByRole("dialog").getByRole("region").first().waitFor();
    expect(await axeInBothThemes(page, "[role=dialog]"), place).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await closeByEscape(page.getByRole("dialog"));
  }
});
