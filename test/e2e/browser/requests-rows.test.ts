import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { matchesRequest, getSearch } from "../../../gateway/contract/matches-request.ts";
import type { Receipt, UnitClass } from "../../../gateway/contract/receipt.ts";
import { useFakePages } from "./page-suite.ts";
import { en } from "../../../renderer/locales/en.ts";
import { receiptOf } from "./receipts.ts";

/** What the rows of the Requests page say of whom, and how they are found. */
const requests: URLSearchParams[] = [];
const pages = useFakePages((fake) => {
  requests.length = 0;
  fake.serve = (incoming, outgoing, address) => {
    if (incoming.method !== "GET" || address.pathname !== "/control/requests") return false;
    requests.push(address.searchParams);
    const { limit: _limit, ...filter } = Object.fromEntries(address.searchParams);
    const data = fake.receipts.filter((receipt) => matchesRequest(receipt, getSearch(filter, fake.connections)));
    outgoing
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ data, cursor: null, complete: true, rebuilding: null }));
    return true;
  };
});

const rows = (page: Page) => page.getByRole("grid", { name: "Requests" }).locator("[data-row]");

describe("the provider of a request", () => {
  it("is the connection by its name, also where no provider was asked", async () => {
    const server = { provider: "openai-compatible", connection: "con_2" };
    pages.fake.receipts = [
      receiptOf(0, server),
      receiptOf(1, { ...server, connection: "con_3", status: 503, code: "upstream_unavailable", outcome: "failed" }),
      receiptOf(2, { provider: "voyage", connection: "con_gone" }),
      receiptOf(3, { provider: "sandbox", connection: "sandbox_openai", sandbox: true }),
    ];
    const page = await pages.open("requests");
    for (const [index, name] of ["Ollama", "OpenRouter", "voyage", "sandbox"].entries()) {
      await rows(page).nth(index).getByTitle(name, { exact: true }).waitFor();
    }
    await rows(page).nth(1).click();
    await page.getByRole("dialog").getByText("OpenRouter", { exact: true }).waitFor();
    expect(await page.getByText("openai-compatible").count()).toBe(0);
  });

  it("is what the log is filtered by", async () => {
    pages.fake.receipts = [
      receiptOf(0, { connection: "con_2", model: "of-ollama" }),
      receiptOf(1, { connection: "con_3", model: "of-openrouter" }),
      receiptOf(2, { connection: "sandbox_openai", provider: "sandbox", sandbox: true, model: "of-sandbox" }),
    ];
    const page = await pages.open("requests");
    await rows(page).nth(2).waitFor();
    const choose = async (chip: RegExp, name: string): Promise<void> => {
      await page.getByRole("button", { name: chip }).click();
      await page.getByRole("menuitemradio", { name, exact: true }).click();
    };
    await choose(/^Provider/, "OpenRouter");
    await rows(page).getByText("of-openrouter").waitFor();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(requests.at(-1)?.get("connection")).toBe("con_3");
    await choose(/^Provider.*OpenRouter/, "sandbox");
    await rows(page).getByText("of-sandbox").waitFor();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(requests.at(-1)?.get("connection")).toBeNull();
  });
});

describe("a search", () => {
  it("begins in the palette and finds the model, the app, the error and the connection, also as requests settle", async () => {
    const found = receiptOf(0, {
      connection: "con_2",
      provider: "openai-compatible",
      model: "qwen3:8b",
      client: "curl",
    });
    pages.fake.receipts = [
      found,
      receiptOf(1, { id: "req_z1", model: "gpt-5.4", client: "codex_cli_rs", connection: "con_1" }),
      receiptOf(2, {
        id: "req_z2",
        model: "gpt-5.4",
        client: "codex_cli_rs",
        status: 429,
        code: "rate_limit_exceeded",
      }),
    ];
    const page = await pages.open("overview");
    await pages.fake.followed();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("OLLAMA");
    await page.getByText("Search requests for “OLLAMA”").click();
    await rows(page).getByText("qwen3:8b").waitFor();
    expect(await rows(page).count()).toBe(1);
    const settle = (id: string, connection: string): void => {
      const receipt = receiptOf(0, { id, connection, client: id, model: "gpt-5.4" });
      pages.fake.receipts.unshift(receipt);
      pages.fake.emit({ type: "request.settled", receipt });
    };
    settle("of-openai", "con_1");
    settle("of-ollama", "con_2");
    await rows(page).getByText("of-ollama").waitFor();
    expect(await rows(page).getByText("of-openai").count()).toBe(0);
    const search = page.getByRole("searchbox", { name: "Search model, app, error, recorded text" });
    for (const [q, count] of [
      ["QWEN", 1],
      ["Codex", 2],
      ["rate_limit", 1],
      ["req_z", 2],
    ] as const) {
      await search.fill(q);
      await expect.poll(() => requests.at(-1)?.get("q")).toBe(q);
      await expect.poll(() => rows(page).count()).toBe(count);
    }
  });
});

it("a failed request shows the sentence that its app got, in its row and in its panel", async () => {
  const message = "This model's maximum context length is 400000 tokens.";
  const failed: Partial<Receipt> = { status: 400, code: "invalid_value", outcome: "failed", terms: [], nano: 0 };
  pages.fake.receipts = [receiptOf(0, { ...failed, message }), receiptOf(1)];
  const page = await pages.open("requests", { width: 1440 });
  const sentence = rows(page).first().getByText(message);
  expect(await sentence.locator("xpath=ancestor-or-self::*[@title]").last().getAttribute("title")).toBe(
    `${message}\n${en.errors.codes.invalid_value} invalid_value`,
  );
  await rows(page).first().click();
  const problem = page.getByRole("region", { name: en.requestLog.problem });
  await problem.getByText(message).waitFor();
  await problem.getByText(en.errors.codes.invalid_value).waitFor();
});

it("a figure that is no count of tokens says its unit, and is not added to tokens", async () => {
  const term = (unit: UnitClass, quantity: number) => ({ unit, quantity, nano_per_million: 0, nano: 0 });
  pages.fake.receipts = [
    [term("input", 21_340), term("cached_input", 1_200), term("output", 94)],
    [term("character", 1_284)],
    [term("input", 30), term("output", 1_290), term("image", 2)],
    [term("second", 8)],
  ].map((terms, index) => receiptOf(index, { terms }));
  const page = await pages.open("requests", { width: 1440 });
  const figures = [
    ["5%22.5k", "22,540 input tokens, 5% of the input cached"],
    ["1,200", "1,200 cached input tokens"],
    ["94", "94 output tokens"],
    ["1,284 chars", "1,284 characters"],
    ["2 img", "2 images, 1,290 output tokens"],
    ["8 s", "8 seconds"],
  ] as const;
  for (const [text, whole] of figures) {
    expect(await rows(page).getByTitle(whole, { exact: true }).textContent()).toBe(text);
  }
  // Nothing is cut off.
  for (const [, whole] of figures) {
    const cell = rows(page)
      .getByRole("gridcell")
      .filter({ has: page.getByTitle(whole, { exact: true }) });
    expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  }
});
